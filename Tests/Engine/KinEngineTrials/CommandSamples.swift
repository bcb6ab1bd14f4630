import Foundation
package import KinEngine
import KinSamples

/// A command with a request that succeeds.
package struct CommandSample: Sendable, CustomStringConvertible {
    package let method: String
    package let request: String

    init(_ method: String, _ request: String = "{}") {
        self.method = method
        self.request = request
    }

    package var description: String { "\(method) \(request)" }
}

/// A small household with records for every command of the table, and requests that contend for the same records.
package struct CommandSamples: Sendable {
    /// The records as lines for an import.
    package let lines: String
    package let commands: [CommandSample]

    /// The clock of every engine.
    package static let now = "2026-03-28T20:00:00Z"
    package static let namingKey = Array("0123456789abcdef".utf8)
    private static let settings = Engine.Settings(namingKey: namingKey) { () throws(KinError) in
        try Timestamp(parsing: now)
    }

    /// Creates the records and requests.
    ///
    /// - Parameter folder: A folder for the files that commands read and write.
    package init(folder: String) throws(KinError) {
        let world = try SampleWorld(seed: 7, people: 4)
        let users = world.ids["user"] ?? []
        let (one, two, three) = (users[0], users[1], users[2])
        let open = Self.session("open", of: one)
        let engine = Engine(Self.settings)
        // A few of each kind, so that a test can create thousands of stores quickly.
        var counts: [String: Int] = [:]
        for (kind, json) in world.records where counts[kind, default: 0] < 6 {
            counts[kind, default: 0] += 1
            _ = try engine.call("put", "{\"records\":[\(json)]}")
        }
        _ = try engine.call("put", "{\"records\":[\(open)]}")
        _ = try engine.call("keep_affinity_model", #"{"connections":"quantile","quantiles":{"parallel_path":0.1}}"#)
        for (user, title) in [(one, "First"), (two, "Second"), (three, "Third")] {
            _ = try engine.call("contribute", Self.story(title, by: user))
        }
        _ = try engine.call("route")
        for (user, title) in [(one, "Fourth"), (two, "Fifth")] {
            _ = try engine.call("contribute", Self.story(title, by: user))
        }
        _ = try engine.call("assign", "{\"user\":\"\(one)\"}")
        _ = try engine.call("share_baby", "{\"user\":\"\(one)\",\"baby\":\"b1\",\"other\":\"\(two)\"}")
        let insight = #"{"id":"fewer_naps","title":"Fewer naps","value":1,"expires":"2036-01-01","dismissed":false}"#
        let ledger = "{\"user_id\":\"\(one)\",\"baby\":\"b1\",\"insights\":[\(insight)]}"
        _ = try engine.call("put", "{\"records\":[{\"insight_ledger\":\(ledger)}]}")
        let items = try engine.inbox(of: one)
        let item = items.first?.id ?? "none"
        lines = try Self.export(engine)
        let imported = folder + "/imported.jsonl"
        let text = Self.session("imported", of: one) + "\n" + world.souls[1].asRecord("soul") + "\n"
        guard FileManager.default.createFile(atPath: imported, contents: Data(text.utf8)) else {
            throw KinError(.inputOutput, "cannot write the file of the import").within("output", imported)
        }
        let event = #"{"features":[0.5,0.25,1],"arm":1,"propensity":0.5}"#
        commands = [
            CommandSample("put", "{\"records\":[\(Self.session("open", of: one, "later"))]}"),
            CommandSample("put", "{\"records\":[\(world.souls[3].asRecord("soul"))]}"),
            CommandSample("import", "{\"path\":\"\(imported)\",\"threads\":2}"),
            CommandSample("remove", #"{"session":"open"}"#),
            CommandSample("remove", "{\"kind\":\"soul\",\"user\":\"\(one)\"}"),
            CommandSample("forget", "{\"user\":\"\(one)\"}"),
            CommandSample("save_indexes"), CommandSample("suspend"),
            CommandSample("advance", #"{"session":"open","state":"drift"}"#),
            CommandSample("advance", #"{"session":"open","state":"mastery"}"#),
            CommandSample("end", #"{"session":"open"}"#),
            CommandSample(
                "learn_souls",
                "{\"events\":[{\"uid\":\"\(one)\",\"at\":\"\(Self.now)\",\"goals\":[\"Calm\"],\"minutes\":20,\"reaction\":0.5}]}"
            ),
            CommandSample(
                "learn_souls",
                "{\"events\":[{\"uid\":\"new\",\"at\":\"\(Self.now)\",\"goals\":[\"Sleep\"],\"minutes\":20}]}"),
            CommandSample("keep_affinity_model", #"{"weights":{"goals":2,"realms":1}}"#),
            CommandSample("keep_affinity_model", #"{"deliveries_per_day":1}"#),
            CommandSample("contribute", Self.story("Sixth", by: one)), CommandSample("route"),
            CommandSample("accept", "{\"user\":\"\(one)\",\"item\":\"\(item)\"}"),
            CommandSample("decline", "{\"user\":\"\(one)\",\"item\":\"\(item)\"}"),
            CommandSample("block", "{\"user\":\"\(one)\",\"item\":\"\(item)\"}"),
            CommandSample("assign", "{\"user\":\"\(two)\"}"), CommandSample("complete", "{\"user\":\"\(two)\"}"),
            CommandSample("complete", "{\"user\":\"\(one)\",\"rating\":5}"),
            CommandSample("skip", "{\"user\":\"\(one)\"}"),
            CommandSample("reflect", "{\"user\":\"\(one)\",\"text\":\"well\"}"),
            CommandSample("rotation", "{\"user\":\"\(one)\",\"focus\":\"health\"}"),
            CommandSample("prefer", "{\"user\":\"\(one)\",\"preferences\":{\"max_time\":30,\"current_day\":5}}"),
            CommandSample("prefer", "{\"user\":\"\(one)\",\"preferences\":{\"recovery_days\":2}}"),
            CommandSample("notified", "{\"user\":\"\(one)\",\"sent\":\"\(Self.now)\",\"answered\":true}"),
            CommandSample("share_baby", "{\"user\":\"\(one)\",\"baby\":\"b1\",\"other\":\"\(three)\"}"),
            CommandSample("unshare_baby", "{\"user\":\"\(two)\",\"baby\":\"b1\",\"other\":\"\(one)\"}"),
            CommandSample("put", "{\"records\":[\(Self.event("new", of: two))]}"),
            CommandSample("remove", "{\"kind\":\"care_event\",\"user\":\"\(two)\",\"baby\":\"b1\",\"id\":\"e1\"}"),
            CommandSample("record_predictions", "{\"user\":\"\(two)\",\"baby\":\"b1\"}"),
            CommandSample(
                "record_predictions", "{\"user\":\"\(one)\",\"baby\":\"b1\",\"now\":\"\(Self.now)\",\"coverage\":0.5}"),
            CommandSample("record_insights", "{\"user\":\"\(two)\",\"baby\":\"b1\"}"),
            CommandSample("record_insights", "{\"user\":\"\(one)\",\"baby\":\"b1\",\"now\":\"\(Self.now)\"}"),
            CommandSample("dismiss_insight", "{\"user\":\"\(one)\",\"baby\":\"b1\",\"insight\":\"fewer_naps\"}"),
            CommandSample("create_policy", #"{"policy":"new","dimension":2,"arms":2}"#),
            CommandSample("choose_arm", #"{"policy":"arms","context":[0.5,1,0]}"#),
            CommandSample("choose_action", #"{"policy":"actions","actions":[[0,1,0],[1,0.5,1]]}"#),
            CommandSample("learn", "{\"policy\":\"arms\",\"reward\":0.5,\"event\":\(event)}"),
        ]
    }

    /// A new engine with the records: in memory or, with a path, on a disk.
    package func engine(at path: String? = nil) throws(KinError) -> Engine {
        guard let path else {
            let engine = Engine(Self.settings)
            _ = try engine.call("put", "{\"records\":[\(lines.split(separator: "\n").joined(separator: ","))]}")
            return engine
        }
        return try Engine(store: path, Self.settings)
    }

    /// All records of an engine's store, one per line, without the random names of forgotten authors.
    package static func export(_ engine: Engine) throws(KinError) -> String {
        var text: [UInt8] = []
        try engine.store.exportLines { lines throws(KinError) in text += lines }
        let parts = String(decoding: text, as: UTF8.self).components(separatedBy: "caregiver-")
        return parts[0] + parts.dropFirst().map { "caregiver" + $0.drop(while: \.isHexDigit) }.joined()
    }

    private static func session(_ id: String, of user: String, _ place: String = "at home") -> String {
        """
        {"session":{"id":"\(id)","user_id":"\(user)","state":"idle","timestamp_start":"2026-03-28T19:00:00Z",\
        "pleasure_vector":{"primary":["food"],"secondary":[],"intensities":{"food":0.5}},"notes":"\(place)"}}
        """
    }

    private static func event(_ id: String, of user: String) -> String {
        """
        {"care_event":{"user_id":"\(user)","baby":"b1","event":{"id":"\(id)","type":"diaper","kind":"wet",\
        "start":"2026-01-09T10:00"}}}
        """
    }

    private static func story(_ title: String, by user: String) -> String {
        """
        {"user":"\(user)","made":"2026-03-28T10:00:00Z","contribution":{"story":{"title":"\(title)","content":"Once",\
        "triggerZone":"Pool","narrativeType":"fable"}}}
        """
    }
}

extension String {
    /// The JSON of a record under the name of its kind.
    fileprivate func asRecord(_ kind: String) -> String { "{\"\(kind)\":\(self)}" }
}
