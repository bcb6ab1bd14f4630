import KinAffinity
import KinCore
import KinJSON
import KinStore

/// The methods of affinity: comparison, matching, contributions and inboxes.
enum AffinityMethods {
    static let all = [
        affinity, match, model, keepModel, similarSouls, why, contribute, route, inbox, digest,
        method("accept", .accept),
        method("decline", .decline), method("block", .block),
    ]

    // MARK: With or without a store

    private static let affinity = EngineMethod("affinity") { call, request throws(KinError) in
        let a = try request.required("a") { reader throws(KinError) in try Soul(from: &reader) }
        let b = try request.required("b") { reader throws(KinError) in try Soul(from: &reader) }
        let requested = try RequestedModel(&request)
        let given = try requested.given(&request)
        try request.finish()
        return try requested.model(given, call).affinity(between: a, and: b).json
    }

    private static let match = EngineMethod("match") { call, request throws(KinError) in
        let souls = try request.list("souls") { reader throws(KinError) in try Soul(from: &reader) }
        let user = try request.optionalID("user")
        let k = try request.count("k", default: 10)
        let above = try request.number("above", in: 0...1)
        let coverage = try request.number("coverage", in: 0...1) ?? 0
        let threads = try request.threads()
        let requested = try RequestedModel(&request)
        let given = try requested.given(&request)
        try request.finish()
        let model = try requested.model(given, call)
        // Without a store or a model, rarity is counted among the given souls.
        let isCounted = given == nil && !call.hasStore && requested.everyGoalAlike != true
        let matcher = try SoulMatcher(
            souls, model: model, rarity: isCounted ? .automatic : .asInModel, threads: threads)
        var writer = JSONWriter()
        var failure: KinError?
        writer.array { writer in
            do throws(KinError) {
                switch (user, above) {
                case (let user?, let above?):
                    for found in try matcher.matches(of: user, above: above, minimumCoverage: coverage) {
                        found.write(to: &writer, of: user)
                    }
                case (let user?, nil):
                    for found in try matcher.mostSimilar(to: user, k: k, minimumCoverage: coverage) {
                        found.write(to: &writer, of: user)
                    }
                case (nil, let above?):
                    try matcher.forEachMatch(above: above, minimumCoverage: coverage, threads: threads) { pair in
                        pair.match.write(to: &writer, of: pair.first)
                    }
                case (nil, nil):
                    try matcher.forEachMostSimilar(k: k, minimumCoverage: coverage, threads: threads) { user, souls in
                        for found in souls { found.write(to: &writer, of: user) }
                    }
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return writer.text
    }

    // MARK: With a store

    private static let similarSouls = EngineMethod("similar_souls") { call, request throws(KinError) in
        let (user, k) = (try request.id("user"), try request.count("k", default: 10))
        let coverage = try request.number("coverage", in: 0...1) ?? 0
        let requested = try RequestedModel(&request)
        try request.finish()
        let found = try requested.matcher(of: call.store).mostSimilar(to: user, k: k, minimumCoverage: coverage)
        var writer = JSONWriter()
        writer.array(found) { $0.write(to: &$1, of: user) }
        return writer.text
    }

    private static let why = EngineMethod("why") { call, request throws(KinError) in
        let (user, other) = (try request.id("user"), try request.id("other"))
        let requested = try RequestedModel(&request)
        try request.finish()
        return try requested.matcher(of: call.store).affinity(between: user, and: other).json
    }

    private static let model = EngineMethod("affinity_model") { call, request throws(KinError) in
        try request.finish()
        return try call.store.affinityModel().json
    }

    private static let keepModel = EngineMethod("keep_affinity_model") { call, request throws(KinError) in
        let requested = try RequestedModel(&request)
        try request.finish()
        let store = try call.store
        var settings = try store.affinitySettings()
        settings.weights = requested.weights ?? settings.weights
        settings.everyGoalAlike = requested.everyGoalAlike ?? settings.everyGoalAlike
        try finishing { [settings] in try await store.put(settings) }
        return try store.affinityModel().json
    }

    private static let contribute = EngineMethod("contribute") { call, request throws(KinError) in
        let user = try request.id("user")
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
        let requested = try RequestedModel(&request)
        try request.finish()
        let (store, now) = (try call.store, call.now)
        let matcher = try requested.matcher(of: store, threads: threads)
        let report = try finishing { try await store.route(with: matcher, at: now) }
        return """
            {"contributions":\(report.contributions),"deliveries":\(report.deliveries),"waiting":\(report.waiting)}
            """
    }

    private static let inbox = EngineMethod("inbox") { call, request throws(KinError) in
        let user = try request.id("user")
        let state = try request.choice("state", of: InboxState.allCases, named: InboxState.names)
        try request.finish()
        let store = try call.store
        let items = if let state { try store.inbox(of: user, state) } else { try store.inbox(of: user) }
        var writer = JSONWriter()
        writer.array(items) { $0.write(to: &$1) }
        return writer.text
    }

    private static let digest = EngineMethod("digest") { call, request throws(KinError) in
        let user = try request.id("user")
        let since = try request.requiredInstant("since")
        try request.finish()
        return try call.store.digest(of: user, since: since).json
    }

    private enum Decision { case accept, decline, block }

    /// A method that decides about an inbox item.
    private static func method(_ name: String, _ decision: Decision) -> EngineMethod {
        EngineMethod(name) { call, request throws(KinError) in
            let (user, item) = (try request.id("user"), try request.id("item"))
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

}

/// The affinity model of a request; values that it leaves out are those of the store, or the standard ones.
private struct RequestedModel {
    let weights: AffinityWeights?
    let everyGoalAlike: Bool?

    /// Reads the parameters `weights` and `every_goal_alike`.
    init(_ request: inout EngineRequest) throws(KinError) {
        weights = try request.optional("weights") { reader throws(KinError) in try AffinityWeights(from: &reader) }
        everyGoalAlike = try request.optionalBoolean("every_goal_alike")
    }

    /// Reads the parameter `model`, an answer of `affinity_model`.
    func given(_ request: inout EngineRequest) throws(KinError) -> AffinityModel? {
        try request.optional("model") { reader throws(KinError) in try AffinityModel(from: &reader) }
    }

    /// The model for the souls of a request: the given one, the store's, or the standard one.
    func model(_ given: AffinityModel?, _ call: EngineCall) throws(KinError) -> AffinityModel {
        if given == nil, call.hasStore {
            return try call.store.affinityModel(weights: weights, everyGoalAlike: everyGoalAlike)
        }
        var model = given ?? .standard
        model.weights = weights ?? model.weights
        if everyGoalAlike == true { model.rarity = nil }
        return model
    }

    /// The matcher of a store's souls by the requested model.
    func matcher(of store: Store, threads: Int = 1) throws(KinError) -> SoulMatcher {
        try store.matcher(weights: weights, everyGoalAlike: everyGoalAlike, threads: threads)
    }
}
