import Foundation

/// The small JSON file next to an index: names and scales of its columns.
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

    private static let currentFormat = "kin columns 1"

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

    /// Reads the file of an index with this dimension.
    init(decoding data: Data, dimension: Int) throws(KinError) {
        guard let file = try? JSONDecoder().decode(ColumnsFile.self, from: data), file.format == Self.currentFormat
        else { throw Self.damaged("this is not a file of columns; build the index again") }
        guard file.columns.count == dimension else {
            let counts = "it describes \(file.columns.count) columns, the index has \(dimension)"
            throw Self.damaged("\(counts); it belongs to another index: build again")
        }
        let named = file.columns.count { $0.name != nil }
        guard named == dimension || named == 0 else { throw Self.damaged("some columns have no name") }
        self = file
    }

    /// Whether the file at a path is a columns file, of any index.
    static func isOne(_ path: String) -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return false }
        return (try? JSONDecoder().decode(ColumnsFile.self, from: data))?.format == currentFormat
    }

    /// The names of all columns; nil if there are none.
    var names: [String]? {
        let names = columns.compactMap(\.name)
        return names.isEmpty ? nil : names
    }

    func scaling() throws(KinError) -> ColumnScaling? {
        guard let scale else { return nil }
        guard let kind = ColumnScaling.Kind(rawValue: scale) else {
            throw Self.damaged("the scale '\(scale)' is not known")
        }
        let (shift, factor, mean) = (
            columns.compactMap(\.shift), columns.compactMap(\.factor), columns.compactMap(\.mean)
        )
        guard [shift, factor, mean].allSatisfy({ $0.count == columns.count }), factor.allSatisfy({ $0 > 0 }) else {
            throw Self.damaged("a column lacks its shift, factor or mean, or its factor is not positive")
        }
        return ColumnScaling(kind: kind, shift: shift, factor: factor, mean: mean)
    }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    private static func damaged(_ message: String) -> KinError { KinError(.malformedInput, message) }
}
