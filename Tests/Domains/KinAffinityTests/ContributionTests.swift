import KinAffinity
import KinTestSupport
import Testing

@Suite struct ContributionTests {
    @Test func contributionsAreReadAsTheyAreWritten() throws {
        let zone = Contribution.zone(
            try ZoneContribution(
                name: "Moon pool", suggestedRealm: "ocean", therapeuticValue: SoulTraits(["sleep": 0.8]),
                scenes: ["tide"],
                overlayEffects: ["mist"]))
        let story = Contribution.story(
            try StoryContribution(
                title: "The shell", content: "Once \"upon\" a time", triggerZone: "Moon pool", narrativeType: "fable"))
        for contribution in [zone, story] { #expect(try Contribution(json: contribution.json) == contribution) }
        #expect(zone.title == "Moon pool" && story.title == "The shell")
        #expect(errorCode { try Contribution(json: "{}") } == .malformedInput)
        #expect(errorCode { try Contribution(json: #"{"zone":{"name":"a"}}"#) } == .malformedInput)
        #expect(
            errorCode {
                try ZoneContribution(name: "a", suggestedRealm: "b", therapeuticValue: SoulTraits(["sleep": 1.5]))
            }
                == .invalidArgument)
        #expect(errorCode { try StoryContribution(title: "a", content: "") } == .invalidArgument)
    }

    /// Places of the word may overlap, and only one of them may be a whole word: "1-1" in "11-1-1".
    @Test func aWordIsFoundAtEveryPlace() {
        var random = TestSeed().generator
        func text(_ count: Int) -> String { String((0..<count).map { _ in "1-aé. ".randomElement(using: &random)! }) }
        for _ in 0..<3_000 {
            let (word, text) = (text(1 + random.below(4)), text(random.below(12)))
            let (w, t) = (Array(word), Array(" " + text + " "))
            let isThere = (1..<max(1, t.count - w.count)).contains { i in
                Array(t[i..<i + w.count]) == w && !"1aé".contains(t[i - 1]) && !"1aé".contains(t[i + w.count])
            }
            #expect(text.containsWord(word) == isThere, "\(word) in \(text)")
        }
    }

    /// The forms that this library's seed wrote: a bare zone or story, and a number of scenes.
    @Test func contributionsOfTheSeedAreRead() throws {
        let zone = try Contribution(
            json: """
                {"name": "Moon pool", "suggestedRealm": "ocean", "therapeuticValue": {"sleep": 0.8}, "scenes": 4, \
                "overlayEffects": ["mist"]}
                """)
        let same = try ZoneContribution(
            name: "Moon pool", suggestedRealm: "ocean", therapeuticValue: SoulTraits(["sleep": 0.8]), sceneCount: 4,
            overlayEffects: ["mist"])
        #expect(zone == .zone(same))
        #expect(zone.json.contains(#""scenes":4"#))
        #expect(try Contribution(json: zone.json) == zone)
        #expect(try Contribution(json: #"{"zone":{"name":"a","suggestedRealm":"b","scenes":0}}"#).json.contains("[]"))
        let story = try Contribution(json: #"{"title": "The shell", "content": "Once", "narrativeType": "fable"}"#)
        #expect(try story == .story(StoryContribution(title: "The shell", content: "Once", narrativeType: "fable")))
        for wrong in [
            #"{"name":"a","suggestedRealm":"b","scenes":-1}"#, #"{"name":"a","suggestedRealm":"b","scenes":1e308}"#,
            #"{"name":"a","suggestedRealm":"b","scenes":9223372036854775807}"#,
            #"{"name":"a","suggestedRealm":"b","scenes":"4"}"#,
        ] {
            let error = #expect(throws: KinError.self) { try Contribution(json: wrong) }
            #expect(error?.context.contains { $0.value == "scenes" } == true, "\(wrong)")
        }
        #expect(
            errorCode { try ZoneContribution(name: "a", suggestedRealm: "b", scenes: ["x"], sceneCount: 2) }
                == .invalidArgument)
    }

    /// The forms that apps use for the fields of the document.
    @Test func contributionsOfAppsAreRead() throws {
        let zone = try Contribution.zone(
            ZoneContribution(
                name: "Moon pool", suggestedRealm: "ocean", therapeuticValue: SoulTraits(["sleep": 0.8]),
                scenes: ["tide", "reef"], overlayEffects: ["mist"]))
        for json in [
            #"{"type":"zone","name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"sleep":0.8},"scenes":["tide","reef"],"overlayEffects":["mist"]}"#,
            #"{"name":"Moon pool","suggested_realm":"ocean","therapeutic_value":{"sleep":0.8},"scenes":["tide","reef"],"overlay_effects":["mist"]}"#,
            #"{"zone":{"name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"sleep":0.8},"scenes":[{"id":"s1","name":"tide","image":7},{"title":"reef"}],"overlayEffects":[{"name":"mist","intensity":0.4}],"type":"zone"}}"#,
        ] { #expect(try Contribution(json: json) == zone, "\(json)") }
        let story = try Contribution.story(StoryContribution(title: "The shell", content: "Once"))
        for json in [
            #"{"type":"story","title":"The shell","content":"Once","triggerZone":null}"#,
            #"{"title":"The shell","content":"Once","trigger_zone":"","narrative_type":null}"#,
        ] { #expect(try Contribution(json: json) == story, "\(json)") }
        #expect(
            try Contribution(json: #"{"name":"a","suggestedRealm":"b","therapeuticValue":null,"scenes":null}"#)
                == .zone(ZoneContribution(name: "a", suggestedRealm: "b")))
        for wrong in [
            #"{"type":"story","name":"a","suggestedRealm":"b"}"#, #"{"type":"zone","title":"a","content":"b"}"#,
            #"{"name":"a","suggestedRealm":"b","scenes":[{"image":1}]}"#, #"{"type":"zone"}"#,
            #"{"name":"a","suggestedRealm":"b","suggested_realm":"c"}"#,
        ] { #expect(errorCode { try Contribution(json: wrong) } == .malformedInput, "\(wrong)") }
    }

    @Test func arrivalsFollowTheTable() {
        #expect(SoulConnection.allCases.map(\.arrival) == [nil, .visible, .pending, .discovered, .delivered])
        #expect(InboxState.allCases.allSatisfy { InboxState(name: $0.name) == $0 })
        #expect(SoulConnection.kindredSpirit.phrase == "a kindred spirit")
    }

    @Test func namesAreSpreadEvenly() {
        var random = SeededGenerator(seed: 9)
        var adjectives: [Substring: Int] = [:]
        var nouns: [Substring: Int] = [:]
        var digits: [Substring: Int] = [:]
        let count = 64_000
        for _ in 0..<count {
            let bytes = (0..<32).map { _ in UInt8(random.below(256)) }
            let words = AnonymousName(digest: bytes).description.split(separator: " ")
            #expect(words.count == 3 && words[2].count == 5)
            adjectives[words[0], default: 0] += 1
            nouns[words[1], default: 0] += 1
            digits[words[2].prefix(3), default: 0] += 1
        }
        // The expected count of each word is 1,000, with a standard deviation of 32.
        for counts in [adjectives, nouns] {
            #expect(counts.count == 64)
            #expect(counts.values.allSatisfy { abs($0 - 1000) < 160 })
        }
        #expect(digits.count == 100)
        let ends = [[UInt8](repeating: 0, count: 8), [UInt8](repeating: 255, count: 8)].map {
            AnonymousName(digest: $0).description
        }
        #expect(ends == ["Amber Acorn #0000", "Wild Wren #9999"])
    }
}
