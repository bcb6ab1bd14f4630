import CKin
import KinIndex
import KinTestSupport
import Testing

@testable import KinABI

struct AttributeTests {
    private let c: Owned
    private var swift = VectorIndex(dimension: 4)
    private let ids = (0..<200).map { UInt64($0) }

    /// The same vectors and attributes in a C and a Swift index.
    init() throws {
        var random = TestSeed(test: "attributes").generator
        let rows: Matrix<Float> = random.uniformMatrix(rows: 200, columns: 4)
        c = try unsafe Owned(kin_index_free) { unsafe kin_index_create_ivf(4, 0, 0, $0) }
        try #require(unsafe kin_index_append(c.handle, rows.elements, 200, 0, 1, nil) == kin_status(KIN_OK))
        try swift.append(rows)
        for (name, kind) in Self.kinds {
            try #require(unsafe kin_index_declare_attribute(c.handle, name, kind) == kin_status(KIN_OK))
        }
        try swift.declareAttributes(
            AttributeSchema([
                "visits": .integer, "score": .number, "user": .category, "start": .time, "open": .boolean,
                "visit": .timeRange, "tags": .tags,
            ]))
        try fill()
    }

    private static let kinds: [(String, kin_attribute_kind)] = [
        ("visits", kin_attribute_kind(KIN_ATTRIBUTE_INTEGER)), ("score", kin_attribute_kind(KIN_ATTRIBUTE_NUMBER)),
        ("user", kin_attribute_kind(KIN_ATTRIBUTE_CATEGORY)), ("start", kin_attribute_kind(KIN_ATTRIBUTE_TIME)),
        ("open", kin_attribute_kind(KIN_ATTRIBUTE_BOOLEAN)), ("visit", kin_attribute_kind(KIN_ATTRIBUTE_TIME_RANGE)),
        ("tags", kin_attribute_kind(KIN_ATTRIBUTE_TAGS)),
    ]

    private mutating func fill() throws {
        let visits = (0..<200).map { Int64($0 * 7 % 40) }
        let present = (0..<200).map { UInt8($0 % 9 == 0 ? 0 : 1) }
        let scores = (0..<200).map { Double($0) / 8 }
        let times = (0..<200).map { Int64($0) * 86_400_000_000 }
        let open = (0..<200).map { UInt8($0 % 2) }
        let spans = times.flatMap { [$0, $0 + 3_600_000_000] }
        func set(_ name: String, _ values: UnsafeRawPointer, _ present: [UInt8]? = nil) throws {
            let kind = try #require(Self.kinds.first { $0.0 == name }).1
            let status = unsafe kin_index_set_attribute(c.handle, name, kind, ids, 200, values, present)
            try #require(status == kin_status(KIN_OK), "\(name): \(lastError())")
        }
        try unsafe set("visits", visits, present)
        try unsafe set("score", scores)
        try unsafe set("start", times)
        try unsafe set("open", open)
        try unsafe set("visit", spans)
        let users = (0..<200).map { $0 % 6 == 5 ? nil : "u\($0 % 6)" }
        try unsafe with(users) { users in try unsafe set("user", users) }
        // The empty set, repeated tags and a missing value are among them.
        let sets = ["", "red", "ünï\u{1F}red", "a b\u{1F}a b\u{1F}red"]
        let words = (0..<200).map { $0 % 5 == 4 ? nil : sets[$0 % 5] }
        try unsafe with(words) { words in try unsafe set("tags", words) }
        try swift.setAttributes(
            [
                "tags": .tags(try words.map { words in try words.map { try TagSet(separated: $0) } }),
                "visits": .integers(zip(visits, present).map { $1 == 0 ? nil : $0 }), "score": .numbers(scores),
                "user": .categories(users),
                "start": .times(try times.map { try Timestamp(microseconds: $0) }),
                "open": .booleans(open.map { $0 != 0 }),
                "visit": .timeRanges(
                    try times.map {
                        TimeRange(
                            from: try Timestamp(microseconds: $0), to: try Timestamp(microseconds: $0 + 3_600_000_000))
                    }),
            ], ids: ids.map { VectorID($0) })
    }

    @Test(arguments: [
        "user = u3 and visits < 30", "visits is missing", "score between 2.5 and 7 or id > 190",
        "start >= 1970-05-01 and open = true", "visit overlaps [1970-01-10T00:30:00Z, 1970-01-12)", "not (user = u1)",
        "tags contains 'a b'", "tags not overlaps ('a b', ünï)",
    ])
    func expressionsAgreeWithSwift(text: String) throws {
        let plain = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_expression(text, $0) }
        let prepared = try unsafe Owned(kin_filter_free) { unsafe kin_index_prepare(c.handle, plain.handle, 1, $0) }
        let query: [Float] = [0.5, 0.5, 0.5, 0.5]
        let expected = try swift.search(
            query, k: 200, options: .init(where: .matching(FilterExpression(parsing: text))))
        #expect((1..<200).contains(expected.count))
        for filter in [plain, prepared] {
            let options = unsafe searchOptions(filter: filter.handle)
            let found = try unsafe search(c.handle, query, count: 1, k: 200, options: options)
            #expect(found == Found([expected], k: 200), "\(text)")
        }
    }

    @Test func attributesSurviveARoundTrip() throws {
        #expect(
            try unsafe text { unsafe kin_index_schema(c.handle, $0) }
                == #"{"visits":"integer","score":"number","user":"category","start":"time","open":"boolean","visit":"time-range","tags":"tags"}"#
        )
        #expect(
            try unsafe text { unsafe kin_index_attributes(c.handle, 4, $0) }
                == #"{"visits":28,"score":0.5,"user":"u4","start":"1970-01-05T00:00:00Z","open":false,"#
                + #""visit":{"start":"1970-01-05T00:00:00Z","end":"1970-01-05T01:00:00Z"}}"#)
        #expect(
            try unsafe text { unsafe kin_index_attributes(c.handle, 8, $0) }.hasSuffix(#","tags":["a b","red"]}"#))
        let ninth = try unsafe text { unsafe kin_index_attributes(c.handle, 9, $0) }
        #expect(!ninth.contains("visits"), "a missing value is left out")
    }

    @Test func columnsAreReadBack() throws {
        let some: [UInt64] = [7, .max, 9, 3, 100_000, 5]
        for (name, kind) in Self.kinds {
            var needed = 0
            let counted = unsafe kin_index_get_attribute(c.handle, name, kind, some, 6, nil, 0, &needed, nil)
            #expect(counted == kin_status(KIN_OK), "\(name): \(lastError())")
            var (bytes, present) = ([UInt8](repeating: 77, count: needed + 1), [UInt8](repeating: 77, count: 6))
            let short = unsafe kin_index_get_attribute(
                c.handle, name, kind, some, 6, &bytes, needed - 1, &needed, &present)
            #expect(short == kin_status(KIN_OK) && bytes.allSatisfy { $0 == 77 } && present.allSatisfy { $0 == 77 })
            let status = unsafe kin_index_get_attribute(
                c.handle, name, kind, some, 6, &bytes, needed, &needed, &present)
            #expect(status == kin_status(KIN_OK) && bytes.removeLast() == 77)
            let expected = try some.map { try swift.attributes.value(of: name, for: VectorID($0)) }
            #expect(present == expected.map { $0 == nil ? 0 : 1 }, "\(name)")
            let words = unsafe bytes.withUnsafeBytes {
                unsafe Array($0.prefix($0.count / 8 * 8).bindMemory(to: Int64.self))
            }
            for (row, value) in expected.enumerated() {
                switch value {
                case .integer(let number): #expect(words[row] == number)
                case .number(let number): #expect(Double(bitPattern: UInt64(bitPattern: words[row])) == number)
                case .time(let time): #expect(words[row] == time.microseconds)
                case .boolean(let value): #expect(bytes[row] == (value ? 1 : 0))
                case .timeRange(let range):
                    #expect(words[2 * row] == range.start.microseconds && words[2 * row + 1] == range.end.microseconds)
                case .category(let text):
                    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
                    #expect(String(decoding: texts[row], as: UTF8.self) == text && texts.count == 7)
                case .tags(let set):
                    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
                    #expect(String(decoding: texts[row], as: UTF8.self) == set.tags.joined(separator: "\u{1F}"))
                case nil: break
                }
            }
        }
        var needed = 7
        let wrong = unsafe kin_index_get_attribute(c.handle, "user", 0, some, 6, nil, 0, &needed, nil)
        #expect(wrong == kin_status(KIN_INVALID_ARGUMENT) && lastError().contains("user is declared as category"))
        let unknown = unsafe kin_index_get_attribute(c.handle, "usr", 2, some, 6, nil, 0, &needed, nil)
        #expect(
            unknown == kin_status(KIN_INVALID_ARGUMENT) && lastError().contains("did you mean user?") && needed == 7)
    }

    @Test func invalidTagsChangeNothing() throws {
        let kind = kin_attribute_kind(KIN_ATTRIBUTE_TAGS)
        for wrong in ["red\u{1F}", "\u{1F}\u{1F}", "a\nb"] {
            let status = unsafe with(["new", wrong]) {
                unsafe kin_index_set_attribute(c.handle, "tags", kind, [1, 2], 2, $0, nil)
            }
            #expect(status == kin_status(KIN_INVALID_ARGUMENT) && lastError().contains("row 1"), "\(lastError())")
        }
        #expect(try unsafe text { unsafe kin_index_attributes(c.handle, 1, $0) }.contains(#""tags":["red"]"#))
    }

    @Test func groupsAgreeWithSwift() throws {
        let queries: [Float] = (0..<16).map { Float($0) / 16 }
        for name in ["user", "visits"] {
            try unsafe name.withCString { group in
                var options = unsafe searchOptions(threads: 2)
                unsafe options.group_by = group
                for count in [1, 4] {
                    let expected = try swift.search(
                        Matrix(rows: count, columns: 4, elements: Array(queries.prefix(4 * count))), k: 50,
                        options: .init(groupBy: name))
                    let found = try unsafe search(c.handle, queries, count: count, k: 50, options: options)
                    #expect(found == Found((0..<count).map { Array(expected[$0]) }, k: 50), "\(name)")
                }
            }
        }
        for (group, words) in [("usr", "did you mean user?"), ("score", "score is a number")] {
            unsafe group.withCString { group in
                var options = unsafe searchOptions()
                unsafe options.group_by = group
                var ids = [UInt64](repeating: 7, count: 3)
                let status = unsafe kin_index_search(c.handle, queries, 1, 0, 3, &options, &ids, nil, nil)
                #expect(status == kin_status(KIN_INVALID_ARGUMENT) && lastError().contains(words) && ids == [7, 7, 7])
                var matches: OpaquePointer?
                let all = unsafe kin_index_range_search(c.handle, queries, 1, 0, 1, &options, &matches)
                #expect(all == kin_status(KIN_INVALID_ARGUMENT) && lastError().contains("leave group_by NULL"))
            }
        }
    }

    @Test func filtersAreCombined() throws {
        let user = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_expression("user = u3", $0) }
        let few = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_ids([3, 4, 9, 15, 400], 5, $0) }
        let both = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_and(user.handle, few.handle, $0) }
        let either = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_or(user.handle, few.handle, $0) }
        let neither = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_not(either.handle, $0) }
        let users = Set((0..<200).filter { $0 % 6 == 3 }.map { UInt64($0) })
        let all = [
            (both, users.intersection([3, 4, 9, 15])), (either, users.union([4])),
            (neither, Set(ids).subtracting(users.union([4]))),
        ]
        for (filter, expected) in all {
            var (found, count) = ([UInt64](repeating: 7, count: 200), 7)
            let status = unsafe kin_index_ids_where(c.handle, filter.handle, &found, 200, &count)
            #expect(status == kin_status(KIN_OK) && Array(found.prefix(count)) == expected.sorted(), "\(lastError())")
            #expect(unsafe kin_index_ids_where(c.handle, filter.handle, nil, 0, &count) == kin_status(KIN_OK))
            #expect(count == expected.count)
            let short = unsafe kin_index_ids_where(c.handle, filter.handle, &found, count - 1, &count)
            #expect(short == kin_status(KIN_INVALID_ARGUMENT))
        }
        // Each query has one of them, or none.
        let queries: [Float] = (0..<16).map { Float($0) / 16 }
        let filters: [OpaquePointer?] = unsafe [both.handle, nil, neither.handle, either.handle]
        let found = try unsafe filters.withUnsafeBufferPointer { filters in
            try unsafe search(
                c.handle, queries, count: 4, k: 200, options: searchOptions(filters: filters.baseAddress))
        }
        for row in 0..<4 {
            let query = Array(queries[4 * row..<4 * row + 4])
            let alone = try unsafe search(
                c.handle, query, count: 1, k: 200, options: searchOptions(filter: filters[row]))
            #expect(Array(found.ids[200 * row..<200 * row + 200]) == alone.ids && found.counts[row] == alone.counts[0])
            let one = try unsafe filters[row...row].withContiguousStorageIfAvailable { filters in
                try unsafe search(
                    c.handle, query, count: 1, k: 200, options: searchOptions(filters: filters.baseAddress))
            }
            #expect(one == alone)
        }
        var (made, count) = unsafe (OpaquePointer?.none, 7)
        unsafe refused(kin_filter_create_and(user.handle, nil, &made), "b must not be NULL")
        #expect(unsafe kin_filter_create_not(user.handle, nil) == kin_status(KIN_INVALID_ARGUMENT))
        #expect(unsafe kin_index_ids_where(c.handle, nil, nil, 0, &count) == kin_status(KIN_INVALID_ARGUMENT))
        unsafe filters.withUnsafeBufferPointer { filters in
            var options = unsafe searchOptions(filter: user.handle, filters: filters.baseAddress)
            var ids = [UInt64](repeating: 7, count: 4)
            #expect(
                unsafe kin_index_search(c.handle, queries, 4, 0, 1, &options, &ids, nil, nil)
                    == kin_status(KIN_INVALID_ARGUMENT))
            #expect(lastError().contains("exclude each other") && ids == [7, 7, 7, 7])
            unsafe options.filter = nil
            unsafe refused(kin_index_range_search(c.handle, queries, 4, 0, 1, &options, &made), "leave filters NULL")
        }
    }

    @Test func errorsNameTheCause() throws {
        var (id, value, bad, made) = unsafe (UInt64(1), Int64(5), Int64.max, OpaquePointer?.none)
        let integer = kin_attribute_kind(KIN_ATTRIBUTE_INTEGER)
        unsafe refused(kin_index_declare_attribute(c.handle, "id", 0), "id")
        unsafe refused(kin_index_declare_attribute(c.handle, "a", 7), "no kind 7")
        unsafe refused(kin_index_declare_attribute(c.handle, "user", integer), "user")
        func set(_ name: String, _ kind: kin_attribute_kind, _ values: UnsafeRawPointer?) -> kin_status {
            unsafe kin_index_set_attribute(c.handle, name, kind, &id, 1, values, nil)
        }
        refused(set("visits", integer, nil), "values must not be NULL")
        unsafe refused(set("none", integer, &value), "none")
        unsafe refused(set("score", integer, &value), "score")
        unsafe refused(set("start", kin_attribute_kind(KIN_ATTRIBUTE_TIME), &bad), "row 0")
        let backwards: [Int64] = [7, 3]
        unsafe refused(
            set("visit", kin_attribute_kind(KIN_ATTRIBUTE_TIME_RANGE), backwards), "row 0")
        id = 777
        unsafe refused(set("visits", integer, &value), "777", KIN_UNKNOWN_ID)
        unsafe refused(kin_filter_create_expression("user = ", &made), "character", KIN_MALFORMED_INPUT)
        #expect(unsafe made == nil)
        let strange = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_expression("mood = 1", $0) }
        unsafe refused(kin_index_prepare(c.handle, strange.handle, 1, &made), "mood")
        var options = unsafe searchOptions(filter: strange.handle)
        unsafe refused(
            kin_index_search(c.handle, [0, 0, 0, 0], 1, 0, 1, &options, &id, nil, nil), "mood")
        #expect(id == 777)
    }
}
