/// Names: texts that serve as ids, such as UUIDs and slugs.
///
/// The first load of an empty index decides whether its vectors have names. If so, the index chooses an id for each name
/// when it first receives the name, and never gives an id to a different name. All other calls use these ids: searches
/// return them, and ``name(of:)`` and ``id(of:)`` convert.
///
///     try index.upsert(vectors, names: ["b2f1…", "9c07…"])
///     let nearest = try index.search(query, k: 10).map { index.name(of: $0.id) }
///
/// A name is a text of 1 to 1,024 bytes of UTF-8 without control or invisible characters. Two names are the same if
/// their bytes are equal.
extension VectorIndex {
    /// Whether the vectors have names.
    public var hasNames: Bool { !nameTable.isEmpty }

    /// Inserts vectors under new names and replaces the vectors of existing names.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - names: n different names.
    ///   - columns: The values by attribute name; see ``upsert(_:ids:attributes:threads:)``.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Returns: The ids of the names.
    /// - Throws: As ``upsert(_:ids:attributes:threads:)``, and `.invalidArgument` for a text that is not a name, with
    ///   the row, or if the index has vectors without names. The index is unchanged then.
    /// - Complexity: O(n · (dimension + log n)). A name of a first load takes about 0.1 µs more than a number, a later
    ///   one 0.7 µs.
    @discardableResult
    public mutating func upsert(
        _ vectors: Matrix<Float>, names: [String], attributes columns: [String: AttributeColumn] = [:], threads: Int = 1
    ) throws(KinError) -> [VectorID] {
        try upsert(vectors, names: TextList(names), attributes: columns, threads: threads)
    }

    /// Inserts and replaces vectors; see ``upsert(_:names:attributes:threads:)``.
    package mutating func upsert(
        _ vectors: Matrix<Float>, names: TextList, attributes columns: [String: AttributeColumn] = [:], threads: Int
    ) throws(KinError) -> [VectorID] {
        guard hasNames || isEmpty else { throw Self.idsAreNumbers }
        try attributes.check(columns, rows: names.count)
        let fresh = try [VectorID](fresh: nextID, count: names.count)
        var (ids, used): ([VectorID], Int) = ([], 0)
        ids.reserveCapacity(names.count)
        try Self.requireNames(names)
        do throws(KinError) {
            if !hasNames {
                if let row = nameTable.load(names, ids: fresh) { throw Self.twice(names[row], row) }
                (ids, used) = (fresh, names.count)
            }
            for row in used..<names.count {
                let place = unsafe nameTable.place(of: names.utf8(at: row))
                if let id = place.id ?? (nameTable.saved == nil ? nil : savedID(of: names[row])) {
                    ids.append(id)
                } else {
                    unsafe nameTable.insert(names.utf8(at: row), for: fresh[used], at: place)
                    ids.append(fresh[used])
                    used += 1
                }
            }
            if used < names.count { try Self.requireDistinct(ids, names) }
            try put(vectors, ids: ids, threads: threads)
        } catch {
            if isEmpty { nameTable = NameTable() }
            for id in fresh.prefix(used).reversed() { nameTable.remove(id) }
            throw error
        }
        updateAttributes { $0.write(columns, ids: ids) }
        return ids
    }

    /// Inserts or replaces one vector; see ``upsert(_:names:attributes:threads:)``.
    @discardableResult
    public mutating func upsert(_ vector: [Float], name: String) throws(KinError) -> VectorID {
        try upsert(Matrix(rows: 1, columns: vector.count, elements: vector), names: [name])[0]
    }

    /// Removes vectors by their names.
    ///
    /// - Returns: The number of vectors removed; names without a vector are skipped.
    @discardableResult
    public mutating func remove(names: some Sequence<String>) -> Int { remove(names.compactMap(id(of:))) }

    /// The id of the vector with this name; nil if there is none.
    ///
    /// - Complexity: O(1) for names added since the index was opened, O(log n) for names in its file.
    public func id(of name: String) -> VectorID? { nameTable.laterID(of: name) ?? savedID(of: name) }

    private func savedID(of name: String) -> VectorID? {
        nameTable.saved?.id(of: name).flatMap { contains($0) ? $0 : nil }
    }

    /// The name of the vector with this id; nil if the index has no such vector or no names.
    ///
    /// - Complexity: O(log n) at most.
    public func name(of id: VectorID) -> String? {
        unsafe utf8(of: id).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of the name of an id, which are valid until the index changes; nil as for ``name(of:)``.
    private func utf8(of id: VectorID) -> UnsafeBufferPointer<UInt8>? {
        if let name = unsafe nameTable.laterName(of: id) { return unsafe name }
        guard let saved = nameTable.saved, contains(id) else { return nil }
        return unsafe saved.name(of: id)
    }

    /// Writes the names of ids, each with a 0 after it, if there is room for all; an id without a name has an empty one.
    ///
    /// - Returns: The number of bytes of the names.
    package func write(namesOf ids: UnsafeBufferPointer<UInt64>, to room: UnsafeMutableBufferPointer<CChar>) -> Int {
        // Finding the names first lets the processor read several of these distant places at the same time.
        let names = unsafe ids.map { unsafe utf8(of: VectorID($0)) ?? UnsafeBufferPointer(start: nil, count: 0) }
        let needed = unsafe names.reduce(ids.count) { $0 + $1.count }
        guard needed <= room.count, var end = UnsafeMutableRawPointer(room.baseAddress) else { return needed }
        for row in unsafe names.indices {
            let name = unsafe names[row]
            if let bytes = name.baseAddress { unsafe end.copyMemory(from: bytes, byteCount: name.count) }
            unsafe end.storeBytes(of: 0, toByteOffset: name.count, as: UInt8.self)
            unsafe end += name.count + 1
        }
        return needed
    }

    /// The names in the order of ``ids``; nil if the vectors have none.
    ///
    /// - Throws: `.corruptFile` if the index, opened from a damaged file, has a vector without a name.
    func names() throws(KinError) -> [String]? {
        guard hasNames else { return nil }
        return try ids.map { id throws(KinError) in
            guard let name = name(of: id) else { throw .corrupt("the vector \(id) has no name") }
            return name
        }
    }

    func requireNoNames() throws(KinError) {
        if hasNames { throw Self.idsAreTexts }
    }

    static var idsAreNumbers: KinError {
        KinError(.invalidArgument, "the ids of this index are numbers, not texts: use numbers, or start a new index")
    }

    static var idsAreTexts: KinError {
        KinError(.invalidArgument, "the ids of this index are texts, not numbers: give each vector a text as id")
    }

    /// Takes the names of an index with the same ids.
    mutating func takeNames(of other: VectorIndex) {
        nameTable = other.nameTable
        reserveIDs(upTo: other.nextID &- 1)
    }

    private static func requireDistinct(_ ids: [VectorID], _ names: TextList) throws(KinError) {
        var seen = IDSet(capacity: ids.count)
        guard let row = ids.firstIndex(where: { !seen.insert($0) }) else { return }
        throw twice(names[row], row)
    }

    static func twice(_ name: String, _ row: Int) -> KinError {
        KinError(.duplicateID, "the id \(name) is given twice; give each vector its own id").within("row", row)
    }

    /// Requires that every text can be a name.
    ///
    /// - Throws: `.invalidArgument` with the row.
    static func requireNames(_ names: TextList) throws(KinError) {
        for row in 0..<names.count {
            guard let problem = unsafe NameFormat.problem(names.utf8(at: row)) else { continue }
            let shown = VisibleText.escapedLine(String(names[row].unicodeScalars.prefix(80)))
            throw KinError(.invalidArgument, "the id \"\(shown)\" is invalid: \(problem)").within("row", row)
        }
    }
}
