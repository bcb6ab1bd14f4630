extension PersonGenerator {
    /// Generates inventory items in and around a city, denser towards its centre.
    ///
    /// - Parameters:
    ///   - count: The number of items.
    ///   - centre: The centre of the city.
    ///   - kilometers: The standard deviation of the distance along each axis, in kilometres.
    /// - Precondition: `count` is 0 or more, and `kilometers` is finite.
    public func inventory(count: Int, around centre: GeographicCoordinates, kilometers: Double = 10) -> [InventoryItem]
    {
        // A separate stream from that of the people.
        var generator = SeededGenerator.stream(UInt64.max, of: seed)
        return (0..<count).map { number in
            let kind = InventoryItem.Kind.allCases[[0, 0, 0, 1, 1, 2][generator.below(6)]]
            let access = InventoryItem.Access.allCases[generator.below(4)]
            let status = InventoryItem.Status.allCases[[0, 0, 0, 0, 1, 2][generator.below(6)]]
            let north = generator.normalDeviate() * kilometers / 111.2
            let east = generator.normalDeviate() * kilometers / 111.2
            let location = Self.moved(centre, north: north, east: east)
            let affordances = Self.affordances(&generator)
            let times = Self.times(&generator)
            return infallible("the generator's own records are right") { () throws(KinError) in
                try InventoryItem(
                    id: "i\(number)", name: "\(kind.name) \(number)", kind: kind, access: access, location: location,
                    status: status, affordances: affordances, times: times)
            }
        }
    }

    /// Coordinates offset from a centre by degrees of arc, clamped to the valid ranges.
    private static func moved(_ centre: GeographicCoordinates, north: Double, east: Double) -> GeographicCoordinates {
        let latitude = min(max(centre.latitude + north, -90), 90)
        // A degree of longitude is shorter near the poles; five decimals are a metre.
        let width = max(0.01, 1 - abs(latitude) / 90)
        var longitude = (centre.longitude + east / width).truncatingRemainder(dividingBy: 360)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return infallible("it was kept on the map") { () throws(KinError) in
            try GeographicCoordinates(
                latitude: (latitude * 1e5).rounded() / 1e5, longitude: (longitude * 1e5).rounded() / 1e5)
        }
    }

    private static func affordances(_ generator: inout SeededGenerator) -> [Affordance] {
        let senses = ["sight", "hearing", "touch", "smell", "taste", "balance"]
        let contexts = ["indoors", "outdoors", "solitude", "company", "drift", "mastery", nil]
        var list: [Affordance] = (0..<1 + generator.below(2)).map { _ in
            .sense(
                senses[generator.below(senses.count)],
                intensity: Affordance.Intensity.allCases[generator.below(3)],
                context: contexts[generator.below(contexts.count)])
        }
        let dimensions = generator.shuffledDimensions().prefix(1 + generator.below(4))
        list.append(.pleasures(dimensions.sorted()))
        return list
    }

    private static func times(_ generator: inout SeededGenerator) -> TemporalTags {
        let slots = DayPart.allCases.filter { _ in generator.below(5) < 3 }
        let least = Double(5 * (1 + generator.below(12)))
        let most = least + Double(15 * (1 + generator.below(8)))
        let seasons =
            generator.below(3) == 0
            ? TemporalTags.Season.allCases.filter { _ in generator.below(4) < 3 } : TemporalTags.Season.allCases
        return infallible("the generator's own records are right") { () throws(KinError) in
            try TemporalTags(
                bestTimes: slots, durationRange: least...most,
                seasons: seasons.isEmpty ? TemporalTags.Season.allCases : seasons)
        }
    }
}
