// module: KinAffinity
// seeds: Tests/Fuzz/Seeds/AffinityText

// Reads arbitrary bytes as a soul, an event and a contribution. Accepted values are written and read again, and must be
// the same, and so must a soul that learned from an event. A soul is exactly like itself, and the matcher gives the
// formula's score for two souls.

import KinAffinity
import KinJSON

@c(LLVMFuzzerTestOneInput)
public func fuzzAffinityText(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
    if let contribution = unsafe try? Contribution(json: String(decoding: input, as: UTF8.self)) {
        guard let again = try? Contribution(json: contribution.json) else {
            preconditionFailure("a contribution that was written is refused")
        }
        precondition(again == contribution, "a contribution that was written is another")
    }
    if let event = unsafe tryRecord(SoulEvent.self, input) { learn(event) }
    guard let soul = unsafe tryRecord(Soul.self, input) else { return 0 }
    let own = AffinityModel.standard.affinity(between: soul, and: soul)
    precondition(own.blocks.isEmpty ? own.score == 0 : own.score == 1, "a soul is \(own.score) like itself")
    compare(soul)
    return 0
}

/// Lets a soul learn from an event twice.
private func learn(_ event: SoulEvent) {
    guard var soul = try? Soul(userID: event.userID), let zone = try? LocalZone(named: "+05:30") else {
        preconditionFailure("an event of nobody")
    }
    for _ in 0..<2 where (try? soul.learn(event, in: zone)) != nil {
        precondition((try? Soul(parsing: soul.jsonText)) == soul, "a soul that learned is another: \(soul.jsonText)")
    }
}

/// Checks the matcher against the formula, with people of every kind.
private func compare(_ soul: Soul) {
    var others: [Soul] = [soul]
    for text in [
        #"{"uid":"\u0001a","goals":{"sleep":3,"x":1}}"#, #"{"uid":"\u0001b","realms":{"forest":2},"valence":-0.5}"#,
        #"{"uid":"\u0001c","goals":{"sleep":1},"objects":{"tree":9},"valence":1}"#,
    ] {
        if let other = try? Soul(json: text), other.userID != soul.userID { others.append(other) }
    }
    guard let matcher = try? SoulMatcher(others), let kindred = try? matcher.mostSimilar(to: soul.userID, k: 9) else {
        return
    }
    for match in kindred {
        guard let other = others.first(where: { $0.userID == match.userID }) else { preconditionFailure("a stranger") }
        let score = matcher.model.affinity(between: soul, and: other).score
        precondition(score == match.affinity, "the matcher scores \(match.affinity), the formula \(score)")
    }
}
