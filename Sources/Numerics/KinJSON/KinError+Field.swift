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
        var error = KinError(code, message)
        for fact in facts.reversed() { error = error.within(fact.name, fact.value) }
        return error.within("field", path)
    }

    /// True when the error's context has a fact of this name.
    package func names(_ fact: String) -> Bool { context.contains { $0.name == fact } }
}
