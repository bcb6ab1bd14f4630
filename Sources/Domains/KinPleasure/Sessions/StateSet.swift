/// Some of the states, a bit for each.
package struct StateSet: Sendable, Hashable {
    package let bits: Int

    package static let all = StateSet(bits: 0b11111)

    package init(bits: Int) { self.bits = bits }

    package init(_ states: Set<SessionState>) { bits = states.reduce(0) { $0 | 1 << $1.rawValue } }

    package func contains(_ state: SessionState) -> Bool { bits & 1 << state.rawValue != 0 }
}
