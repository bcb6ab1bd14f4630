package import KinCore
package import KinJSON

extension Pleasure {
    /// Reads an object with all sixteen names.
    package init(from reader: inout JSONReader) throws(KinError) {
        try self.init(from: &reader, of: Pleasure.Dimension.words)
    }

    /// Reads an object with some of the names; the others are 0.
    package init(fromSome reader: inout JSONReader) throws(KinError) {
        try self.init(from: &reader, of: Pleasure.Dimension.optionalWords)
    }

    private init(from reader: inout JSONReader, of words: JSONKeys) throws(KinError) {
        var values = SIMD16<Float>.zero
        try reader.members(of: words) { reader, key throws(KinError) in values[key] = try reader.coordinate() }
        self.init(clamping: values)
    }

    /// Writes an object with all sixteen names.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for dimension in Pleasure.Dimension.allCases {
                writer.member(dimension.name) { $0.number(self[dimension]) }
            }
        }
    }
}

extension PleasureMarks {
    private static let keys = JSONKeys(["primary", "secondary", "intensities"], required: [])

    package init(from reader: inout JSONReader) throws(KinError) {
        var (primary, secondary): ([Pleasure.Dimension], [Pleasure.Dimension]) = ([], [])
        var intensities: [Pleasure.Dimension: Float] = [:]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: primary = try reader.dimensions()
            case 1: secondary = try reader.dimensions()
            default:
                try reader.members(of: Pleasure.Dimension.optionalWords) { reader, key throws(KinError) in
                    intensities[Pleasure.Dimension.allCases[key]] = try reader.coordinate()
                }
            }
        }
        try self.init(primary: primary, secondary: secondary, intensities: intensities)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("primary") { $0.array(primary.map(\.name)) }
            writer.member("secondary") { $0.array(secondary.map(\.name)) }
            writer.member("intensities") { writer in
                writer.object { writer in
                    for dimension in Pleasure.Dimension.allCases {
                        guard let value = intensities[dimension] else { continue }
                        writer.member(dimension.name) { $0.number(value) }
                    }
                }
            }
        }
    }
}
