// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@c @implementation
public func kin_filter_create_ids(
    _ ids: UnsafePointer<UInt64>!, _ count: Int, _ filter: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: filter, "filter") { () throws(KinError) in
        let ids = try unsafe array(ids, count: count, "ids")
        // A set of ids has up to four slots per id, and is built from a copy.
        try requireRoom(for: count, elementsOf: 40, "ids")
        return unsafe Boxed(ids.withMemoryRebound(to: VectorID.self) { unsafe SearchFilter.ids($0) })
    }
}

@c @implementation
public func kin_filter_create_bitmap(
    _ words: UnsafePointer<UInt64>!, _ count: Int, _ filter: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: filter, "filter") { () throws(KinError) in
        try unsafe Boxed(SearchFilter.bitmap(IDBitmap(words: copy(words, count: count, "words"))))
    }
}

@c @implementation
public func kin_filter_create_expression(
    _ expression: UnsafePointer<CChar>!, _ filter: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: filter, "filter") { () throws(KinError) in
        try unsafe Boxed(SearchFilter.matching(FilterExpression(parsing: text(expression, "expression"))))
    }
}

@c @implementation
public func kin_filter_create_names(
    _ names: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int, _ filter: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: filter, "filter") { () throws(KinError) in
        try unsafe Boxed(SearchFilter.names(texts(names, count: count, "names")))
    }
}

@c @implementation
public func kin_filter_create_and(
    _ a: OpaquePointer!, _ b: OpaquePointer!, _ filter: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe combine(a, b, into: filter) { $0 && $1 }
}

@c @implementation
public func kin_filter_create_or(
    _ a: OpaquePointer!, _ b: OpaquePointer!, _ filter: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe combine(a, b, into: filter) { $0 || $1 }
}

@c @implementation
public func kin_filter_create_not(
    _ a: OpaquePointer!, _ filter: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe combine(a, a, into: filter) { a, _ in !a }
}

private func combine(
    _ a: OpaquePointer?, _ b: OpaquePointer?, into filter: UnsafeMutablePointer<OpaquePointer?>?,
    _ combined: (SearchFilter, SearchFilter) -> SearchFilter
) -> kin_status {
    unsafe attempt(making: filter, "filter") { () throws(KinError) in
        let a = try unsafe boxed(SearchFilter.self, a, "a")
        let b = try unsafe boxed(SearchFilter.self, b, "b")
        let both = combined(a, b)
        // A filter that is combined with itself again and again would fill the memory.
        try both.requireFewSteps()
        return Boxed(both)
    }
}

@c @implementation
public func kin_index_prepare(
    _ index: OpaquePointer!, _ filter: OpaquePointer!, _ threads: Int, _ prepared: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let plain = try unsafe boxed(SearchFilter.self, filter, "filter")
        let output = try unsafe output(prepared, "prepared")
        let threads = try KinABI.threads(threads)
        unsafe output.pointee = handle(Boxed<SearchFilter>(try index.prepare(plain, threads: threads)))
    }
}

@c @implementation
public func kin_filter_free(_ filter: OpaquePointer!) { unsafe release(Boxed<SearchFilter>.self, filter) }
