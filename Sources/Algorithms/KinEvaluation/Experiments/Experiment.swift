public import KinCore
import KinLibC

/// The assignment of people to the variants of an experiment, by a keyed hash.
///
/// With u the HMAC-SHA256 of experiment, person and variant as a number between 0 and 1, a person has the variant of the least −ln u ∕ weight. These are
/// exponential variables of the rates of the weights, so that a variant is the least in proportion to its weight (weighted rendezvous hashing; Efraimidis and
/// Spirakis 2006, "Weighted random sampling with a reservoir", doi:10.1016/j.ipl.2005.11.003). Nothing is stored; the order of the variants does not
/// matter; a variant that is added or gets a larger weight takes people from the others, and moves nobody between those. Without the
/// key nobody can tell who has which variant, and assignments of two names or keys are independent.
public struct Experiment: Sendable {
    /// A variant of an experiment.
    public struct Variant: Sendable, Hashable {
        /// The name, by which people are assigned.
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

    /// Creates an experiment of a name, a secret and variants.
    ///
    /// - Parameters:
    ///   - name: The name: another one gives independent assignments.
    ///   - key: The secret, 16 bytes or more.
    ///   - variants: One variant or more, of different names.
    /// - Throws: `.invalidArgument` for an empty name, a shorter key, no variants, a weight that is not above 0 and finite; `.duplicateID` for two
    ///   variants of one name.
    public init(_ name: String, key: [UInt8], variants: [Variant]) throws(KinError) {
        guard !name.isEmpty, variants.allSatisfy({ !$0.name.isEmpty }) else {
            throw KinError(.invalidArgument, "an experiment and its variants have names that are not empty")
        }
        guard key.count >= 16 else {
            throw KinError(.invalidArgument, "the key has \(key.count) bytes; give 16 or more random ones")
        }
        guard !variants.isEmpty else { throw KinError(.invalidArgument, "the experiment has no variants") }
        var names = Set<String>()
        for variant in variants {
            guard variant.weight > 0, variant.weight.isFinite else {
                throw KinError(
                    .invalidArgument, "the weight of '\(variant.name)' is \(variant.weight); it is above 0 and finite")
            }
            guard names.insert(variant.name).inserted else {
                throw KinError(.duplicateID, "two variants have the name '\(variant.name)'")
            }
        }
        self.name = name
        self.variants = variants
        code = HMACSHA256(key: key)
    }

    /// Finds the variant of a person: its index in ``variants``; O(variants), some microseconds each.
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
        for text in [name, person, variant] {
            // Lengths separate texts that would be ambiguous when joined.
            message += "\(text.utf8.count):".utf8
            message += text.utf8
        }
        let bits = code.code(of: message).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return (Double(bits >> 12) + 0.5) * 0x1p-52
    }
}
