import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinPleasure

@Suite struct InventoryTests {
    /// The haversine formula as in textbooks, in double precision, with the exact cosine of a pole.
    private func haversine(_ a: GeographicCoordinates, _ b: GeographicCoordinates) -> Double {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        func hav(_ angle: Double) -> Double { sin(angle / 2) * sin(angle / 2) }
        func cosine(_ latitude: Double) -> Double { abs(latitude) == 90 ? 0 : cos(radians(latitude)) }
        let h =
            hav(radians(b.latitude - a.latitude)) + cosine(a.latitude) * cosine(b.latitude)
            * hav(radians(b.longitude - a.longitude))
        return 2 * 6371.0088 * asin(min(1, h.squareRoot()))
    }

    private func place(_ latitude: Double, _ longitude: Double) throws -> GeographicCoordinates {
        try GeographicCoordinates(latitude: latitude, longitude: longitude)
    }

    @Test func distancesAreHaversine() throws {
        var generator = SeededGenerator(seed: 30)
        for round in 0..<5000 {
            let spread = pow(10.0, Double(round % 6) - 4)
            let a = try place(generator.uniform() * 180 - 90, generator.uniform() * 360 - 180)
            let b = try place(
                min(max(a.latitude + spread * (generator.uniform() - 0.5), -90), 90),
                min(max(a.longitude + spread * (generator.uniform() - 0.5), -180), 180))
            #expect(abs(a.distance(to: b) - haversine(a, b)) <= 1e-6 + 1e-9 * haversine(a, b))
        }
        // Paris to New York; one degree of a great circle; poles; the antimeridian; half the earth.
        #expect(abs(try place(48.8566, 2.3522).distance(to: place(40.7128, -74.006)) - 5837.2) < 1)
        #expect(abs(try place(0, 0).distance(to: place(0, 1)) - 111.195) < 0.001)
        #expect(try place(90, 0).distance(to: place(90, 77)) < 1e-9)
        #expect(abs(try place(10, 179.999).distance(to: place(10, -179.999)) - 0.219) < 0.001)
        #expect(abs(try place(0, -90).distance(to: place(0, 90)) - 6371.0088 * .pi) < 1e-6)
    }

    /// Each pole is one place for all longitudes, and so are 180° west and east. All other places have the bits of
    /// their angles.
    @Test func poleAndDateLineCoordinatesAreOnePoint() throws {
        func bits(_ place: GeographicCoordinates) -> [UInt64] {
            let point = SpherePoint(place)
            return [point.x, point.y, point.z].map(\.bitPattern)
        }
        var generator = SeededGenerator(seed: 31)
        for pole in [-90.0, 90] {
            for longitude in [-180.0, -90, -0.0, 0, 12.5, 180] + (0..<50).map({ _ in generator.uniform() * 360 - 180 })
            {
                let (here, other) = (try place(pole, longitude), try place(pole, 0))
                #expect(bits(here) == bits(other) && here.distance(to: other) == 0, "\(here)")
            }
            #expect(try abs(place(pole, 30).distance(to: place(0, 7)) - Earth.radiusKilometers * .pi / 2) < 1e-9)
        }
        for latitude in [-89.999, -90, 0.0, 1e-300, 64, 90] + (0..<200).map({ _ in generator.uniform() * 180 - 90 }) {
            let (west, east) = (try place(latitude, -180), try place(latitude, 180))
            #expect(bits(west) == bits(east) && west.distance(to: east) == 0, "\(latitude)")
            let items = try [west, east].enumerated().map { number, location in
                try InventoryItem(id: "i\(number)", name: "x", kind: .tool, access: .owned, location: location)
            }
            let index = try InventoryIndex(items)
            for here in [west, east] {
                #expect(try index.search(InventoryQuery(location: here, radiusKilometers: 0), k: 9).count == 2)
            }
            let longitude = generator.uniform() * 359 - 179
            let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
            let point = SpherePoint(try place(latitude, longitude))
            guard abs(latitude) < 90 else { continue }
            #expect(
                point.x == cos(phi) * cos(lambda) && point.y == cos(phi) * sin(lambda) && point.z == sin(phi))
        }
    }

    /// Items all over the earth, many at the poles and the antimeridian, some without a location.
    private func scattered(_ count: Int, seed: UInt64) throws -> [InventoryItem] {
        var generator = SeededGenerator(seed: seed)
        let centres = [
            (0.0, 180.0), (89.99, 20), (-89.995, -100), (51.5, -0.1), (-17, -179.99), (90, 0), (64, 180), (0, 0),
        ]
        let plain = PersonGenerator(seed: seed).inventory(count: count, around: try place(0, 0))
        return try plain.enumerated().map { i, item in
            let centre = centres[i % centres.count]
            var latitude = centre.0 + (generator.uniform() - 0.5) * 0.2
            var longitude = centre.1 + (generator.uniform() - 0.5) * (abs(centre.0) > 80 ? 360 : 0.3)
            latitude = min(max(latitude, -90), 90)
            if longitude > 180 { longitude -= 360 }
            if longitude < -180 { longitude += 360 }
            var item = item
            item.location = i % 19 == 0 ? nil : try place(latitude, longitude)
            return item
        }
    }

    @Test func geofenceSearchEqualsAScan() throws {
        let items = try scattered(4000, seed: 4)
        let index = try InventoryIndex(items)
        for centre in [
            (0.0, 180.0), (0, -180), (90, 0), (-90, 12), (89.9, -160), (51.5, -0.1), (-17, 179.9), (64, -180), (70, 3),
        ] {
            let here = try place(centre.0, centre.1)
            for meters in [
                0.0, .leastNonzeroMagnitude, 150, 2_000, 30_000, 400_000, 9_000_000, 30_000_000, 1e25, 1e308,
            ] {
                let query = InventoryQuery(location: here, radiusKilometers: meters / 1000)
                let found = try index.search(query, k: .max)
                let expected = items.filter { $0.location.map { haversine(here, $0) * 1000 <= meters } ?? false }
                #expect(Set(found.map(\.item.id)) == Set(expected.map(\.id)), "\(meters) m of \(centre)")
                let distances = found.map { $0.distanceKilometers! }
                #expect(distances == distances.sorted())
            }
        }
        for wrong in [-1, Double.nan] {
            let query = try InventoryQuery(location: place(0, 0), radiusKilometers: wrong)
            #expect(errorCode { try index.search(query, k: 1) } == .invalidArgument)
        }
    }

    @Test func filtersAndRankingEqualAScan() throws {
        let items = try scattered(3000, seed: 5)
        var index = try InventoryIndex(Array(items[..<2500]))
        index.upsert(Array(items[2400...]))
        let point: Pleasure = [.mobility: 0.9, .natureMirror: 0.6, .food: 0.1]
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<200 {
            var query = InventoryQuery(location: try place(51.5, -0.1))
            if generator.below(2) == 0 { query.radiusKilometers = [5, 20, 25_000][generator.below(3)] }
            if generator.below(2) == 0 { query.kinds = [InventoryItem.Kind.allCases[generator.below(3)], .space] }
            if generator.below(3) == 0 { query.accesses = [.peer, .publicLibrary] }
            if generator.below(2) == 0 { query.statuses = [.available] }
            if generator.below(4) == 0 { query.pleasures = [Pleasure.Dimension.allCases[generator.below(16)]] }
            if generator.below(2) == 0 { query.slot = DayPart.allCases[generator.below(5)] }
            if generator.below(2) == 0 { query.minutes = Double(5 * generator.below(14)) }
            if generator.below(3) == 0 { query.season = TemporalTags.Season.allCases[generator.below(4)] }
            if generator.below(3) == 0 {
                query.senses = [.init(sense: "touch", atLeast: .medium), .init(context: "outdoors")]
                if generator.below(2) == 0 { query.senses.removeLast() }
            }
            let found = try index.search(query, for: point, k: 12)
            let expected = items.filter { query.conditions(brokenBy: $0).isEmpty }
            #expect(found.count == min(12, expected.count))
            let matches = expected.map { match($0, point) }.sorted(by: >)
            for (i, hit) in found.enumerated() {
                #expect(query.conditions(brokenBy: hit.item).isEmpty)
                #expect(abs(hit.match - matches[i]) < 1e-9 && abs(hit.match - match(hit.item, point)) < 1e-9)
                if i > 0, found[i - 1].match == hit.match, let a = found[i - 1].distanceKilometers {
                    #expect(a <= (hit.distanceKilometers ?? .infinity) * (1 + 1e-6))
                }
            }
        }
        #expect(errorCode { try index.search(InventoryQuery(radiusKilometers: 1), k: 1) } == .invalidArgument)
        let removed = index.remove(["i7", "i8", "none"])
        #expect(removed == 2 && index["i7"] == nil && index.count == 2998)
        #expect(errorCode { try InventoryIndex([items[0], items[0]]) } == .duplicateID)
    }

    /// Items that match equally well are sorted by distance, then by id, whatever pleasures they match.
    @Test func equalMatchesAreOrderedByDistance() throws {
        var random = TestSeed().generator
        for round in 0..<60 {
            // Only halves and ones, so that whole numbers decide whether two items match equally well.
            let halves = (0..<16).map { _ in random.below(3) }
            guard halves.contains(where: { $0 > 0 }) else { continue }
            let point = try Pleasure(halves.map { Float($0) / 2 })
            let centre = try place(-60 + 120 * random.uniform(), 170 * random.uniform())
            let items = try (0..<300).map { i in
                let north = Double(random.below(5)) * 1e-4 + (random.below(2) == 0 ? 0 : 1e-10 * random.uniform())
                let dimensions = Pleasure.Dimension.allCases.filter { _ in random.below(5) == 0 }
                return try InventoryItem(
                    id: "i\(random.below(1000)).\(i)", name: "x", kind: .tool, access: .owned,
                    location: random.below(9) == 0 ? nil : place(centre.latitude + north, centre.longitude),
                    affordances: dimensions.isEmpty ? [] : [.pleasures(dimensions)])
            }
            /// The numerator and denominator of the squared cosine, without the length of the point.
            func square(_ item: InventoryItem) -> (Int, Int) {
                let sum = item.pleasures.reduce(0) { $0 + halves[$1.rawValue] }
                return (sum * sum, max(1, item.pleasures.count))
            }
            func chord(_ item: InventoryItem) -> Double {
                item.location.map { SpherePoint(centre).squaredChord(to: SpherePoint($0)) } ?? .infinity
            }
            let expected = items.sorted { a, b in
                let (first, second) = (square(a), square(b))
                let (x, y) = (first.0 * second.1, second.0 * first.1)
                guard x == y else { return x > y }
                return (chord(a), a.id) < (chord(b), b.id)
            }
            for k in [1, 7, 300, Int.max] {
                let found = try InventoryIndex(items).search(InventoryQuery(location: centre), for: point, k: k)
                #expect(found.map(\.item.id) == expected.prefix(k).map(\.id), "round \(round), k \(k)")
            }
        }
    }

    private func match(_ item: InventoryItem, _ point: Pleasure) -> Double {
        let length = point.vector.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
        guard !item.pleasures.isEmpty else { return 0 }
        return item.pleasures.reduce(0) { $0 + Double(point[$1]) }
            / (length * Double(item.pleasures.count).squareRoot())
    }
}
