// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinCore
import KinIndex
import KinJSON

extension AttributeKind {
    /// The kind of a constant of C's.
    init(_ constant: kin_attribute_kind) throws(KinError) {
        switch Int(constant) {
        case KIN_ATTRIBUTE_INTEGER: self = .integer
        case KIN_ATTRIBUTE_NUMBER: self = .number
        case KIN_ATTRIBUTE_CATEGORY: self = .category
        case KIN_ATTRIBUTE_TIME: self = .time
        case KIN_ATTRIBUTE_BOOLEAN: self = .boolean
        case KIN_ATTRIBUTE_TIME_RANGE: self = .timeRange
        default:
            throw KinError(.invalidArgument, "there is no kind \(constant) of attributes; see KIN_ATTRIBUTE_INTEGER")
        }
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
        }
    }
}
