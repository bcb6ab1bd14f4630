import KinLibC

/// Assigns people to the variants of an experiment by a keyed hash.
///
/// Let u be the HMAC-SHA256 of experiment, person and variant, as a number between 0 and 1. A person has the variant
/// with the least −ln u ∕ weight. These are exponential variables with the weights as rates, so each variant is the
/// least with a probability in proportion to its weight (weighted rendezvous hashing; Efraimidis and Spirakis 2006,
/// "Weighted random sampling with a reservoir", doi:10.1016/j.ipl.2005.11.003).
///
/// Nothing is stored, and the order of the variants does not matter. Adding a variant or increasing its weight moves
/// people only to that variant, never between the others. Without the key, assignments cannot be predicted. Assignments
/// under different names or keys are independent.
public struct Experiment: Sendable {
    /// A variant of an experiment.
    public struct Variant: Sendable, Hashable {
        /// The name, part of the hash that assigns people.
        public let name: String
        /// The share of people relative to the other variants, above 0.
        public let weight: Double

        /// Creates a variant, which ``Experiment/init(_:key:variants:)`` checks.
        public init(_ name: String, weight: Double = 1) {
            self.name = name
            self.weight = weight
        }
    }

    /// The name of the experiment.
    public let name: String
    /// The variants in the order given.
    public let variants: [Variant]
    private let code: HMACSHA256

    /// Creates an experiment from a name, a secret and variants.
    ///
    /// - Parameters:
    ///   - name: The name; a different name gives independent assignments.
    ///   - key: The secret, 16 bytes or more.
    ///   - variants: One or more variants with different names.
    /// - Throws: `.invalidArgument` for an empty name, a key under 16 bytes, no variants, or a weight that is not
    ///   positive and finite; `.duplicateID` if two variants have the same name.
    public init(_ name: String, key: [UInt8], variants: [Variant]) throws(KinError) {
        guard !name.isEmpty, variants.allSatisfy({ !$0.name.isEmpty }) else {
            throw KinError(.invalidArgument, "the names of an experiment and its variants must not be empty")
        }
        guard key.count >= 16 else {
            throw KinError(.invalidArgument, "the key has \(key.count) bytes; give 16 or more random ones")
        }
        guard !variants.isEmpty else { throw KinError(.invalidArgument, "the experiment has no variants") }
        var names = Set<String>()
        for variant in variants {
            guard variant.weight > 0, variant.weight.isFinite else {
                throw KinError(
                    .invalidArgument,
                    "the weight of '\(variant.name)' must be finite and above 0, not \(variant.weight)")
            }
            guard names.insert(variant.name).inserted else {
                throw KinError(.duplicateID, "two variants have the name '\(variant.name)'")
            }
        }
        self.name = name
        self.variants = variants
        code = HMACSHA256(key: key)
    }

    /// Returns the index in ``variants`` of a person's variant, by the id in its normal form (`RecordID`). O(variants), a
    /// few microseconds each.
    public func assign(_ person: String) -> Int {
        var (least, chosen) = (Double.infinity, 0)
        for (index, variant) in variants.enumerated() {
            let arrival = -log(uniform(person, variant.name)) / variant.weight
            if arrival < least { (least, chosen) = (arrival, index) }
        }
        return chosen
    }

    /// The hash of a person and a variant, strictly between 0 and 1.
    private func uniform(_ person: String, _ variant: String) -> Double {
        var message: [UInt8] = []
        for text in [name, RecordID.normalized(person), variant] {
            // Length prefixes make the joined message unambiguous.
            message += "\(text.utf8.count):".utf8
            message += text.utf8
        }
        let bits = code.code(of: message).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return (Double(bits >> 12) + 0.5) * 0x1p-52
    }
}
