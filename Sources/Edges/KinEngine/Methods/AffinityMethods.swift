import KinAffinity
import KinCore
import KinJSON
import KinStore

/// Who is like whom, and what people make for each other.
enum AffinityMethods {
    static let all = [
        affinity, match, kindred, why, contribute, route, inbox, away, method("accept", .accept),
        method("decline", .decline), method("block", .block),
    ]

    // MARK: Without a store

    private static let affinity = EngineMethod("affinity") { _, request throws(KinError) in
        let a = try request.required("a") { reader throws(KinError) in try Soul(from: &reader) }
        let b = try request.required("b") { reader throws(KinError) in try Soul(from: &reader) }
        let weights = try weights(&request)
        try request.finish()
        return AffinityModel(weights: weights).affinity(between: a, and: b).json
    }

    private static let match = EngineMethod("match") { _, request throws(KinError) in
        let souls = try request.list("souls") { reader throws(KinError) in try Soul(from: &reader) }
        let user = try request.optionalString("user")
        let k = try request.count("k", default: 10)
        let above = try request.number("above", in: 0...1)
        let evidence = try request.number("evidence", in: 0...1) ?? 0
        let isPlain = try request.boolean("every_goal_alike")
        let threads = try request.threads()
        let weights = try weights(&request)
        try request.finish()
        let matcher = try Matcher(
            souls, model: AffinityModel(weights: weights), rarity: isPlain ? .asInModel : .automatic, threads: threads)
        var writer = JSONWriter()
        var failure: KinError?
        writer.array { writer in
            do throws(KinError) {
                switch (user, above) {
                case (let user?, let above?):
                    for found in try matcher.matches(of: user, above: above, evidence: evidence) {
                        found.write(to: &writer, of: user)
                    }
                case (let user?, nil):
                    for found in try matcher.kindred(of: user, k: k, evidence: evidence) {
                        found.write(to: &writer, of: user)
                    }
                case (nil, let above?):
                    try matcher.forEachMatch(above: above, evidence: evidence, threads: threads) { pair in
                        let found = Kindred(userID: pair.second, affinity: pair.affinity, evidence: pair.evidence)
                        found.write(to: &writer, of: pair.first)
                    }
                case (nil, nil):
                    try matcher.forEachKindred(k: k, evidence: evidence, threads: threads) { user, kindred in
                        for found in kindred { found.write(to: &writer, of: user) }
                    }
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return writer.text
    }

    // MARK: With a store

    private static let kindred = EngineMethod("kindred") { call, request throws(KinError) in
        let (user, k) = (try request.string("user"), try request.count("k", default: 10))
        let evidence = try request.number("evidence", in: 0...1) ?? 0
        try request.finish()
        let found = try call.store.matcher().kindred(of: user, k: k, evidence: evidence)
        var writer = JSONWriter()
        writer.array(found) { $0.write(to: &$1, of: user) }
        return writer.text
    }

    private static let why = EngineMethod("why") { call, request throws(KinError) in
        let (user, other) = (try request.string("user"), try request.string("other"))
        try request.finish()
        return try call.store.matcher().affinity(between: user, and: other).json
    }

    private static let contribute = EngineMethod("contribute") { call, request throws(KinError) in
        let user = try request.string("user")
        let contribution = try request.required("contribution") { reader throws(KinError) in
            try Contribution(from: &reader)
        }
        let made = try request.instant("made") ?? call.now
        try request.finish()
        let store = try call.store
        let id = try finishing { try await store.contribute(contribution, by: user, at: made) }
        return "{\"id\":\"\(id)\"}"
    }

    private static let route = EngineMethod("route") { call, request throws(KinError) in
        let threads = try request.threads()
        try request.finish()
        let (store, now) = (try call.store, call.now)
        let matcher = try store.matcher(threads: threads)
        let report = try finishing { try await store.route(with: matcher, at: now) }
        return "{\"contributions\":\(report.contributions),\"deliveries\":\(report.deliveries)}"
    }

    private static let inbox = EngineMethod("inbox") { call, request throws(KinError) in
        let user = try request.string("user")
        let state = try request.choice("state", of: InboxState.allCases, named: InboxState.names)
        try request.finish()
        let store = try call.store
        let items = if let state { try store.inbox(of: user, state) } else { try store.inbox(of: user) }
        var writer = JSONWriter()
        writer.array(items) { $0.write(to: &$1) }
        return writer.text
    }

    private static let away = EngineMethod("away") { call, request throws(KinError) in
        let user = try request.string("user")
        let since = try request.requiredInstant("since")
        try request.finish()
        return try call.store.away(user, since: since).json
    }

    private enum Decision { case accept, decline, block }

    /// A decision about an item.
    private static func method(_ name: String, _ decision: Decision) -> EngineMethod {
        EngineMethod(name) { call, request throws(KinError) in
            let (user, item) = (try request.string("user"), try request.string("item"))
            try request.finish()
            let store = try call.store
            try finishing {
                switch decision {
                case .accept: try await store.accept(item, by: user)
                case .decline: try await store.decline(item, by: user)
                case .block: try await store.blockAuthor(of: item, by: user)
                }
            }
            return "{}"
        }
    }

    // MARK: Parts

    private static let blocks = JSONKeys(SoulBlock.names, required: [])

    /// An object of blocks and their weights, those left out 0; the standard ones if there is none.
    private static func weights(_ request: inout EngineRequest) throws(KinError) -> AffinityWeights {
        try request.optional("weights") { reader throws(KinError) in
            var values = [Double](repeating: 0, count: SoulBlock.names.count)
            try reader.members(of: blocks) { reader, block throws(KinError) in values[block] = try reader.number() }
            return try AffinityWeights(values)
        } ?? .standard
    }
}
