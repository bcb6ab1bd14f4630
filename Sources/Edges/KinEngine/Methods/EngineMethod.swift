package import KinCore
package import KinStore

/// A method of an ``Engine``.
package struct EngineMethod: Sendable {
    /// The name in snake case.
    package let name: String
    /// Reads the parameters, executes the method and returns the answer in JSON.
    package let run: @Sendable (EngineCall, inout EngineRequest) throws(KinError) -> String

    package init(
        _ name: String, run: @escaping @Sendable (EngineCall, inout EngineRequest) throws(KinError) -> String
    ) {
        self.name = name
        self.run = run
    }
}

/// The context of a call: the store and the present.
package struct EngineCall: Sendable {
    private let opened: Store?
    /// The present instant, by the engine's clock.
    package let now: Timestamp

    init(store: Store?, now: Timestamp) {
        opened = store
        self.now = now
    }

    /// Whether the engine has a store.
    package var hasStore: Bool { opened != nil }

    /// The store of the engine.
    ///
    /// - Throws: `.invalidArgument` when the engine has no store.
    package var store: Store {
        get throws(KinError) {
            guard let opened else {
                throw KinError(.invalidArgument, "this engine has no store; open one with the path of a database")
            }
            return opened
        }
    }
}
