import Foundation
import KinSamples
import KinTestSupport
import Testing

@Suite struct WorldTests {
    /// The rules of every world, for a thousand seeds with all kinds of requests.
    @Test func manyWorldsFollowTheRules() throws {
        let library = try SampleImages.library(500)
        let objects = Dictionary(
            uniqueKeysWithValues: library.index.images.map { ($0.id, $0.objects) })
        let listed = Dictionary(
            uniqueKeysWithValues: library.index.realms.map { realm in
                (realm.type, Set(realm.entries.map { library.index.images[$0.image].id }))
            })
        var seen: Set<String> = []
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator.stream(7, of: seed)
            let goals = TherapeuticGoal.allCases.filter { _ in random.below(6) == 0 }
            let request = WorldRequest(
                name: "World \(seed)", theme: random.below(3) == 0 ? "a walk on the shore" : "", goals: goals,
                minutes: 1 + random.below(180), isCollaborative: random.below(2) == 0,
                realms: random.below(2) == 0 ? 1 + random.below(5) : nil, seed: seed)
            let world = try library.world(request)
            #expect(try library.world(request).json == world.json && RealmWorld(json: world.json) == world)
            #expect(seen.insert(world.json).inserted, "seed \(seed) gives an earlier world")
            #expect(world.realms.count == request.realms ?? max(1, min(5, (request.minutes + 3) / 7)), "seed \(seed)")
            #expect(world.unreachableZones == 0, "seed \(seed)")
            let ids = world.zones.map(\.id)
            #expect(Set(ids).count == ids.count)
            #expect(world.paths.allSatisfy { ids.contains($0.from) && ids.contains($0.to) && $0.from != $0.to })
            for realm in world.realms {
                #expect((3...5).contains(realm.zones.count), "seed \(seed)")
                #expect(realm.zones.map(\.direction) == Array(RealmWorld.Direction.allCases.prefix(realm.zones.count)))
                #expect(realm.zones[0].isGatheringPlace == request.isCollaborative)
                let images = realm.zones.flatMap(\.scenes).map(\.image)
                #expect(Set(images).count == images.count, "seed \(seed): an image twice in \(realm.type)")
                #expect(images.allSatisfy { listed[realm.type]!.contains($0) }, "seed \(seed)")
                for zone in realm.zones {
                    #expect((2...4).contains(zone.scenes.count) && zone.id.hasPrefix(realm.id + "."), "seed \(seed)")
                }
            }
            for scene in world.scenes {
                #expect(scene.objects.map(\.name) == objects[scene.image]!.map(\.name))
                #expect(scene.objects.allSatisfy { $0.id.hasPrefix(scene.id + ".o") })
                #expect(scene.objects.map(\.detail) == objects[scene.image]!.map(\.detail))
                #expect(!scene.overlays.isEmpty && scene.overlays.allSatisfy { $0.intensity > 0 && $0.intensity <= 1 })
            }
            let all = world.scenes.map(\.image)
            #expect(Set(all).count == all.count, "seed \(seed): an image in two realms while there are others")
            #expect(abs(world.scenes.reduce(0) { $0 + $1.minutes } - Double(request.minutes)) < 0.01)
            #expect(world.objectCount == world.scenes.reduce(0) { $0 + objects[$1.image]!.count })
        }
    }

    /// As in Serenity's document: a visit of 20 minutes has 3 realms, 12 zones and 36 scenes.
    @Test func twentyMinutesGiveThreeRealms() throws {
        let library = try SampleImages.library(500)
        var zones: Set<[Int]> = []
        for seed in UInt64(0)..<200 {
            let request = WorldRequest(name: "W", goals: [.anxietyRelief, .sleep], seed: seed)
            #expect(request.minutes == 20)
            let world = try library.world(request)
            #expect(world.realms.count == 3 && world.zones.count == 12 && world.scenes.count == 36, "seed \(seed)")
            zones.insert(world.realms.map(\.zones.count))
        }
        // The realms differ in their numbers of zones, in every order.
        #expect(zones.count == 6)
    }

    @Test func objectsOutOfRangeAreRefused() throws {
        let json = try SampleImages.library(200).world(WorldRequest(name: "W", goals: [.focus], seed: 3)).json
        for (name, value) in [
            ("confidence", "1.5"), ("calming_score", "-0.1"), ("emotional_valence", "-2"), ("bounding_box", "{}"),
            ("therapeutic_associations", "[\"slep\"]"),
        ] {
            let start = try #require(json.range(of: "\"\(name)\":")).upperBound
            let end = json[start...].firstIndex {
                name == "bounding_box" ? $0 == "}" : name.hasPrefix("t") ? $0 == "]" : ",}".contains($0)
            }
            let next = name == "bounding_box" || name.hasPrefix("t") ? json.index(after: end!) : end!
            #expect(throws: KinError.self, "\(name)") {
                try RealmWorld(json: json.replacingCharacters(in: start..<next, with: value))
            }
        }
    }

    @Test func damagedWorldsAreRefused() throws {
        let json = try SampleImages.library(100).world(WorldRequest(name: "W", realms: 1)).json
        #expect(errorCode { try RealmWorld(json: json.replacing("kin world", with: "kin")) } == .unsupportedFormat)
        #expect(
            errorCode { try RealmWorld(json: json.replacing("\"to\":\"r1.z2\"", with: "\"to\":\"r9.z2\"")) }
                == .malformedInput)
        #expect(errorCode { try RealmWorld(json: String(json.dropLast(5))) } == .malformedInput)
    }

    /// Realms and scenes chosen for goals have higher values for them than random realms and images.
    @Test func goalsAreRespected() throws {
        let library = try SampleImages.library(800)
        let all = library.index.realms
        for goal in TherapeuticGoal.allCases {
            let random = all.reduce(0) { $0 + library.index.value(of: $1, for: [goal]) } / Double(all.count)
            let mean = library.index.images.reduce(0) { $0 + Double($1.values[goal]) } / 800
            var (chosen, shown) = (0.0, 0.0)
            for seed in UInt64(0)..<20 {
                let world = try library.world(WorldRequest(name: "W", goals: [goal], realms: 3, seed: seed))
                chosen += world.realms.reduce(0) { $0 + $1.goalValue } / 3 / 20
                shown += world.scenes.reduce(0) { $0 + Double($1.values[goal]) } / Double(world.scenes.count) / 20
            }
            #expect(chosen > random, "\(goal)")
            #expect(shown > 1.2 * mean, "\(goal): \(shown) against \(mean)")
        }
    }

    @Test func themesAreRespected() throws {
        let library = try SampleImages.library(300)
        let world = try library.world(WorldRequest(name: "W", theme: "Mountain air", realms: 1, seed: 3))
        #expect(world.realms[0].type == "mountain")
        let books = try library.world(WorldRequest(name: "W", theme: "old books", realms: 1, seed: 3))
        #expect(books.realms[0].type == "library")
    }

    @Test(arguments: ["", "forests by night", "a walk on the shore", "Serenity", "Zzyzx", "!", "qwerty 7"])
    func anUnknownThemeIsReported(_ theme: String) throws {
        let world = try SampleImages.library(300).world(WorldRequest(name: "W", theme: theme))
        let isKnown = !["Zzyzx", "!", "qwerty 7"].contains(theme)
        #expect(world.isThemeKnown == isKnown)
        #expect(world.json.contains("theme_is_known") == !isKnown)
        #expect(try RealmWorld(json: world.json) == world)
    }

    @Test func tooFewImagesAreCounted() throws {
        var collection = ImageCollection()
        for (type, count) in [("forest", 9), ("shore", 4), ("meadow", 1)] {
            for number in 0..<count {
                try collection.append(
                    ImageAnalysis(
                        id: "\(type)-\(number)",
                        objects: [
                            DetectedObject(
                                name: type, category: type,
                                box: DetectedObject.BoundingBox(x: 0, y: 0, width: 9, height: 9))
                        ], realmTypes: [type]))
            }
        }
        let library = try RealmLibrary(of: ClusteredImages(collection, options: ClusterOptions(k: 3)))
        #expect(try library.world(WorldRequest(name: "W", seed: 1)).realms.map(\.type) == ["forest"])
        func missing(_ realms: Int) -> String {
            "\(kinError { try library.world(WorldRequest(name: "W", realms: realms)) }!)"
        }
        #expect(missing(2).contains("add 2 images, or ask for fewer realms"), "\(missing(2))")
        #expect(missing(3).contains("add 7 images, or ask for fewer realms"), "\(missing(3))")
        #expect(missing(4).contains("add 13 images, or ask for fewer realms"), "\(missing(4))")
        // Nine images are enough for three zones that use each image once.
        for seed in UInt64(0)..<100 {
            let world = try library.world(WorldRequest(name: "W", realms: 1, seed: seed))
            let images = world.scenes.map(\.image)
            #expect(Set(images).count == images.count && world.zones.count >= 3)
        }
        #expect(errorCode { try library.world(WorldRequest(name: "")) } == .invalidArgument)
        #expect(errorCode { try library.world(WorldRequest(name: "W", minutes: 0)) } == .invalidArgument)
        for realms in [.min, 0, 1001, .max] {
            #expect(errorCode { try library.world(WorldRequest(name: "W", realms: realms)) } == .invalidArgument)
        }
    }
}

extension RealmWorld {
    /// The number of zones without a path to the first one; 0 in a valid world.
    var unreachableZones: Int {
        var neighbours: [String: [String]] = [:]
        for path in paths {
            neighbours[path.from, default: []].append(path.to)
            neighbours[path.to, default: []].append(path.from)
        }
        let all = zones.map(\.id) + contributedZones.map(\.id)
        guard let first = all.first else { return 0 }
        var reached: Set<String> = [first]
        var open = [first]
        while let zone = open.popLast() {
            for next in neighbours[zone] ?? [] where reached.insert(next).inserted { open.append(next) }
        }
        return all.count { !reached.contains($0) }
    }
}
