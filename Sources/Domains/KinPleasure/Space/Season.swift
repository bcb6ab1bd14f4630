extension TemporalTags {
    /// A season of the year.
    public enum Season: Int, Sendable, Hashable, CaseIterable {
        /// March to May in the north.
        case spring
        /// June to August in the north.
        case summer
        /// September to November in the north.
        case autumn
        /// December to February in the north.
        case winter

        /// The name in files and JSON.
        public var name: String { Self.names[rawValue] }

        /// All names, in the order of the year.
        public static let names = ["spring", "summer", "autumn", "winter"]

        /// The season with this name, or nil when there is none.
        public init?(name: String) {
            guard let place = Self.names.firstIndex(of: name) else { return nil }
            self = Self.allCases[place]
        }
    }
}
