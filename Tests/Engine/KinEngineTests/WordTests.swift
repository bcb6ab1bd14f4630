import Foundation
import KinCore
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
}
