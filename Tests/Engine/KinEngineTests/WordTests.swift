import Foundation
import KinEngine
import KinTestSupport
import Testing

/// Words of enumerations in requests, in the spellings and synonyms that people and apps use.
@Suite("Words in requests") struct WordTests {
    private static let spellings: [@Sendable (String) -> String] = [
        { $0.uppercased() }, { ".\($0)" }, { $0.replacing("_", with: " ") }, { $0.replacing("_", with: "-") },
        { word in
            let parts = word.split(separator: "_")
            return "." + parts.dropFirst().reduce(String(parts.first ?? "")) { $0 + $1.capitalized }
        },
    ]

    @Test("every choice is read in any spelling, and its words are distinct")
    func spellings() {
        var count = 0
        for method in MethodTable.groups.flatMap(\.methods) {
            for parameter in method.parameters {
                let words: [String]
                switch parameter.type {
                case .choice(let list), .choices(let list): words = list
                default: continue
                }
                #expect(Set(words.map { Spelling.plain($0) }).count == words.count, "\(method.name) \(parameter.name)")
                for word in words {
                    for spelling in Self.spellings {
                        count += 1
                        #expect(WordSynonyms.word(spelling(word), of: words) == word, "\(parameter.name) \(word)")
                    }
                    #expect(WordSynonyms.word(word + "x", of: words) == nil)
                }
            }
        }
        #expect(count > 200)
    }

    @Test("documented words for moods, weather and states match the answers")
    func synonyms() throws {
        let engine = Engine()
        let dimensions = ["mobility", "nature_mirror", "material_play", "order"]
        let all = [
            "order", "enclosure", "path", "horizon", "anxiety", "ignorance", "repetition", "post", "food", "mobility",
            "erotic_uncertainty", "material_play", "power", "nature_mirror", "serendipity_following",
            "anchor_expansion",
        ].enumerated().map { "\"\($1)\":\(Double($0 % 5) / 5)" }.joined(separator: ",")
        let items = (0..<8).map { number in
            """
            {"id":"i\(number)","name":"n\(number)","type":"\(number % 2 == 0 ? "tool" : "space")","access_mode":"owned","status":"available",
             "location_coords":{"lat":\(40.7 + Double(number) / 1000),"lng":-73.9},
             "affordances":[{"pleasure_dims":["\(dimensions[number % 4])"]}]}
            """
        }
        let person = "{\"uid\":\"u\",\"pleasure_profile\":{\(all)}}"
        _ = try engine.call("put", "{\"records\":[\(([person] + items).joined(separator: ","))]}")
        func missions(_ more: String) throws -> String {
            try engine.call(
                "missions", "{\"user\":\"u\",\"near\":{\"lat\":40.7,\"lng\":-73.9},\"minutes\":120,\(more)}")
        }
        let alike = [
            (#""weather":"Rainy""#, #""weather":"rain""#), (#""weather":".thunderstorm""#, #""weather":"storm""#),
            (#""mood":"nervous""#, #""mood":"anxious""#), (#""mood":"Nervous""#, #""mood":"anxious""#),
            (#""mood":".anxious""#, #""mood":"anxious""#), (#""state":"socialSync""#, #""state":"social_sync""#),
            (#""season":"Fall""#, #""season":"autumn""#), (#""slot":".Morning""#, #""slot":"morning""#),
        ]
        for (odd, plain) in alike {
            #expect(try missions(odd) == missions(plain), "\(odd)")
        }
        #expect(try missions(#""mood":"anxious""#) != missions(#""mood":"joyful""#))
        #expect(kinError { try missions(#""weather":"hailstones""#) }.says("rain"))
    }

    @Test("a single word stands for a list of it, in every parameter that is a list of words")
    func singleWords() throws {
        let engine = Engine()
        let image = #"{"image_id":"i","detected_objects":[],"therapeutic_value":{"sleep":1}}"#
        let person = #"{"challenge_preferences":{"user_id":"u"}}"#
        _ = try engine.call("put", "{\"records\":[\(image),\(person)]}")
        let needed = [
            "user": "\"u\"", "near": #"{"lat":0,"lng":0}"#, "minutes": "20", "name": "\"w\"", "positions": "[]",
            "point": #"{"food":1}"#, "at": "\"2026-01-05T08:00:00Z\"",
        ]
        var count = 0
        for method in MethodTable.groups.flatMap(\.methods) {
            for parameter in method.parameters {
                let word: String
                switch parameter.type {
                case .choices(let words): word = words[0]
                case .list("goal"): word = "sleep"
                default: continue
                }
                let others = method.parameters.filter {
                    $0.presence == .required && $0.name != parameter.name || ["point", "at"].contains($0.name)
                }
                func answer(_ value: String) -> Result<String, any Error> {
                    let members = others.map { "\"\($0.name)\":\(needed[$0.name] ?? "0")" }
                    let request = (members + ["\"\(parameter.name)\":\(value)"]).joined(separator: ",")
                    return Result { try engine.call(method.name, "{\(request)}") }
                }
                let (single, list) = (answer("\"\(word)\""), answer("[\"\(word)\"]"))
                #expect("\(single)" == "\(list)", "\(method.name) \(parameter.name)")
                #expect(!"\(single)".contains("is expected"), "\(method.name) \(parameter.name): \(single)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test("words of records and requests are compared in one form, and stored as written")
    func comparedWords() throws {
        let engine = Engine()
        func call(_ method: String, _ arguments: String) throws -> String { try engine.call(method, arguments) }
        let challenges = ["nature", "Nature", ".nature ", "food"].enumerated().map {
            "{\"id\":\"c\($0)\",\"title\":\"t\",\"category\":\"\($1)\",\"time_investment\":5}"
        }
        let items = ["Indoors", " indoors", ".outdoors", "Social Sync", "socialSync"].enumerated().map {
            """
            {"id":"i\($0)","name":"n","type":"space","access_mode":"owned","status":"available",
             "affordances":[{"sense":"\($0 % 2 == 0 ? "Auditory" : "auditory ")","intensity":"high","context":"\($1)"}],
             "temporal_tags":{"seasonal":[]}}
            """
        }
        let images = ["forest", "Forest ", "FOREST"].enumerated().map {
            """
            {"image_id":"m\($0)","suggested_realm_types":["\($1)"],"detected_objects":[{"name":"tree","category":"\($1)",
             "bounding_box":{"x":0,"y":0,"width":5,"height":5}}],"therapeutic_value":{"sleep":0.\($0 + 1),"energy":0.9}}
            """
        }
        _ = try call("put", "{\"records\":[\((challenges + items + images).joined(separator: ","))]}")
        _ = try call("prefer", #"{"user":"u","preferences":{"time_zone":"UTC"}}"#)
        _ = try call("assign", #"{"user":"u"}"#)
        let given = try call("history", #"{"user":"u"}"#)
        let category = given.contains("food") ? " Food" : "NATURE"
        #expect(try call("history", #"{"user":"u","category":"\#(category)"}"#) == given)
        for (sense, count) in [
            (#"{"sense":"AUDITORY"}"#, 5), (#"{"context":"indoors"}"#, 2), (#"{"context":"social_sync"}"#, 2),
        ] {
            let found = try call("inventory", "{\"senses\":[\(sense)]}")
            #expect(found.ranges(of: #""id":"i"#).count == count, "\(sense)")
        }
        // An item with an empty list of seasons suits every season.
        #expect(try call("inventory", #"{"season":"winter"}"#).ranges(of: #""id":"i"#).count == 5)
        func ranked(_ goals: String) throws -> String { try call("rank_images", "{\"goals\":[\(goals)]}") }
        #expect(try ranked(#""sleep","energy""#) == ranked(#""sleep","energy","insomnia","Sleep","energy""#))
        #expect(try call("categories", "{}").ranges(of: "forest").count == 1)
    }

    @Test("the document's names of connections, common weather words, and moods given as states")
    func commonWords() throws {
        let engine = Engine()
        for (name, share) in [
            ("Soul Mirror", 0.9996), ("Kindred Spirit", 0.996), ("Resonant Traveler", 0.985), ("parallelPath", 0.96),
        ] {
            let model = try engine.call(
                "keep_affinity_model", "{\"connections\":\"quantile\",\"quantiles\":{\"\(name)\":\(share)}}")
            #expect(model.contains("\(share)"), "\(name): \(model)")
        }
        func missions(_ more: String) throws -> String {
            try engine.call(
                "missions", "{\"user\":\"u\",\"near\":{\"lat\":40.7,\"lng\":-73.9},\"minutes\":120,\(more)}")
        }
        for word in ["thunderstorms", "Partly Cloudy", "mostlyClear", "heavyRain", "Hazy", "Snow showers"] {
            #expect(kinError { try missions("\"weather\":\"\(word)\"") }.says("neither a profile nor a session"))
        }
        #expect(kinError { try missions(#""state":"Anxious""#) }.says("give it as \"mood\""))
        #expect(kinError { try missions(#""state":"zzz""#) }.says("there is no state"))
    }
}
