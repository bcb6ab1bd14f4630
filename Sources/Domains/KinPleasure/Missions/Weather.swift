extension MissionRequest {
    /// The weather, as far as it decides whether one wants to be outdoors.
    public enum Weather: String, Sendable, Hashable, CaseIterable {
        /// Sun or stars.
        case clear
        /// No rain, no sun.
        case cloudy
        /// Wind that one notices.
        case wind
        /// Rain.
        case rain
        /// Snow.
        case snow
        /// A storm.
        case storm
        /// So hot that one looks for shade.
        case heat
        /// So cold that one looks for warmth.
        case cold

        /// How pleasant it is to be outdoors, 0…1.
        ///
        /// A table by judgement, not by measurement: clear weather is the measure, a storm forbids.
        public var outdoors: Double {
            switch self {
            case .clear: 1
            case .cloudy: 0.9
            case .wind: 0.7
            case .snow: 0.5
            case .heat, .cold: 0.4
            case .rain: 0.25
            case .storm: 0
            }
        }
    }
}
