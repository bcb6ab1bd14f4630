import Foundation
import KinStore

/// Records in the form of the apps' documents, with ids.
enum AppDocuments {
    static let baby = """
        {"id": "b1", "name": "Ada", "dateOfBirth": "2026-01-05T00:00:00Z", "gender": "female", "photoURL": null,
         "owners": ["mum", "dad"], "createdBy": "mum", "createdAt": "2026-01-06T08:30:00Z"}
        """
    static let events = [
        """
        {"id": "e1", "babyId": "b1", "type": "feed", "timestamp": "2026-05-01T10:00:00Z", "createdBy": "dad",
         "createdAt": "2026-05-01T10:20:00Z", "updatedAt": "2026-05-01T10:21:00Z", "notes": "sleepy",
         "photoURLs": ["https://a.example/1.jpg"],
         "feedData": {"method": "bottle", "volume": 4.5, "side": null, "duration": 12, "foodType": null}}
        """,
        """
        {"id": "e2", "babyId": "b1", "type": "feed", "timestamp": {"seconds": 1777640400, "nanoseconds": 0},
         "createdBy": "mum", "createdAt": {"_seconds": 1777640400, "_nanoseconds": 5000000},
         "feedData": {"method": "breast", "side": "left", "duration": 20}}
        """,
        """
        {"id": "e3", "babyId": "b1", "type": "sleep", "timestamp": "2026-05-01T14:05:00Z", "createdBy": "mum",
         "sleepData": {"startTime": "2026-05-01T12:30:00Z", "endTime": "2026-05-01T14:00:00Z", "duration": 90,
                       "quality": "good", "napNumber": 2, "isNightSleep": false}}
        """,
        """
        {"id": "e4", "babyId": "b1", "type": "sleep", "timestamp": "2026-05-01T19:30:00Z",
         "sleepData": {"startTime": "2026-05-01T19:30:00Z", "endTime": null, "isNightSleep": true}}
        """,
        """
        {"id": "e5", "babyId": "b1", "type": "diaper", "timestamp": "2026-05-01T09:00:00Z", "diaperData": {"type": "both"}}
        """,
        """
        {"id": "e6", "babyId": "b1", "type": "milestone", "timestamp": "2026-05-01T09:30:00Z",
         "milestoneData": {"title": "Rolled over", "description": "to the left", "category": "physical"}}
        """,
    ]
    static let quote = (1...16).map { "word\($0)" }.joined(separator: " ")
    static let danke = [
        """
        {"id": 7, "quote": "\(quote)", "quoteSource": "The Art of Focus", "action": "Sit still.",
         "actionDuration": "15 min", "domain": "health", "difficulty": "beginner"}
        """,
        """
        {"userId": "u", "currentDay": 3, "domainFocus": "wealth", "widgetRefreshTime": "2026-01-18T00:00:00Z",
         "eveningReminderEnabled": false, "eveningReminderTime": "2026-01-18T20:00:00Z"}
        """,
        """
        {"userId": "v", "currentDay": 1, "domainFocus": null, "widgetRefreshTime": 790387200,
         "eveningReminderEnabled": true, "eveningReminderTime": 790444800}
        """,
        """
        {"userId": "u", "dayNumber": 7, "completed": true, "reflectionText": "Quiet.", "timestamp": "2026-01-19T21:00:00Z"}
        """,
    ]
    static let challenge = """
        {"id": "c1", "title": "Walk", "description": "Walk home.", "category": "nature", "timeInvestment": 15,
         "socialRequirement": 0, "costLevel": 1, "difficultyLevel": 2, "tags": ["out"], "isActive": true,
         "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-02T00:00:00Z"}
        """
    static let outOfBox = [
        challenge,
        """
        {"challengeID": "c2", "title": "Call", "description": "", "category": "creativity", "timeInvestment": 2,
         "socialRequirement": 2, "costLevel": 0, "difficultyLevel": 1, "tags": [], "isActive": false,
         "minAppVersion": "1.2", "contentHash": "9f86d081"}
        """,
        """
        {"userID": "u", "id": "x1", "challenge": \(challenge), "status": "completed",
         "assignedDate": "2026-01-03T08:00:00Z", "completedDate": "2026-01-03T09:00:00Z", "photoPath": "p/1.jpg",
         "userRating": 4, "completionTime": 600}
        """,
        """
        {"userID": "u", "id": "x2", "challenge": \(challenge), "status": "pending",
         "assignedDate": "2026-01-04T08:00:00Z", "completedDate": null, "photoPath": null, "userRating": null,
         "completionTime": null}
        """,
        """
        {"userID": "u", "id": "p1", "timeWindow": {"start": "09:00", "end": "18:30"}, "preferredCategories": ["nature"],
         "maxTimeInvestment": 30, "budgetLevel": 1, "socialComfortLevel": 2, "notificationsEnabled": true,
         "lastPersonalizationUpdate": "2026-01-01T00:00:00Z"}
        """,
        """
        {"userID": "x", "id": "p2", "timeWindow": "10:00-20:00", "preferredCategories": [], "maxTimeInvestment": 1,
         "budgetLevel": 3, "socialComfortLevel": 0, "notificationsEnabled": false}
        """,
        """
        {"userID": "w", "preferences": "\(encodedPreferences)", "completedChallenges": ["c1"],
         "lastSyncDate": "2026-01-01T00:00:00Z", "deviceIdentifier": "d"}
        """,
    ]
    static let encodedPreferences = Data(
        #"{"id":"p3","timeWindow":"10:00-20:00","maxTimeInvestment":2,"budgetLevel":0,"socialComfortLevel":1,"notificationsEnabled":false,"lastPersonalizationUpdate":"2026-01-01T00:00:00Z"}"#
            .utf8
    ).base64EncodedString()
    static let grain = [
        """
        {"uid": "u", "pleasure_profile": {"order": 0.6, "enclosure": 0.4, "path": 0.7, "horizon": 0.5, "anxiety": 0.3,
          "ignorance": 0.8, "repetition": 0.5, "post": 0.6, "food": 0.7, "mobility": 0.8, "erotic_uncertainty": 0.4,
          "material_play": 0.6, "power": 0.3, "nature_mirror": 0.7, "serendipity_following": 0.9, "anchor_expansion": 0.5},
         "circadian_profile": {"dawn": ["nature_mirror", "mobility"], "morning": ["order"], "afternoon": ["food"],
          "evening": ["enclosure"], "night": ["horizon"]},
         "current_state": "depleted", "session_state": "idle", "context": "nyc"}
        """,
        """
        {"id": "i1", "name": "Zoom H4n Recorder", "type": "tool", "access_mode": "public_library",
         "location_coords": {"lat": 40.7, "lng": -73.9}, "status": "available",
         "affordances": [{"sense": "auditory", "intensity": "high", "context": "solitude"},
                         {"pleasure_dims": ["material_play", "order"]}],
         "temporal_tags": {"best_times": ["morning"], "duration_range": {"min": 30, "max": 120}, "seasonal": ["all"]}}
        """,
        """
        {"id": "s1", "user_id": "u", "state": "drift", "state_history": ["idle", "drift", "mastery", "drift"],
         "timestamp_start": "2026-01-01T10:00:00Z", "timestamp_end": "2026-01-01T11:00:00Z", "transcript_url": "t",
         "media_urls": ["m"], "pleasure_vector": {"primary": ["mobility"], "secondary": ["horizon"],
          "intensities": {"mobility": 0.7, "horizon": 0.3}}, "notes": "n", "embedding_id": "v1"}
        """,
        """
        {"id": "s2", "user_id": "u", "state": "drift", "state_history": ["idle", "drift"],
         "timestamp_start": {"_seconds": 1777640400, "_nanoseconds": 0},
         "timestamp_end": {"seconds": 1777644000, "nanoseconds": 5000000}, "media_urls": [],
         "pleasure_vector": {"primary": ["order"], "secondary": [], "intensities": {"order": 1},
          "embedding": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}}
        """,
    ]

    static let serenity = [
        """
        {"uid": "u", "goals": {"anxiety": 5, "sleep": 2}, "realms": {"ocean": 4, "aurora": 1}, "objects": {"moon": 3},
         "patterns": {"hours": [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0], "minutes": 15, "sessions_per_week": 4, "streak": 9}, "valence": 0.25}
        """
    ]

    static let all: [(RecordShape, [String])] = [
        (.babysync, [baby] + events), (.danke, danke), (.outOfBox, outOfBox), (.grain, grain), (.serenity, serenity),
    ]

    /// The words of the documents' enumerations, in Kin's spelling.
    static let words: Set<String> = {
        let lists: [[String]] = [
            ["feed", "sleep", "diaper", "milestone", "beginner", "intermediate", "advanced", "all"],
            RhythmRecord.Feed.Method.allCases.map(\.rawValue), RhythmRecord.Feed.Side.allCases.map(\.rawValue),
            RhythmRecord.Sleep.Quality.allCases.map(\.rawValue), RhythmRecord.Diaper.allCases.map(\.rawValue),
            RhythmRecord.MilestoneCategory.allCases.map(\.rawValue), ContentDomain.allCases.map(\.rawValue),
            UserChallenge.Status.allCases.map(\.rawValue), SocialRequirement.allCases.map(\.rawValue),
            CostLevel.allCases.map(\.rawValue), TimeInvestment.Length.allCases.map(\.rawValue),
            SessionState.allCases.map(\.name), Pleasure.Dimension.allCases.map(\.name),
            InventoryItem.Kind.allCases.map(\.name), InventoryItem.Access.allCases.map(\.name),
            InventoryItem.Status.allCases.map(\.name), Affordance.Intensity.allCases.map(\.name),
            ["dawn", "morning", "afternoon", "evening", "night"], TemporalTags.Season.names,
        ]
        return Set(lists.joined())
    }()

    /// Spellings of a word: in capitals, as a Swift case, in camel case, with blanks, and capitalized with hyphens.
    static let spellings: [@Sendable (String) -> String] = [
        { $0.uppercased() }, { "." + camelCase($0) }, { camelCase($0) }, { $0.replacing("_", with: " ") },
        { $0.replacing("_", with: "-").capitalized },
    ]

    private static func camelCase(_ word: String) -> String {
        let parts = word.split(separator: "_")
        return parts.dropFirst().reduce(String(parts[0])) { $0 + $1.capitalized }
    }
}
