/// The factor by which a score shrinks for the number of events behind a soul, in steps of 2⁻¹¹.
///
/// With n events, the sum of the amounts of its goals, realms and objects, a soul has the factor √((n + 1) ∕ (n + 2)).
/// A score is multiplied by the factors of both souls: by (n + 1) ∕ (n + 2) for two souls of n events each, as if each
/// had one more event that matches nothing. So equal souls of three events score 0.80, of ten 0.92. A soul mirror
/// (0.95) needs 19 events of each. A soul without goals, realms and objects has no number of events and the factor 1; its
/// connections are limited by coverage.
package struct EvidenceFactor: Sendable, Equatable {
    /// The factor in units of 2⁻¹¹, less 1: 1,447 to 2,047.
    let steps: UInt16

    /// The number of bits of ``steps``.
    static let bits: UInt64 = 11

    init(steps: UInt16) { self.steps = steps }

    init(events: Double) {
        let isCounted = events > 0 && events < 0x1p40
        let factor = isCounted ? ((events + 1) / (events + 2)).squareRoot() : 1
        steps = UInt16((factor * 0x1p11).rounded()) - 1
    }

    /// The factor that a score is multiplied by, 0.70…1.
    @inline(__always)
    var value: Double { Double(steps + 1) * 0x1p-11 }

    /// The least number of events with at least a factor; nil for a factor above 1.
    static func events(reaching factor: Double) -> Double? {
        guard factor <= 1 else { return nil }
        // Half a step less is rounded up to the factor.
        let square = max(0.5, (factor - 0x1p-12) * (factor - 0x1p-12))
        var events = max(1, (square / (1 - square) - 1).rounded(.down) - 1)
        while EvidenceFactor(events: events).value < factor { events += 1 }
        return events
    }
}
