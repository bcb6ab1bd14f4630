/// The smallest change of one number that gives two people a stronger connection.
///
/// If the score is high enough without ``Affinity/shrinkage``, the change is more events of the person with fewer
/// events. Otherwise it is the block whose similarity would have to rise least, with everything else unchanged.
public struct ConnectionChange: Sendable, Hashable, DeclaredObject {
    /// The next stronger connection.
    public let connection: SoulConnection
    /// The block whose similarity rises; nil for more events.
    public let block: SoulBlock?
    /// The present similarity, 0…1, or number of events; nil for a block that one of the two lacks.
    public let present: Double?
    /// The least similarity, 0…1, or number of events for the connection.
    public let needed: Double

    package static let schema = ObjectSchema<ConnectionChange>(
        .field("connection", { $0.connection.name }),
        .field(
            "change", { $0.block?.name ?? "events" },
            "the block whose similarity would have to rise, or `events` of the person with fewer"),
        .field("present", \.present, "the similarity or number of events; null if a person lacks the block"),
        .field("needed", \.needed, "the similarity or number of events for the connection"))
}

extension AffinityModel {
    /// Finds the smallest change that raises a connection; nil if no change of one number is enough.
    ///
    /// - Parameters:
    ///   - connection: The present connection.
    ///   - sum: Σ wᵢ sᵢ over the compared blocks.
    ///   - total: Σ wᵢ.
    ///   - blocks: The compared blocks.
    ///   - evidence: The evidence factors of both souls; nil if the model does not shrink scores.
    func change(
        raising connection: SoulConnection, sum: Double, total: Double, blocks: [Affinity.BlockAffinity],
        evidence: (EvidenceFactor, EvidenceFactor)?
    ) -> ConnectionChange? {
        guard let next = SoulConnection(rawValue: connection.rawValue + 1) else { return nil }
        let (score, coverage) = (bounds.score(of: next), bounds.coverage(of: next) - SoulConnection.rounding)
        let factors = evidence.map { ($0.value, $1.value) } ?? (1, 1)
        let (less, more) = (min(factors.0, factors.1), max(factors.0, factors.1))
        if total > 0, min(1, total) >= coverage, sum / total >= score, less < 1,
            let needed = EvidenceFactor.events(reaching: score * total / sum / more)
        {
            return ConnectionChange(
                connection: next, block: nil, present: EvidenceFactor.events(reaching: less), needed: needed)
        }
        var best: (rise: Double, change: ConnectionChange)?
        for block in SoulBlock.allCases where weights[block] > 0 {
            let present = blocks.first { $0.block == block }?.similarity
            let weight = present == nil ? total + weights[block] : total
            let missing = score * weight / (factors.0 * factors.1) - sum
            let needed = (present ?? 0) + max(0, missing) / weights[block]
            guard min(1, weight) >= coverage, needed <= 1 else { continue }
            let rise = needed - (present ?? 0)
            if rise < best?.rise ?? .infinity {
                best = (rise, ConnectionChange(connection: next, block: block, present: present, needed: needed))
            }
        }
        return best?.change
    }
}
