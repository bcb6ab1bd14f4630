import KinPleasure
import KinTestSupport
import Testing

@Suite struct RecordTests {
    @Test func dimensionsFormFiveGroups() {
        let groups: [Pleasure.Dimension.Group: [Pleasure.Dimension]] = [
            .spatial: [.order, .enclosure, .path, .horizon], .cognitive: [.anxiety, .ignorance, .repetition],
            .temporal: [.post], .embodied: [.food, .mobility, .eroticUncertainty, .materialPlay],
            .relational: [.power, .natureMirror, .serendipityFollowing, .anchorExpansion],
        ]
        #expect(Dictionary(grouping: Pleasure.Dimension.allCases, by: \.group) == groups)
    }

    @Test func sessionKeepsItsFields() throws {
        let json = """
            {"id":"s1","user_id":"u42","state":"mastery","state_history":["idle","drift","mastery"],\
            "timestamp_start":"2026-11-20T06:30:00Z","timestamp_end":null,\
            "pleasure_vector":{"primary":["mobility","nature_mirror"],"secondary":["path"],"intensities":{"food":0.1,"mobility":0.9}},\
            "notes":"a \\"long\\" walk","embedding_id":"e7","transcript_url":null,"media_urls":["https://example.org/a.jpg"]}
            """
        let session = try PleasureSession(json: json)
        #expect(session.state == .mastery && session.userID == "u42" && session.mediaURLs.count == 1)
        #expect(session.json == json)
        #expect(
            session.embedding == [
                .mobility: 0.9, .natureMirror: PleasureMarks.primaryDefault, .path: PleasureMarks.secondaryDefault,
                .food: 0.1,
            ])
    }

    @Test func profileKeepsItsFields() throws {
        let values = Pleasure.Dimension.allCases.map { "\"\($0.name)\":\(Float($0.rawValue) / 16)" }.joined(
            separator: ",")
        let json = """
            {"uid":"u42","pleasure_profile":{\(values)},"circadian_profile":{"dawn":["horizon"],"morning":[],"afternoon":[],\
            "evening":["food","post"],"night":[]},"current_state":"rested","session_state":"idle","context":{"weather": [1, "rain"]}}
            """
        let profile = try PleasureProfile(json: json)
        #expect(profile.pleasure[.natureMirror] == 13 / 16 && profile.circadian[.evening] == [.food, .post])
        #expect(profile.json == json)
    }

    @Test func itemKeepsItsFields() throws {
        let json = """
            {"id":"i1","name":"Canoe","type":"tool","access_mode":"public_library","location_coords":{"lat":40.7,"lng":-73.9},\
            "status":"available","affordances":[{"sense":"touch","intensity":"high","context":"water"},\
            {"pleasure_dims":["mobility","nature_mirror"]}],"temporal_tags":{"best_times":["dawn","evening"],\
            "duration_range":{"min":30.0,"max":120.0},"seasonal":["spring","summer"]}}
            """
        let item = try InventoryItem(json: json)
        #expect(item.json == json)
        let all = json.replacing("[\"spring\",\"summer\"]", with: "\"all\"")
        #expect(try InventoryItem(json: all).times.seasons == TemporalTags.Season.allCases)
    }

    @Test(arguments: [
        (
            #"{"id":"s1","user_id":"u","state":"drift","timestamp_start":"2026-01-01","pleasure_vector":{"primary":["nature"]}}"#,
            ["session s1", "field pleasure_vector.primary[0]", "nature_mirror"]
        ),
        (
            #"{"id":"s2","user_id":"u","state":"drift","timestamp_start":"2026-01-01","pleasure_vector":{"intensities":{"food":1.5}}}"#,
            ["session s2", "pleasure_vector.intensities.food must be from 0 to 1"]
        ),
        (
            #"{"id":"s3","user_id":"u","state":"idle","state_history":["idle","mastery"],"timestamp_start":"2026-01-01","pleasure_vector":{}}"#,
            ["session s3", "field state_history", "from idle to mastery"]
        ),
        (
            #"{"id":"s4","user_id":"u","state":"drift","timestamp_start":"yesterday","pleasure_vector":{}}"#,
            ["session s4", "field timestamp_start", "not a time"]
        ),
        (
            #"{"id":"s5","user_id":"u","state":"drift","timestamp_start":"2026-01-02","timestamp_end":"2026-01-01","pleasure_vector":{}}"#,
            ["session s5", "field timestamp_end", "before"]
        ),
        (
            #"{"id":"s6","user_id":"u","state":"drift","timestamp_start":"2026-01-01","pleasure_vector":{"primary":["food"],"secondary":["food"]}}"#,
            ["session s6", "field pleasure_vector.secondary", "twice"]
        ),
        (
            #"{"id":"s7","user_id":"u","state":"drift","timestamp_start":"2026-01-01"}"#,
            ["session s7", "field pleasure_vector", "missing"]
        ),
        (#"{"id":"s8","usr_id":"u"}"#, ["session s8", "usr_id", "user_id"]),
    ])
    func wrongSessionsAreRefused(_ json: String, _ expected: [String]) {
        let told = kinError { try PleasureSession(json: json) }?.description ?? "it was accepted"
        for part in expected { #expect(told.contains(part), "\(told)") }
    }

    @Test func wrongItemsAreRefused() {
        func item(_ place: String, _ rest: String) -> String {
            #"{"id":"i1","name":"a","type":"space","access_mode":"owned","location_coords":\#(place),"status":"available"\#(rest)}"#
        }
        let range = #","temporal_tags":{"duration_range":{"min":9,"max":3}}"#
        for (json, part) in [
            (item(#"{"lat":91,"lng":0}"#, ""), "location_coords.lat must be"),
            (item(#"{"lat":1}"#, ""), "field location_coords.lng"),
            (item("null", range), "field temporal_tags.duration_range"),
            (item("null", #","affordances":[{"sense":"sight"}]"#), "field affordances[0]"),
            (
                item("null", #","affordances":[{"sense":"s","intensity":"low","pleasure_dims":[]}]"#),
                "field affordances[0]"
            ),
        ] {
            let told = kinError { try InventoryItem(json: json) }?.description ?? "it was accepted: \(json)"
            #expect(told.hasPrefix("item i1") && told.contains(part), "\(told)")
        }
    }
}
