public import KinCore
public import KinLinearAlgebra

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
    /// - Complexity: O(n · (dimension + log n)). A name of a first load takes about 0.4 µs more than a number, a later
    ///   one 0.7 µs.
    @discardableResult
    public mutating func upsert(
        _ vectors: Matrix<Float>, names: [String], attributes columns: [String: AttributeColumn] = [:], threads: Int = 1
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
            for name in names.dropFirst(used) {
                let place = nameTable.place(of: name)
                if let id = place.id ?? savedID(of: name) {
                    ids.append(id)
                } else {
                    nameTable.insert(name, for: fresh[used], at: place)
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
    public func id(of name: String) -> VectorID? { nameTable.place(of: name).id ?? savedID(of: name) }

    private func savedID(of name: String) -> VectorID? {
        nameTable.saved?.id(of: name).flatMap { contains($0) ? $0 : nil }
    }

    /// The name of the vector with this id; nil if the index has no such vector or no names.
    ///
    /// - Complexity: O(log n) at most.
    public func name(of id: VectorID) -> String? {
        if let name = nameTable.laterName(of: id) { return name }
        guard let saved = nameTable.saved, contains(id) else { return nil }
        return saved.name(of: id)
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

    private static func requireDistinct(_ ids: [VectorID], _ names: [String]) throws(KinError) {
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
    static func requireNames(_ names: [String]) throws(KinError) {
        for (row, name) in names.enumerated() {
            guard let problem = NameFormat.problem(name) else { continue }
            let shown = VisibleText.escapedLine(String(name.unicodeScalars.prefix(80)))
            throw KinError(.invalidArgument, "the id \"\(shown)\" is invalid: \(problem)").within("row", row)
        }
    }
}
