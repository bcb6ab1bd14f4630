extension RealmWorld.Realm {
    /// The names of the zones by id, for people.
    ///
    /// A zone is called after its cluster, so several may have one name: each of these then says what its scenes show more of than
    /// those of the others, "fern & moss with mushroom".
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
    /// The share of the objects of the zone's scenes that is of each category.
    fileprivate var categoryShares: [String: Double] {
        let categories = scenes.flatMap { $0.objects.map(\.category) }
        return Dictionary(categories.map { ($0, 1 / Double(categories.count)) }, uniquingKeysWith: +)
    }
}
