import KinCore
import KinPleasure
import KinTestSupport
import Testing

@Suite struct MissionTests {
    private func index() throws -> (InventoryIndex, Coordinates) {
        let centre = try Coordinates(latitude: 52.37, longitude: 4.9)
        return (
            try InventoryIndex(LifeGenerator(seed: 20).inventory(count: 3000, around: centre, kilometers: 3)), centre
        )
    }

    @Test func missionsFitTheSituation() throws {
        let (index, centre) = try index()
        let request = MissionRequest(
            wish: [.mobility: 0.9, .natureMirror: 0.8, .horizon: 0.5], state: .drift, weather: .clear, slot: .dawn,
            season: .spring, minutes: 90, place: centre)
        let missions = try index.missions(for: request, k: 10)
        #expect(missions.count == 10)
        for mission in missions {
            #expect(mission.tool.kind == .tool && mission.space.kind == .space)
            for item in [mission.tool, mission.space] {
                #expect(item.status == .available && item.times.seasons.contains(.spring))
                #expect(item.times.bestTimes.isEmpty || item.times.bestTimes.contains(.dawn))
                #expect(item.place!.distance(to: centre) <= request.radiusKilometers)
                #expect((item.times.durationRange?.lowerBound ?? 0) <= mission.minutesThere)
            }
            let way = centre.distance(to: mission.tool.place!) + mission.tool.place!.distance(to: mission.space.place!)
            #expect(abs(mission.travelMinutes - way / MissionRequest.walkingSpeed * 60) < 1e-6)
            #expect(abs(mission.travelMinutes + mission.minutesThere - 90) < 1e-9)
            #expect(mission.parts.map(\.name) == Mission.Name.allCases)
            #expect(mission.parts.allSatisfy { $0.value >= 0 && $0.value <= 1 })
            #expect(abs(mission.score - mission.parts.reduce(0) { $0 + $1.contribution }) < 1e-12)
        }
        // Varied, and the best one first.
        #expect(Set(missions.map(\.space.id)).count >= 5 && Set(missions.map(\.tool.id)).count >= 5)
        #expect(missions.allSatisfy { $0.score <= missions[0].score })
        #expect(try index.missions(for: request, k: 10) == missions)
        #expect(abs(Mission.Name.allCases.reduce(0) { $0 + $1.weight } - 1) < 1e-12)
    }

    @Test func aSingleSpaceIsUsedWithSeveralTools() throws {
        let centre = try Coordinates(latitude: 0, longitude: 180)
        let near = try Coordinates(latitude: 0, longitude: -179.995)
        var items = [
            try InventoryItem(
                id: "space", name: "hut", kind: .space, access: .peer, place: near,
                affordances: [.pleasures([.food]), .sense("smell", intensity: .high, context: "indoors")])
        ]
        for (i, place) in [near, nil, try Coordinates(latitude: 1, longitude: 180)].enumerated() {
            items.append(
                try InventoryItem(
                    id: "t\(i)", name: "pan", kind: .tool, access: .owned, place: place,
                    affordances: [.pleasures([.food, .materialPlay])]))
        }
        let index = try InventoryIndex(items)
        var request = MissionRequest(
            wish: [.food: 1], state: .socialSync, weather: .storm, slot: .evening, minutes: 60, place: centre)
        let missions = try index.missions(for: request)
        // The tool far away is out; the one that is nowhere is at hand.
        #expect(Set(missions.map(\.tool.id)) == ["t0", "t1"])
        let value = missions[0].parts.first { $0.name == .weather }
        #expect(value?.value == 1)
        request.minutes = 5
        #expect(try index.missions(for: request).isEmpty)
        #expect(errorCode { try index.missions(for: request, k: -1) } == .invalidArgument)
    }
}
