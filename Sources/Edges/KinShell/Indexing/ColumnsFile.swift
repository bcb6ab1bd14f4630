import Foundation
import Kin

/// The small JSON file beside an index, `sessions.kin.columns.json`: names and scaling of its columns.
///
/// Only an index that needs it has one: with names that are not the sixteen of a profile, or with scaling.
struct ColumnsFile: Codable {
    struct Column: Codable {
        var name: String?
        var shift: Double?
        var factor: Double?
        var mean: Double?
    }

    var format = ColumnsFile.currentFormat
    var scale: String?
    var columns: [Column]

    static let currentFormat = "kin columns 1"

    static func path(beside index: String) -> String { index + ".columns.json" }

    init(_ space: VectorSpace) {
        scale = space.scaling?.kind.rawValue
        columns = (0..<space.dimension).map { index in
            Column(
                name: space.names.isEmpty ? nil : space.names[index],
                shift: space.scaling?.shift[index],
                factor: space.scaling?.factor[index],
                mean: space.scaling?.mean[index]
            )
        }
    }

    /// The space of an index, from the file beside it, or the plain one where there is none.
    static func space(beside index: String, dimension: Int) throws(Failure) -> VectorSpace {
        let path = path(beside: index)
        guard let data = FileManager.default.contents(atPath: path) else { return VectorSpace(dimension: dimension) }
        guard let file = try? JSONDecoder().decode(ColumnsFile.self, from: data), file.format == currentFormat else {
            throw damaged(path, "this is not a file of columns; build the index again")
        }
        guard file.columns.count == dimension else {
            let counts = "it describes \(file.columns.count) columns, the index has \(dimension)"
            throw damaged(path, "\(counts); it belongs to another index: build again")
        }
        let names = file.columns.compactMap(\.name)
        guard names.count == dimension || names.isEmpty else { throw damaged(path, "some columns have no name") }
        return VectorSpace(
            dimension: dimension, names: names.isEmpty ? nil : names, scaling: try file.scaling(path: path)
        )
    }

    private func scaling(path: String) throws(Failure) -> Scaling? {
        guard let scale else { return nil }
        guard let kind = Scaling.Kind(rawValue: scale) else {
            throw ColumnsFile.damaged(path, "the scale '\(scale)' is not known")
        }
        let shift = columns.compactMap(\.shift)
        let factor = columns.compactMap(\.factor)
        let mean = columns.compactMap(\.mean)
        guard [shift, factor, mean].allSatisfy({ $0.count == columns.count }), factor.allSatisfy({ $0 > 0 }) else {
            throw ColumnsFile.damaged(path, "a column lacks its shift, factor or mean, or its factor is not positive")
        }
        return Scaling(kind: kind, shift: shift, factor: factor, mean: mean)
    }

    /// Writes the file that a space needs, and removes an old one that it does not need.
    static func write(_ space: VectorSpace, beside index: String) throws(Failure) {
        let path = path(beside: index)
        guard space.needsColumnsFile else {
            try? FileManager.default.removeItem(atPath: path)
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(ColumnsFile(space)).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.cannotCreate, KinError(.inputOutput, "\(path) cannot be written"))
        }
    }

    private static func damaged(_ path: String, _ message: String) -> Failure {
        Failure(KinError(.malformedInput, message).within("file", path))
    }
}
