package import KinCore
package import KinStore

/// Something an ``Engine`` can be asked by name.
package struct EngineMethod: Sendable {
    /// The name, in the words of the field joined by underscores.
    package let name: String
    /// Reads the parameters, does the work and gives the answer as JSON.
    package let run: @Sendable (EngineCall, inout EngineRequest) throws(KinError) -> String

    package init(
        _ name: String, run: @escaping @Sendable (EngineCall, inout EngineRequest) throws(KinError) -> String
    ) {
        self.name = name
        self.run = run
    }
}

/// What a method may use.
package struct EngineCall: Sendable {
    private let opened: Store?
    /// The present.
    package let now: Timestamp

    init(store: Store?, now: Timestamp) {
        opened = store
        self.now = now
    }

    /// Whether there is a store.
    package var hasStore: Bool { opened != nil }

    /// The store.
    ///
    /// - Throws: `.invalidArgument` when the engine has none.
    package var store: Store {
        get throws(KinError) {
            guard let opened else {
                throw KinError(.invalidArgument, "this engine has no store; open one with the path of a database")
            }
            return opened
        }
    }
}
