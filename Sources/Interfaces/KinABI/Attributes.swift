// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import KinJSON

extension AttributeKind {
    /// The kind of a constant of C's; the constants have the order of the cases.
    init(_ constant: kin_attribute_kind) throws(KinError) {
        guard Self.allCases.indices.contains(Int(constant)) else {
            throw KinError(.invalidArgument, "there is no kind \(constant) of attributes; see KIN_ATTRIBUTE_INTEGER")
        }
        self = Self.allCases[Int(constant)]
    }
}

@c @implementation
public func kin_index_declare_attribute(
    _ index: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ kind: kin_attribute_kind
) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        var schema = AttributeSchema()
        try schema.append(unsafe text(name, "name"), AttributeKind(kind))
        try handle.update { (index) throws(KinError) in try index.declareAttributes(schema) }
    }
}

@c @implementation
public func kin_index_set_attribute(
    _ index: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ kind: kin_attribute_kind, _ ids: UnsafePointer<UInt64>!,
    _ count: Int, _ values: UnsafeRawPointer!, _ present: UnsafePointer<UInt8>!
) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let name = try unsafe text(name, "name")
        let kind = try AttributeKind(kind)
        let ids = try unsafe vectorIDs(ids, count: count)
        let isPresent = try unsafe present == nil ? nil : array(present, count: count, "present")
        let column = try unsafe AttributeColumn(kind, values, count: count, isPresent: isPresent)
        try handle.update(isShort: { _ in ids.count <= VectorIndex.fewRows }) { (index) throws(KinError) in
            try index.setAttributes([name: column], ids: ids)
        }
    }
}

extension AttributeColumn {
    /// Creates a column from C's form, in which the layout of the elements depends on the kind.
    fileprivate init(
        _ kind: AttributeKind, _ values: UnsafeRawPointer?, count: Int, isPresent: UnsafeBufferPointer<UInt8>?
    ) throws(KinError) {
        func column<Element, Value>(
            _ type: Element.Type, _ value: (Element) throws(KinError) -> Value?
        ) throws(KinError) -> [Value?] {
            let elements = try unsafe array(values?.assumingMemoryBound(to: type), count: count, "values")
            try requireRoom(for: count, elementsOf: MemoryLayout<Value?>.stride, "values")
            return try eachRow(of: count) { row throws(KinError) in
                try unsafe isPresent?[row] == 0 ? nil : value(elements[row])
            }
        }
        switch kind {
        case .integer: self = .integers(try column(Int64.self) { $0 })
        case .number: self = .numbers(try column(Double.self) { $0 })
        case .category:
            self = .categories(
                try unsafe column(UnsafePointer<CChar>?.self) { (category) throws(KinError) in
                    unsafe category == nil ? nil : try text(category, "the category")
                })
        case .tags:
            self = .tags(
                try unsafe column(UnsafePointer<CChar>?.self) { (tags) throws(KinError) in
                    unsafe tags == nil ? nil : try TagSet(separated: text(tags, "the tags"))
                })
        case .time:
            self = .times(
                try column(Int64.self) { (time) throws(KinError) in try Timestamp(microseconds: time) })
        case .boolean: self = .booleans(try column(UInt8.self) { $0 != 0 })
        case .timeRange:
            self = .timeRanges(
                try column((Int64, Int64).self) { (ends) throws(KinError) in
                    let (start, end) = (try Timestamp(microseconds: ends.0), try Timestamp(microseconds: ends.1))
                    guard let range = TimeRange(from: start, to: end) else {
                        throw KinError(.invalidArgument, "the time range from \(start) to \(end) ends before it starts")
                    }
                    return range
                })
        }
    }
}

// MARK: - Reading

@c @implementation
public func kin_index_get_attribute(
    _ index: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ kind: kin_attribute_kind, _ ids: UnsafePointer<UInt64>!,
    _ count: Int, _ values: UnsafeMutableRawPointer!, _ capacity: Int, _ needed: UnsafeMutablePointer<Int>!,
    _ present: UnsafeMutablePointer<UInt8>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let name = try unsafe text(name, "name")
        let kind = try AttributeKind(kind)
        let ids = try unsafe vectorIDs(ids, count: count)
        let room = try unsafe outputs(values?.assumingMemoryBound(to: UInt8.self), count: capacity, "values")
        let size = try unsafe output(needed, "needed")
        let isPresent = try unsafe present == nil ? nil : outputs(present, count: count, "present")
        let column = try index.attributes.column(name, of: ids)
        guard column.kind == kind else {
            throw KinError(.invalidArgument, "\(name) is declared as \(column.kind.rawValue), not \(kind.rawValue)")
        }
        let encoded = try column.encoded
        unsafe size.pointee = encoded.bytes.count
        guard encoded.bytes.count <= capacity else { return }
        unsafe room.write(encoded.bytes)
        unsafe isPresent?.write(encoded.isPresent)
    }
}

extension AttributeColumn {
    /// The values in C's layout, and a byte for each that is 1 unless the value is missing.
    fileprivate var encoded: (bytes: [UInt8], isPresent: [UInt8]) {
        get throws(KinError) {
            func words<Value, Words: Sequence<Int64>>(
                _ values: [Value?], missing: Value, _ words: (Value) -> Words
            ) -> (bytes: [UInt8], isPresent: [UInt8]) {
                let all = values.flatMap { words($0 ?? missing) }
                return (unsafe all.withUnsafeBytes { unsafe Array($0) }, values.map { $0 == nil ? 0 : 1 })
            }
            func texts(_ values: [String?]) -> (bytes: [UInt8], isPresent: [UInt8]) {
                let bytes = values.reduce(into: [UInt8]()) { bytes, value in
                    bytes += (value ?? "").utf8
                    bytes.append(0)
                }
                return (bytes, values.map { $0 == nil ? 0 : 1 })
            }
            switch self {
            case .integers(let values): return words(values, missing: 0) { CollectionOfOne($0) }
            case .numbers(let values):
                return words(values, missing: 0) { CollectionOfOne(Int64(bitPattern: $0.bitPattern)) }
            case .times(let values):
                return words(values.map { $0?.microseconds }, missing: 0) { CollectionOfOne($0) }
            case .timeRanges(let values):
                let ends = values.map { $0.map { [$0.start.microseconds, $0.end.microseconds] } }
                return words(ends, missing: [0, 0]) { $0 }
            case .booleans(let values):
                return (values.map { $0 == true ? 1 : 0 }, values.map { $0 == nil ? 0 : 1 })
            case .categories(let values):
                if let row = values.firstIndex(where: { $0?.utf8.contains(0) ?? false }) {
                    throw KinError(
                        .invalidArgument, "the category contains a zero character, which a C string cannot hold"
                    )
                    .within("row", row)
                }
                return texts(values)
            case .tags(let values):
                return texts(values.map { $0?.joined })
            }
        }
    }
}

@c @implementation
public func kin_index_schema(
    _ index: OpaquePointer!, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let output = try unsafe output(json, "json")
        let declared = index.attributes.schema.attributes
        unsafe output.pointee = ownedText(
            JSONWriter.object { writer in
                for attribute in declared { writer.member(attribute.name, attribute.kind.rawValue) }
            })
    }
}

@c @implementation
public func kin_index_attributes(
    _ index: OpaquePointer!, _ id: UInt64, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let output = try unsafe output(json, "json")
        guard index.contains(VectorID(id)) else { throw KinError(.unknownID, "no vector has the id \(id)") }
        let values = index.attributes.values(for: VectorID(id)) ?? [:]
        // In the order of declaration, without missing values.
        unsafe output.pointee = ownedText(
            JSONWriter.object { writer in
                for attribute in index.attributes.schema.attributes {
                    if let value = values[attribute.name] { writer.member(attribute.name) { value.write(to: &$0) } }
                }
            })
    }
}

extension AttributeValue {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let value): writer.integer(value)
        case .number(let value): writer.number(value)
        case .category(let value): writer.string(value)
        case .time(let value): writer.string(value.description)
        case .boolean(let value): writer.boolean(value)
        case .timeRange(let value):
            writer.object { writer in
                writer.member("start", value.start.description)
                writer.member("end", value.end.description)
            }
        case .tags(let value): writer.array(value.tags)
        }
    }
}
