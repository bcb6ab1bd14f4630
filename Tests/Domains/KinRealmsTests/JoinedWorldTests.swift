import KinRealms
import KinTestSupport
import Testing

/// Zones and stories made by other people, in a world.
@Suite struct JoinedWorldTests {
    private func zone(
        _ id: String, realm: String, values: [TherapeuticGoal: Float] = [:], name: String = "Moon pool"
    ) -> RealmWorld.ContributedZone {
        var all = GoalValues()
        for (goal, value) in values { all[goal] = value }
        return RealmWorld.ContributedZone(
            id: id, name: name, realm: realm, attribution: "from Peaceful Wanderer #4721, a soul mirror",
            isDiscovered: false, values: all, scenes: ["tide"], sceneCount: 1, overlays: ["mist"])
    }

    private func story(_ id: String, trigger: String) -> RealmWorld.ContributedStory {
        RealmWorld.ContributedStory(
            id: id, title: "The shell", text: "Once", narrativeType: "fable", trigger: trigger,
            attribution: "from Quiet Owl #0001, a kindred spirit", isDiscovered: true)
    }

    /// For many worlds and zones: portals lead to the nearest zone of the realm, and every zone is reachable.
    @Test func zonesAreJoinedToTheNearestOfTheirRealm() throws {
        var random = SeededGenerator(seed: TestSeed.value)
        let library = try SampleImages.library(400)
        for number in UInt64(0)..<100 {
            let world = try library.world(
                WorldRequest(name: "W", goals: [.sleep], realms: 1 + random.below(4), seed: number))
            let types = world.realms.map(\.type) + ["nowhere"]
            let zones = (0..<random.below(6)).map { i in
                zone(
                    "z\(i)", realm: types[random.below(types.count)].uppercased().replacing("_", with: " "),
                    values: Dictionary(
                        uniqueKeysWithValues: TherapeuticGoal.allCases.map { ($0, Float(random.uniform())) }))
            }
            let joined = world.joined(by: zones)
            #expect(joined.unreachableZones == 0 && joined.contributedZones == zones, "\(number)")
            #expect(joined.realms == world.realms && joined.paths.count == world.paths.count + zones.count)
            for zone in zones {
                let path = try #require(joined.paths.first { $0.to == zone.id })
                #expect(path.isPortal)
                let own = world.realms.filter { $0.type.uppercased().replacing("_", with: " ") == zone.realm }
                let candidates = (own.isEmpty ? world.realms : own).flatMap(\.zones)
                func distance(_ candidate: RealmWorld.Zone) -> Double {
                    TherapeuticGoal.allCases.map { goal in
                        let mean =
                            candidate.scenes.map { Double($0.values[goal]) }.reduce(0, +)
                            / Double(candidate.scenes.count)
                        return (mean - Double(zone.values[goal])) * (mean - Double(zone.values[goal]))
                    }.reduce(0, +)
                }
                let chosen = try #require(candidates.first { $0.id == path.from }, "\(number)")
                #expect(candidates.allSatisfy { distance($0) >= distance(chosen) - 1e-12 }, "\(number)")
            }
            #expect(try RealmWorld(json: joined.json) == joined)
            // Joining again changes nothing. With fewer zones the others disappear, and without any zone the world is
            // the original.
            #expect(joined.joined(by: zones) == joined)
            #expect(joined.joined(by: []) == world && joined.joined(by: []).json == world.json)
        }
    }

    @Test func storiesAreAttachedToTheirTriggerZone() throws {
        let world = try SampleImages.library(400).world(WorldRequest(name: "W", goals: [.sleep], realms: 2, seed: 3))
        let second = world.realms[1].zones[1]
        let called = try #require(world.realms[1].zoneNames[second.id])
        let joined = world.joined(
            by: [zone("a", realm: world.realms[0].type, name: "Moon Pool")],
            stories: [
                story("s1", trigger: "moon-pool"), story("s2", trigger: second.id),
                story("s3", trigger: called.uppercased()),
                story("s4", trigger: "nowhere"), story("s5", trigger: ""),
            ])
        let zones = joined.contributedStories.map(\.zone)
        #expect(zones[0] == "c.a" && zones[1] == second.id && zones[3] == nil && zones[4] == nil)
        #expect(zones[2].flatMap { id in world.zones.first { $0.id == id } }?.name == second.name)
        #expect(joined.contributedStories.map(\.id) == ["c.s1", "c.s2", "c.s3", "c.s4", "c.s5"])
        #expect(try RealmWorld(json: joined.json) == joined)
    }

    @Test func wrongContributionsOfAWorldAreRefused() throws {
        let world = try SampleImages.library(300).world(WorldRequest(name: "W", goals: [.sleep], realms: 1, seed: 3))
            .joined(by: [zone("a", realm: "x")], stories: [story("s", trigger: "Moon pool")])
        for (right, wrong) in [
            ("\"id\":\"c.a\"", "\"id\":\"a\""), ("\"to\":\"c.a\"", "\"to\":\"c.b\""),
            ("\"zone\":\"c.a\"", "\"zone\":\"c.b\""),
        ] {
            #expect(world.json.contains(right))
            #expect(throws: KinError.self, "\(wrong)") {
                try RealmWorld(json: world.json.replacing(right, with: wrong))
            }
        }
    }
}
