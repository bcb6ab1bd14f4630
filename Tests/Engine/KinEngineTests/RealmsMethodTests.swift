import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite struct RealmsMethodTests {
    private func text(_ value: Any?) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: try #require(value)), as: UTF8.self)
    }

    @Test func analysesBecomeAWorld() throws {
        let engine = Engine()
        let generator = ImageAnalysisGenerator(seed: 4)
        let analyses =
            (0..<80).map { generator.image($0).analysis.json } + [
                "{\"image_id\": \"x\"}", "{\"image_id\": \"y\", \"detected_objects\": [], \"new\": 1}",
            ]
        let answer = try jsonObject(
            engine.call(
                "cluster",
                "{\"analyses\": [\(analyses.joined(separator: ","))], \"k\": 8, \"restarts\": 2, \"seed\": 3}"))
        let report = try #require(answer["report"] as? [String: Any])
        #expect(
            report["images"] as? Int == 81 && (report["unknown_keys"] as? [String: Int])?["new"] == 1
                && report["broken_images"] as? Int == 1)
        let library =
            "\"clusters\": \(try text(answer["clusters"])), \"realm_index\": \(try text(answer["realm_index"]))"
        let world = try engine.call(
            "world",
            "{\(library), \"name\": \"W\", \"goals\": [\"sleep\"], \"realms\": 2, \"seed\": 5, \"collaborative\": true}"
        )
        let generated = try RealmWorld(json: world)
        #expect(generated.realms.count == 2)
        let result = try engine.call(
            "world",
            "{\(library), \"name\": \"W\", \"goals\": [\"sleep\"], \"realms\": 2, \"seed\": 5, \"universe_id\": \"7E57\"}"
        )
        #expect(
            result
                == "{\"success\":true,\"universeId\":\"7E57\",\"realmsCreated\":2,\"zonesCreated\":\(generated.zones.count),"
                + "\"scenesIncorporated\":\(generated.scenes.count),\"objectsDetected\":\(generated.objectCount)}")

        let analysis = ImageAnalysisGenerator(seed: 9).image(200).analysis.json
        let placed = try jsonObject(
            engine.call("place", "{\(library), \"analysis\": \(analysis), \"world\": \(world)}"))
        #expect((placed["zone"] as? String)?.hasPrefix("r") == true && placed["reasons"] is [String])
        #expect((placed["contents"] as? [String: Any])?["therapeutic_value"] is [String: Any])
        #expect(answer["k_reason"] is NSNull && world.contains("\"bounding_box\":"))
        let absorbed = try jsonObject(engine.call("insert_image", "{\(library), \"analysis\": \(analysis)}"))
        #expect((absorbed["clusters"] as? [String: Any])?["images"] as? Int == 82)
        let ranked = try engine.call(
            "rank_images", "{\"realm_index\": \(try text(answer["realm_index"])), \"goals\": [\"insomnia\"], \"k\": 2}")
        #expect(ranked.hasPrefix("[{\"image\":"))
        #expect(errorCode { try engine.call("place", "{\(library), \"analysis\": {}}") } == .malformedInput)
        #expect(
            errorCode { try engine.call("world", "{\(library), \"name\": \"W\", \"goals\": [\"slep\"]}") }
                == .invalidArgument)
        #expect(errorCode { try engine.call("cluster", "{\"analyses\": []}") } == .invalidArgument)
    }

    /// The order of the given analyses does not matter, as in a store.
    @Test func analysesAreSortedByID() throws {
        let analyses = (0..<60).map { ImageAnalysisGenerator(seed: 4).image($0).analysis.json }
        let engine = Engine()
        func cluster(_ analyses: [String]) throws -> String {
            try engine.call("cluster", "{\"analyses\": [\(analyses.joined(separator: ","))], \"k\": 6}")
        }
        let answer = try cluster(analyses)
        #expect(try cluster(analyses.reversed()) == answer)
        #expect(try engine.call("put", "{\"records\": [\(analyses.joined(separator: ","))]}") == "{\"image\":60}")
        #expect(try engine.call("cluster", "{\"k\": 6}") == answer)
        for (criterion, name) in [("gap", "gap"), ("silhouette", "silhouette")] {
            let found = try jsonObject(engine.call("cluster", "{\"criterion\": \"\(criterion)\"}"))
            let choice = try #require((found["clusters"] as? [String: Any])?["choice"] as? [String: Any])
            #expect(choice["criterion"] as? String == name && (choice["curve"] as? [Any])?.isEmpty == false)
        }
        #expect((try jsonObject(engine.call("cluster", "{}"))["k_reason"] as? String)?.hasPrefix("k = ") == true)
        let error = try #require(throws: KinError.self) { try cluster(["{}", "{\"image_id\": \"b\"}"]) }
        #expect(error.code == .malformedInput && error.message.contains("0 of 2 analyses"), "\(error)")
    }

    @Test func sceneSearchEqualsADoublePrecisionScan() throws {
        var random = TestSeed().generator
        func vector() -> [Float] { (0..<64).map { _ in Float(random.normalDeviate()) } }
        let vectors = (0..<300).map { _ in vector() }
        let scenes = vectors.enumerated().map { #"{"id": "s\#($0)", "vector": \#($1)}"# }
        let oracle = try LaneOracle(Matrix(rows: vectors), metric: .cosine)
        func match(_ scenes: [String], _ query: [Float]) throws -> [(scene: String, distance: Double)] {
            try jsonList(
                Engine().call(
                    "match_scenes", "{\"scenes\": [\(scenes.joined(separator: ","))], \"vector\": \(query), \"k\": 7}")
            ).map { ($0["scene"] as? String ?? "", $0["distance"] as? Double ?? .nan) }
        }
        for _ in 0..<5 {
            let query = vector()
            let (found, truth) = (try match(scenes, query), oracle.ranking(of: query).prefix(7))
            #expect(found.map(\.scene) == truth.map { "s\($0.id)" })
            #expect(zip(found, truth).allSatisfy { abs($0.distance - $1.distance) < 1e-9 })
        }
        let (a, b) = (#"{"id": "a", "vector": [1, 0]}"#, #"{"id": "b", "vector": [0, 0]}"#)
        for (wrong, code) in [
            ([a, a], KinError.Code.duplicateID), ([a, b], .zeroVector), (scenes, .dimensionMismatch),
        ] {
            let error = kinError { try match(wrong, [1, 0.1]) }
            #expect(error?.code == code && error?.context.contains { $0.name == "scene" } == true)
        }
    }

    /// Pixels in a flat list, and in the shape of an array of a picture's rows.
    @Test func pixelsMayBeNested() throws {
        let engine = Engine()
        func colours(_ pixels: String) throws -> String {
            try engine.call("dominant_colours", "{\"pixels\": \(pixels)}")
        }
        let flat = try colours("[10, 20, 30, 200, 100, 0, 10, 20, 30, 10, 20, 30]")
        #expect(try colours("[[[10, 20, 30], [200, 100, 0]], [[10, 20, 30], [10, 20, 30]]]") == flat)
        #expect(try colours("[[10, 20, 30, 7], [200, 100, 0, 8], [10, 20, 30, 9], [10, 20, 30, 0]]") == flat)
        for wrong in ["[[1, 2]]", "[[1, 2, 3, 4, 5]]", "[[]]", "[[[1, 2, 300]]]", "[1, 2]"] {
            #expect(errorCode { try colours(wrong) } == .invalidArgument, "\(wrong)")
        }
    }
}
