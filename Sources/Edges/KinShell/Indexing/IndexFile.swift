import Foundation
import Kin
import KinDrawings
import KinFiles

/// An index file together with what its columns mean.
struct IndexFile {
    var index: any VectorIndex
    let space: VectorSpace

    /// Maps an index file.
    ///
    /// - Errors: 66 where there is no such file, 65 where it is no index or damaged.
    init(opening path: String) throws(Failure) {
        try IndexFile.requireFile(path)
        let index: any VectorIndex
        do {
            index =
                switch try IndexKind(ofFile: path) {
                case .flat: try FlatIndex(mapping: path)
                case .ivf: try IVFIndex(mapping: path)
                }
        } catch {
            throw Failure(error.code == .inputOutput ? .noInput : Failure(error).status, error)
        }
        self.index = index
        do { space = try VectorSpace(beside: path, dimension: index.dimension) } catch { throw Failure(error) }
    }

    init(index: any VectorIndex, space: VectorSpace) {
        self.index = index
        self.space = space
    }

    /// Builds an index of a table of raw vectors.
    ///
    /// - Parameters:
    ///   - layout: flat or an inverted file; nil takes what suits the table.
    ///   - threads: how many threads may build; the index does not depend on that.
    init(
        _ table: VectorTable, metric: Metric, scale: ColumnScaling.Kind?, layout: IndexLayout? = nil, threads: Int = 1
    ) throws(Failure) {
        var table = table
        let space = VectorSpace(
            dimension: table.dimension, names: table.columns, scaling: scale.map { ColumnScaling($0, of: table) }
        )
        space.scale(&table)
        let layout = layout ?? .automatic(count: table.count, dimension: table.dimension)
        var index = layout.emptyIndex(
            dimension: table.dimension, metric: metric, attributes: table.attributes.schema)
        do {
            try index.load(
                table.matrix(), ids: table.allIDs, attributes: table.attributes.columns, threads: threads)
        } catch {
            throw Failure(error)
        }
        self.init(index: index, space: space)
    }

    func save(to path: String) throws {
        do {
            try index.save(to: path)
        } catch {
            throw Failure(error.code == .inputOutput ? .cannotCreate : Failure(error).status, error)
        }
        try space.write(beside: path)
    }

    /// An error unless there is a file of this name, with a hint where the input of `build` was given instead.
    static func requireFile(_ path: String) throws(Failure) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(
                .noInput,
                KinError(.inputOutput, "there is no file \(path); make one with `kin index build INPUT -o \(path)`")
            )
        }
        if let format = VectorFormat(path: path) {
            throw Failure(
                KinError(
                    .unsupportedFormat,
                    "\(path) is a \(format.rawValue) file, not an index; build one with "
                        + "`kin index build \(path) -o \((path as NSString).deletingPathExtension).kin`"
                )
            )
        }
    }

    /// `5 vectors of 2 dimensions`, and in how many lists.
    var size: String {
        let lists = (index as? IVFIndex).map { " in \(NumberText.count($0.listCount, "list"))" } ?? ""
        return "\(NumberText.count(index.count, "vector")) of \(NumberText.count(index.dimension, "dimension"))\(lists)"
    }

    /// Requires that the queries of a file are of the index's dimension.
    func requireQueries(_ table: VectorTable, from path: String) throws(KinError) {
        guard table.dimension != index.dimension else { return }
        throw KinError(
            .dimensionMismatch,
            "the queries have \(table.dimension) columns, the index has \(index.dimension) dimensions; choose with --columns or --exclude"
        ).within("file", path)
    }

    /// The same vectors under another metric. O(n · dimension).
    func rebuilt(under metric: Metric, threads: Int) throws(KinError) -> any VectorIndex {
        var fresh = index.empty(under: metric)
        let ids = index.ids
        var elements: [Float] = []
        elements.reserveCapacity(ids.count * index.dimension)
        for id in ids { elements += index.vector(for: id) ?? [] }
        let vectors = try Matrix(rows: ids.count, columns: index.dimension, elements: elements)
        try fresh.load(vectors, ids: ids, attributes: index.attributes.columns(of: ids), threads: threads)
        return fresh
    }
}
