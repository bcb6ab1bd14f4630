extension RealmWorld.Realm {
    /// The names of the zones for display, by id.
    ///
    /// A zone is named after its cluster, so several zones may have the same name. The category that most distinguishes
    /// the zone is then added to the name: "fern & moss with mushroom".
    public var zoneNames: [String: String] {
        var names: [String: String] = [:]
        for (name, alike) in Dictionary(grouping: zones, by: \.name) {
            let shares = alike.map(\.categoryShares)
            var taken = Set(name.split(separator: " ").map(String.init))
            for (number, zone) in alike.enumerated() {
                guard alike.count > 1 else {
                    names[zone.id] = name
                    continue
                }
                func lead(_ category: String) -> Double {
                    let others = shares.indices.filter { $0 != number }.map { shares[$0][category] ?? 0 }
                    return (shares[number][category] ?? 0) - (others.max() ?? 0)
                }
                let own = shares[number].keys.filter { !taken.contains($0) }
                let best = own.map { (lead($0), $0) }.min { ($1.0, $0.1) < ($0.0, $1.1) }?.1
                if let best { taken.insert(best) }
                names[zone.id] = best.map { "\(name) with \($0)" } ?? "\(name) \(number + 1)"
            }
        }
        return names
    }
}

extension RealmWorld.Zone {
    /// The share of each category among the objects of the zone's scenes.
    fileprivate var categoryShares: [String: Double] {
        let categories = scenes.flatMap { $0.objects.map(\.category) }
        return Dictionary(categories.map { ($0, 1 / Double(categories.count)) }, uniquingKeysWith: +)
    }
}
