/// A list of ids in text form: single ids and ranges, `1,2,10-19`.
package struct IDList: Sendable, Equatable {
    /// Inclusive ranges, in the given order; they may overlap.
    package var ranges: [ClosedRange<UInt64>] = []

    /// Creates an empty list.
    package init() {}

    /// Reads `1,2,10-19`; nil if any part is neither an id nor a range.
    package init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = IDList.range(part) else { return nil }
            ranges.append(range)
        }
    }

    /// Reads `7` or `10-19`.
    private static func range(_ text: some StringProtocol) -> ClosedRange<UInt64>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
            UInt64(String($0).filter { !$0.isWhitespace })
        }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else {
            return nil
        }
        return last == VectorID.none.rawValue ? nil : first...last
    }

    /// The filter that allows exactly these ids.
    ///
    /// A short list becomes a list of ids, so the index reads only those rows; long ranges become conditions.
    package var filter: SearchFilter {
        var total: UInt64 = 0
        for range in ranges {
            let (sum, overflow) = total.addingReportingOverflow(range.upperBound - range.lowerBound)
            total = overflow ? .max : sum
        }
        if total < 100_000 { return .ids(ranges.joined().map { VectorID($0) }) }
        let ranges = ranges
        return .predicate { id in ranges.contains { $0.contains(id.rawValue) } }
    }

    /// The listed ids that an index contains, in the given order, each once.
    package func members(of index: VectorIndex) -> [VectorID] {
        var seen: Set<VectorID> = []
        var members: [VectorID] = []
        for range in ranges {
            // A range larger than the index is searched by the index's ids.
            let isWide = range.upperBound - range.lowerBound >= UInt64(index.count)
            let candidates =
                isWide
                ? index.ids.filter { range.contains($0.rawValue) }.sorted()
                : range.lazy.map { VectorID($0) }.filter { index.contains($0) }
            for id in candidates where seen.insert(id).inserted { members.append(id) }
        }
        return members
    }
}

extension SearchFilter {
    /// Creates the filter of a list of ids and a condition, both optional.
    package init(among ids: IDList?, where condition: FilterExpression?) {
        switch (ids, condition) {
        case (let ids?, let condition?): self = .matching(condition) && ids.filter
        case (let ids?, nil): self = ids.filter
        case (nil, let condition?): self = .matching(condition)
        case (nil, nil): self = .all
        }
    }
}
