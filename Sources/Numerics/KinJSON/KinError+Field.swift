package import KinCore

extension KinError {
    /// The same error about something inside a field: `intensities` in `pleasure_vector` is `pleasure_vector.intensities`.
    package func inField(_ name: String) -> KinError {
        var facts = context
        var path = name
        // The field's path is one fact, wherever a reader has put others before it.
        if let place = facts.firstIndex(where: { $0.name == "field" }) {
            let inner = facts.remove(at: place).value
            path += inner.hasPrefix("[") ? inner : "." + inner
        }
        var error = KinError(code, message)
        for fact in facts.reversed() { error = error.within(fact.name, fact.value) }
        return error.within("field", path)
    }

    /// Whether the error says so already.
    package func names(_ fact: String) -> Bool { context.contains { $0.name == fact } }
}
