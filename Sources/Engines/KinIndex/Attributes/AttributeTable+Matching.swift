public import KinCore

extension AttributeTable {
    /// The ids of the rows that an expression allows, in storage order.
    ///
    /// - Throws: `.invalidArgument` when the expression does not fit the ``schema``.
    /// - Complexity: O(n · conditions), some 0.5 ns a row and condition.
    public func ids(where expression: FilterExpression) throws(KinError) -> [VectorID] {
        try selection(expression).ids
    }

    /// How many rows an expression allows; see ``ids(where:)``.
    public func count(where expression: FilterExpression) throws(KinError) -> Int { try selection(expression).count }

    /// Whether an expression allows an id. One that has no row lacks every attribute.
    ///
    /// - Throws: `.invalidArgument` when the expression does not fit the ``schema``.
    public func allows(_ id: VectorID, where expression: FilterExpression) throws(KinError) -> Bool {
        try BoundFilter(expression, self).allows(id, slot: map.slot(of: id, in: store), in: store)
    }

    private func selection(_ expression: FilterExpression) throws(KinError) -> AttributeSelection {
        AttributeSelection(self, mask: try BoundFilter(expression, self).mask(store))
    }
}
