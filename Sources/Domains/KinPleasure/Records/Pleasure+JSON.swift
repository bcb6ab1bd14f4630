extension Pleasure: JSONObject {
    package static var jsonType: JSONType { JSONType("point") }

    /// Reads an object with all sixteen names.
    package init(from reader: inout JSONReader) throws(KinError) {
        var values = SIMD16<Float>.zero
        try reader.members(of: Pleasure.Dimension.words) { reader, key throws(KinError) in
            values[key] = try reader.float(in: 0...1)
        }
        self.init(clamping: values)
    }

    /// Writes an object with all sixteen names.
    package func writeMembers(to writer: inout JSONWriter) {
        for dimension in Pleasure.Dimension.allCases {
            writer.member(dimension.name, self[dimension])
        }
    }
}

/// A point with some known coordinates, and their names.
package struct PartialPleasure: Sendable, Hashable {
    /// The point, with zeros in the unknown dimensions.
    package let point: Pleasure
    /// The dimensions with a given coordinate.
    package let named: Set<Pleasure.Dimension>

    /// Reads an object with some of the names.
    package init(from reader: inout JSONReader) throws(KinError) {
        var values = SIMD16<Float>.zero
        var named: Set<Pleasure.Dimension> = []
        try reader.members(of: Pleasure.Dimension.optionalWords) { reader, key throws(KinError) in
            values[key] = try reader.float(in: 0...1)
            named.insert(Pleasure.Dimension.allCases[key])
        }
        point = Pleasure(clamping: values)
        self.named = named
    }
}

extension JSONForm<Pleasure> {
    /// An object of all sixteen dimensions.
    static let pleasure = JSONForm(
        "point", read: { reader throws(KinError) in try Pleasure(from: &reader) }, write: { $0.write(to: &$1) })
}

extension JSONForm<[Pleasure.Dimension: Float]> {
    /// An object of some dimensions with their intensities.
    static let intensities = JSONForm(
        "object of dimensions, 0 to 1",
        read: { reader throws(KinError) in
            var intensities: [Pleasure.Dimension: Float] = [:]
            intensities.reserveCapacity(Pleasure.Dimension.count)
            try reader.members(of: Pleasure.Dimension.optionalWords) { reader, key throws(KinError) in
                intensities[Pleasure.Dimension.allCases[key]] = try reader.float(in: 0...1)
            }
            return intensities
        },
        write: { intensities, writer in
            // One pass over the dictionary costs less than a look-up for each dimension.
            var (values, named): (SIMD16<Float>, UInt16) = (.zero, 0)
            for (dimension, value) in intensities {
                values[dimension.rawValue] = value
                named |= 1 << dimension.rawValue
            }
            writer.object { writer in
                for dimension in Pleasure.Dimension.allCases where named & 1 << dimension.rawValue != 0 {
                    writer.member(dimension.name) { $0.number(values[dimension.rawValue]) }
                }
            }
        })
}

extension PleasureMarks: DeclaredRecord {
    package static let form = RecordSchema<PleasureMarks>(
        "pleasure_vector",
        .standard("primary", \.primary, .dimensions, default: []),
        .standard("secondary", \.secondary, .dimensions, default: []),
        .standard("intensities", \.intensities, .intensities, default: [:]),
        make: PleasureMarks.init(primary:secondary:intensities:))
}
