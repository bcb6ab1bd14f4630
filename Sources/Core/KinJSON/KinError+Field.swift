extension KinError {
    /// The same error with a path extended by an outer field: `intensities` in `pleasure_vector` becomes
    /// `pleasure_vector.intensities`.
    package func inField(_ name: String) -> KinError {
        var facts = context
        var path = name
        // The field's path is one fact, at any position: a reader may have put other facts before it.
        if let index = facts.firstIndex(where: { $0.name == "field" }) {
            let inner = facts.remove(at: index).value
            path += inner.hasPrefix("[") ? inner : "." + inner
        }
        return KinError(self, context: facts).within("field", path)
    }

    /// The same error without the facts with some names.
    package func without(_ names: Set<String>) -> KinError {
        KinError(self, context: context.filter { !names.contains($0.name) })
    }

    /// The same error with a remark in brackets after the message.
    package func adding(_ remark: String) -> KinError {
        KinError(self, "\(message) (\(remark))", context: context)
    }

    /// Whether the error's context has a fact with this name.
    package func names(_ fact: String) -> Bool { context.contains { $0.name == fact } }
}
