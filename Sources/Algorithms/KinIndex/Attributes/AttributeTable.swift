/// A table of attributes: typed columns that a filter reads sequentially, at 1 to 3 rows per nanosecond and condition.
///
/// Every row has an id and, for each attribute of the ``schema``, a value or no value. A table is a value type: a copy
/// costs O(1) and is a snapshot. The first write after a copy duplicates the 8,192 rows around the change and shares
/// the rest. Removed values are erased at once, and their slot is reused.
///
/// An index has its own table, with a row for each of its vectors (``VectorIndex/attributes``).
public struct AttributeTable: Sendable {
    /// The names and kinds of the attributes.
    public private(set) var schema: AttributeSchema
    private(set) var store: AttributeStore
    private(set) var map: IDMap
    /// One dictionary for each column of the store; empty for columns without categories.
    private(set) var dictionaries: [CategoryDictionary]
    /// The version of the content: two tables with the same version have the same rows.
    private(set) var version = ContentVersion()

    /// The number of rows in the table.
    public var count: Int { store.count }

    /// The ids of all rows, in storage order.
    ///
    /// - Complexity: O(n).
    public var ids: [VectorID] { (0..<store.count).map { store.id(at: $0) } }

    /// Whether the table has a row with this id.
    ///
    /// - Complexity: O(log n) at most.
    public func contains(_ id: VectorID) -> Bool { map.slot(of: id, in: store) != nil }

    /// The number of different strings in a category since the table was last compacted.
    ///
    /// - Throws: `.invalidArgument` if no attribute has this name, or if it is not a category.
    public func categoryCount(of name: String) throws(KinError) -> Int {
        let index = try index(of: name)
        guard schema.attributes[index].kind == .category else {
            throw KinError(.invalidArgument, "\(name) is \(schema.attributes[index].kind.inWords), not a category")
        }
        return dictionaries[store.layout.firstColumns[index]].count
    }

    // MARK: Values

    /// The value of one attribute in one row; nil if the value or the row is missing.
    ///
    /// - Throws: `.invalidArgument` if no attribute has this name.
    public func value(of name: String, for id: VectorID) throws(KinError) -> AttributeValue? {
        value(try index(of: name), for: id)
    }

    /// The value of the attribute at an index; see ``value(of:for:)``.
    func value(_ index: Int, for id: VectorID) -> AttributeValue? {
        map.slot(of: id, in: store).flatMap { value(index, slot: $0) }
    }

    /// The values of a row, by attribute name; nil if no row has the id.
    public func values(for id: VectorID) -> [String: AttributeValue]? {
        guard let slot = map.slot(of: id, in: store) else { return nil }
        var values: [String: AttributeValue] = [:]
        for (index, attribute) in schema.attributes.enumerated() { values[attribute.name] = value(index, slot: slot) }
        return values
    }

    /// All values of the rows of some ids, in the form that ``upsert(_:ids:)`` accepts. Values are missing for an id
    /// without a row.
    ///
    /// - Complexity: O(ids · attributes).
    public func columns(of ids: [VectorID]) -> [String: AttributeColumn] {
        let slots = ids.map { map.slot(of: $0, in: store) }
        var columns: [String: AttributeColumn] = [:]
        for (index, attribute) in schema.attributes.enumerated() { columns[attribute.name] = column(index, slots) }
        return columns
    }

    /// The values of one attribute in the rows of some ids, such as the results of a search. The value is missing for
    /// an id without a row.
    ///
    /// - Throws: `.invalidArgument` if no attribute has this name.
    public func column(_ name: String, of ids: [VectorID]) throws(KinError) -> AttributeColumn {
        column(try index(of: name), ids.map { map.slot(of: $0, in: store) })
    }

    private func column(_ index: Int, _ slots: [Int?]) -> AttributeColumn {
        AttributeColumn(schema.attributes[index].kind, slots.map { slot in slot.flatMap { value(index, slot: $0) } })
    }

    private func value(_ index: Int, slot: Int) -> AttributeValue? {
        let column = store.layout.firstColumns[index]
        guard let bits = store.value(column, slot: slot) else { return nil }
        switch schema.attributes[index].kind {
        case .integer: return .integer(Int64(bitPattern: bits))
        case .number: return .number(Double(bitPattern: bits))
        case .category: return dictionaries[column].string(bits).map { .category($0) }
        case .tags: return dictionaries[column].string(bits).map { .tags(TagSet(joined: $0)) }
        case .time: return .time(Timestamp(unchecked: Int64(bitPattern: bits)))
        case .boolean: return .boolean(bits != 0)
        case .timeRange:
            let end = store.value(column + 1, slot: slot) ?? bits
            return .timeRange(
                TimeRange(
                    unchecked: Timestamp(unchecked: Int64(bitPattern: bits)),
                    Timestamp(unchecked: Int64(bitPattern: end))))
        }
    }

    func index(of name: String) throws(KinError) -> Int {
        if let index = schema.index(of: name) { return index }
        throw schema.unknown(name)
    }
}

extension AttributeTable {
    /// Creates a table without rows.
    public init(schema: AttributeSchema = AttributeSchema()) {
        let store = AttributeStore(layout: AttributeLayout(schema))
        self.init(
            schema: schema, store: store, map: IDMap(),
            dictionaries: store.layout.columns.map { _ in CategoryDictionary() })
    }

    /// Changes the rows and renews the version.
    mutating func update<Result>(
        _ change: (inout AttributeStore, inout IDMap, inout [CategoryDictionary]) -> Result
    ) -> Result {
        if !isKnownUniquelyReferenced(&version) { version = ContentVersion() }
        return change(&store, &map, &dictionaries)
    }

    /// Adds the attributes of a schema that the table lacks. Their values are missing in every row.
    ///
    /// - Throws: `.invalidArgument` if an attribute already exists with a different kind, `.capacityExceeded` for too
    ///   many attributes; the table is unchanged then.
    /// - Complexity: O(n) if attributes are added.
    public mutating func declare(_ other: AttributeSchema) throws(KinError) {
        var wider = schema
        for attribute in other.attributes {
            guard let kind = wider[attribute.name] else {
                try wider.append(attribute.name, attribute.kind)
                continue
            }
            guard kind == attribute.kind else {
                throw KinError(
                    .invalidArgument,
                    "\(attribute.name) is already declared as \(kind.rawValue) and cannot become \(attribute.kind.rawValue)"
                )
            }
        }
        guard wider != schema else { return }
        schema = wider
        let layout = AttributeLayout(wider)
        update { store, _, dictionaries in
            store.extend(to: layout)
            while dictionaries.count < layout.columns.count { dictionaries.append(CategoryDictionary()) }
        }
    }
}

extension AttributeSchema {
    /// The error for a name that no attribute has.
    func unknown(_ name: String) -> KinError {
        let names = attributes.map(\.name)
        let hint: String
        if names.isEmpty {
            hint = "there are no attributes here"
        } else if let near = Spelling.nearest(to: name, in: names + [Self.id]) {
            hint = "did you mean \(near)?"
        } else {
            let list = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
            hint = "the attributes are \(list) and id"
        }
        return KinError(.invalidArgument, "no attribute is called \"\(name.prefix(Spelling.maximumBytes))\"; \(hint)")
    }
}

extension AttributeTable {
    /// The ids of the rows that an expression allows, in storage order.
    ///
    /// - Throws: `.invalidArgument` if the expression does not match the ``schema``.
    /// - Complexity: O(n · conditions), about 0.5 ns per row and condition.
    public func ids(where expression: FilterExpression) throws(KinError) -> [VectorID] {
        try selection(expression).ids
    }

    /// The number of rows that an expression allows; see ``ids(where:)``.
    public func count(where expression: FilterExpression) throws(KinError) -> Int { try selection(expression).count }

    /// Whether an expression allows an id. An id without a row lacks every attribute.
    ///
    /// - Throws: `.invalidArgument` if the expression does not match the ``schema``.
    public func allows(_ id: VectorID, where expression: FilterExpression) throws(KinError) -> Bool {
        try BoundFilter(expression, self).allows(id, slot: map.slot(of: id, in: store), in: store)
    }

    private func selection(_ expression: FilterExpression) throws(KinError) -> AttributeSelection {
        AttributeSelection(self, mask: try BoundFilter(expression, self).mask(store))
    }
}
