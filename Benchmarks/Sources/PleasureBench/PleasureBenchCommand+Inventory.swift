import Kin
import KinSamples
import Measuring

/// Items: combined filter and ranking, and geofences.
extension PleasureBenchCommand {
    func measureInventory() throws {
        let centre = try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
        let all = PersonGenerator(seed: seed).inventory(count: items, around: centre)
        var index = InventoryIndex()
        let load = try Timing.seconds { index = try InventoryIndex(all) }
        print("\n## \(all.count) items within about 20 km, k = \(k)\n\nindexed in \(load) s\n")
        print("| query | median µs | p99 µs |\n| --- | --- | --- |")
        let places = all.compactMap(\.location)
        var generator = SeededGenerator(seed: seed)
        let wishes = try (0..<100).map { _ in try Pleasure((0..<16).map { _ in Float(generator.uniform()) }) }
        func combined(_ number: Int, radius: Double?) -> InventoryQuery {
            InventoryQuery(
                location: places[number * 31 % places.count], radiusKilometers: radius, kinds: [.tool, .space],
                accesses: [.peer, .rental, .publicLibrary], statuses: [.available],
                senses: number % 2 == 0 ? [.init(sense: "touch", atLeast: .medium)] : [],
                slot: DayPart.allCases[number % 5],
                minutes: 45, season: TemporalTags.Season.allCases[number % 4])
        }
        for radius in [0.5, 2, 10, 100] {
            let times = try CallTimes(calls, warmUp: 50) { number in
                _ = try index.search(combined(number, radius: radius), for: wishes[number % 100], k: k)
            }
            print("| all filters, within \(radius) km, ranked | \(times.cells) |")
        }
        let times = try CallTimes(calls, warmUp: 50) { number in
            _ = try index.search(combined(number, radius: nil), for: wishes[number % 100], k: k)
        }
        print("| all filters, anywhere, ranked | \(times.cells) |")
        let ranked = try CallTimes(calls, warmUp: 50) {
            _ = try index.search(InventoryQuery(), for: wishes[$0 % 100], k: k)
        }
        print("| no filter, ranked | \(ranked.cells) |")
        for meters in [50.0, 500, 5000] {
            let fences = try CallTimes(calls, warmUp: 50) { number in
                let place = places[number * 31 % places.count]
                _ = try index.search(InventoryQuery(location: place, radiusKilometers: meters / 1000), k: .max)
            }
            print("| within \(Int(meters)) m | \(fences.cells) |")
        }
        let request = { (number: Int) in
            MissionRequest(
                target: wishes[number % 100], state: .drift, weather: .clear, slot: .dawn, season: .spring, minutes: 90,
                location: places[number * 31 % places.count])
        }
        let missions = try CallTimes(min(calls, 200), warmUp: 50) { _ = try index.missions(for: request($0), k: 5) }
        print("| five missions | \(missions.cells) |")
    }
}
