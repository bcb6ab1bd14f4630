extension RealmLibrary {
    /// The least number of images for a realm in a world: three zones of two scenes.
    public static let imagesPerRealm = 6

    /// Generates a world from a request.
    ///
    /// Realms are ranked by ¾ of their value for the goals plus ¼ of their match with the theme; without goals, by ⅘ of
    /// the match plus ⅕ of a random number. In each realm three to five zones are drawn among its clusters, weighted by
    /// the sum of their images' weights, s · (¼ + score for the goals). For each zone two to four scenes are drawn
    /// among its best images; three realms with enough images have 12 zones and 36 scenes. The score of an image for goals is that of ``RealmIndex/images(for:count:)``. No image
    /// occurs twice in a realm, nor in two realms while each has enough others.
    ///
    /// The first zone is joined to all other zones of its realm, adjacent zones are joined at random, and realms are
    /// joined by their most similar zones.
    ///
    /// - Throws: `.invalidArgument` for a parameter out of its range, and for too few images, with the number of
    ///   missing images.
    /// - Complexity: O(images of the realms · log).
    public func world(_ request: WorldRequest) throws(KinError) -> RealmWorld {
        try check(request)
        let scores = index.goalScores(for: request.goals)
        let ranked = rankedRealms(request, scores)
        let chosen = try choose(from: ranked, request)
        var generator = SeededGenerator.stream(1, of: request.seed)
        var used: Set<Int> = []
        var sizes = ZoneSizes()
        let plans = chosen.map {
            RealmPlan(
                of: index.realms[$0.realm], in: self, goalScores: request.goals.isEmpty ? nil : scores, avoiding: &used,
                sizes: &sizes, &generator)
        }
        let scenes = plans.reduce(0) { $0 + $1.zones.reduce(0) { $0 + $1.images.count } }
        let minutes = rounded(Double(request.minutes) / Double(scenes))
        let realms = zip(chosen, plans).enumerated().map { number, part in
            RealmWorld.Realm(
                id: "r\(number + 1)", type: part.1.type, match: rounded(part.0.match),
                goalValue: rounded(part.0.goalValue),
                zones: zones(part.1, realm: "r\(number + 1)", minutes: minutes, request))
        }
        let words = Self.themeWords(request.theme)
        let isKnown = request.theme.isEmpty || index.realms.contains { themeMatch($0, words) > 0 }
        var resolved = request
        resolved.realms = realms.count
        return RealmWorld(
            request: resolved, realms: realms, paths: paths(among: realms, &generator), isThemeKnown: isKnown)
    }

    private func check(_ request: WorldRequest) throws(KinError) {
        guard !request.name.isEmpty else {
            throw .field("name", "the world has no name")
        }
        try KinError.requireCount(request.minutes, "minutes", from: 1, upTo: 1440)
        try KinError.requireCount(request.realms ?? 1, "realms", from: 1, upTo: 1000)
    }

    // MARK: Realms

    /// A realm of the index with its ranking.
    private struct Candidate {
        let realm: Int
        let match: Double
        let goalValue: Double
    }

    /// The realms with images, by descending match, ties by type.
    private func rankedRealms(_ request: WorldRequest, _ scores: [Double]) -> [Candidate] {
        var generator = SeededGenerator.stream(0, of: request.seed)
        let words = Self.themeWords(request.theme)
        let candidates = index.realms.indices.filter { !index.realms[$0].entries.isEmpty }.map { number in
            let realm = index.realms[number]
            let value = RealmIndex.value(of: realm, scores: scores)
            let theme = themeMatch(realm, words)
            let match = request.goals.isEmpty ? 0.8 * theme + 0.2 * generator.uniform() : 0.75 * value + 0.25 * theme
            return Candidate(realm: number, match: match, goalValue: value)
        }
        return candidates.sorted { ($1.match, $0.realm) < ($0.match, $1.realm) }
    }

    /// The moods of images that match a noun in a theme.
    private static let moods = [
        "serenity": ["serene", "peaceful", "tranquil", "calm"], "peace": ["peaceful"], "calmness": ["calm"],
        "tranquility": ["tranquil"], "joy": ["joyful"], "hope": ["hopeful"], "warmth": ["warm"],
        "mystery": ["mysterious"],
    ]

    /// The words of a theme, with the moods of its nouns.
    private static func themeWords(_ theme: String) -> Set<String> {
        let words = words(theme)
        return words.union(words.flatMap { moods[$0] ?? [] })
    }

    /// The words of a text in lower case, without a plural s, and the plain form of the whole text: `night sky` is a
    /// word of `nightSky`.
    private static func words(_ text: String) -> Set<String> {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        let plain = Spelling.plain(text)
        return Set(words.map { String($0.count > 3 && $0.last == "s" ? $0.dropLast() : $0) })
            .union(plain.isEmpty ? [] : [plain])
    }

    /// The match of a realm with a theme: 1 if the theme contains the realm type, else the share of its images whose
    /// cluster or mood the theme contains.
    private func themeMatch(_ realm: RealmIndex.Realm, _ words: Set<String>) -> Double {
        func names(_ text: String) -> Bool { !Self.words(text).isDisjoint(with: words) }
        guard !words.isEmpty, !realm.entries.isEmpty else { return 0 }
        if names(realm.type) { return 1 }
        let fitting = clusters.clusters.map { cluster in cluster.topCategories.prefix(3).contains { names($0.category) }
        }
        let count = realm.entries.count {
            let image = index.images[$0.image]
            return fitting[image.cluster] || (image.mood.map(names) ?? false)
        }
        return Double(count) / Double(realm.entries.count)
    }

    /// Chooses the best realms with enough images.
    private func choose(from ranked: [Candidate], _ request: WorldRequest) throws(KinError) -> [Candidate] {
        let need = Self.imagesPerRealm
        let able = ranked.filter { index.realms[$0.realm].entries.count >= need }
        let wanted = request.realms ?? max(1, min(5, (request.minutes + 3) / 7, able.count))
        guard able.count < wanted else { return Array(able.prefix(wanted)) }
        // The smallest sufficient number of images: first for the largest of the other realms, then for new realm
        // types.
        let short = ranked.map { index.realms[$0.realm].entries.count }.filter { $0 < need }.sorted(by: >)
        let missing = (0..<wanted - able.count).reduce(0) { $0 + need - ($1 < short.count ? short[$1] : 0) }
        throw KinError(
            .invalidArgument,
            """
            a world of \(Plural.count(wanted, "realm")) needs \(Plural.count(wanted, "realm type")) with at least \(need) images each; \
            there \(able.count == 1 ? "is" : "are") \(able.count): add \(Plural.count(missing, "image"))\
            \(able.isEmpty ? "" : ", or ask for fewer realms")
            """)
    }

    // MARK: Zones

    private func zones(_ plan: RealmPlan, realm: String, minutes: Double, _ request: WorldRequest) -> [RealmWorld.Zone]
    {
        plan.zones.enumerated().map { number, zone in
            let id = "\(realm).z\(number + 1)"
            return RealmWorld.Zone(
                id: id, name: clusters.clusters[zone.cluster].name, direction: RealmWorld.Direction.allCases[number],
                cluster: zone.cluster, isGatheringPlace: request.isCollaborative && number == 0,
                scenes: zone.images.enumerated().map { position, image in
                    scene("\(id).s\(position + 1)", of: index.images[image], minutes: minutes)
                })
        }
    }

    private func scene(_ id: String, of image: RealmIndex.Image, minutes: Double) -> RealmWorld.Scene {
        RealmWorld.Scene(
            id: id, image: image.id, mood: image.mood, minutes: minutes,
            overlays: (image.mood.flatMap { ImageMood($0) } ?? .neutral).overlays, values: image.values,
            objects: image.objects.enumerated().map { position, object in
                RealmWorld.Object(
                    id: "\(id).o\(position + 1)", name: object.name, category: object.category, number: object.number,
                    detail: object.detail)
            })
    }

    // MARK: Paths

    private func paths(among realms: [RealmWorld.Realm], _ generator: inout SeededGenerator) -> [RealmWorld.Path] {
        var paths: [RealmWorld.Path] = []
        for realm in realms {
            let (centre, round) = (realm.zones[0], realm.zones.dropFirst())
            paths += round.map { RealmWorld.Path(from: centre.id, to: $0.id, isPortal: false) }
            for (zone, next) in zip(round, round.dropFirst()) where generator.below(2) == 0 {
                paths.append(RealmWorld.Path(from: zone.id, to: next.id, isPortal: false))
            }
        }
        for (realm, next) in zip(realms, realms.dropFirst()) { paths.append(portal(from: realm, to: next)) }
        // Three realms or more form a cycle.
        if realms.count > 2 { paths.append(portal(from: realms[realms.count - 1], to: realms[0])) }
        return paths
    }

    /// A path between the most similar zones of two realms.
    private func portal(from realm: RealmWorld.Realm, to other: RealmWorld.Realm) -> RealmWorld.Path {
        var best = (distance: Double.infinity, from: realm.zones[0].id, to: other.zones[0].id)
        for zone in realm.zones {
            for next in other.zones {
                let distance = squaredDistance(
                    clusters.centroids.row(zone.cluster), clusters.centroids.row(next.cluster))
                if distance < best.distance { best = (distance, zone.id, next.id) }
            }
        }
        return RealmWorld.Path(from: best.from, to: best.to, isPortal: true)
    }
}
