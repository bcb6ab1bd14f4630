package import KinCore

extension KinError {
    /// The same error for a path extended by an outer field: `intensities` in `pleasure_vector` becomes
    /// `pleasure_vector.intensities`.
    package func inField(_ name: String) -> KinError {
        var facts = context
        var path = name
        // The field's path is one fact, wherever a reader has put others before it.
        if let index = facts.firstIndex(where: { $0.name == "field" }) {
            let inner = facts.remove(at: index).value
            path += inner.hasPrefix("[") ? inner : "." + inner
        }
        return with(facts).within("field", path)
    }

    /// The same error without the facts of some names.
    package func without(_ names: Set<String>) -> KinError { with(context.filter { !names.contains($0.name) }) }

    private func with(_ facts: [Fact]) -> KinError {
        facts.reversed().reduce(KinError(code, message)) { $0.within($1.name, $1.value) }
    }

    /// True when the error's context has a fact of this name.
    package func names(_ fact: String) -> Bool { context.contains { $0.name == fact } }
}
