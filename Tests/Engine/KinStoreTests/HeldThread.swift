import Foundation
import GRDB

@testable import KinStore

/// A thread that does something and stops in the middle until it is let go.
///
/// A thread of its own, since tasks that wait would hold up the few threads on which tasks run.
final class HeldThread: Sendable {
    private let began = DispatchSemaphore(value: 0)
    private let mayGo = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Returns when `work` calls the function that it is given, which returns when the thread is let go.
    init(_ work: @escaping @Sendable (() -> Void) -> Void) {
        Thread.detachNewThread { [began, mayGo, ended] in
            work {
                began.signal()
                mayGo.wait()
            }
            ended.signal()
        }
        began.wait()
    }

    /// A thread that reads a state of a store, and holds it until it is let go.
    convenience init(reading store: Store) {
        self.init { hold in
            try? store.read("hold a state") { database in
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM session")
                hold()
            }
        }
    }

    /// Lets the thread go on and waits for its end.
    func letGo() {
        mayGo.signal()
        ended.wait()
    }
}
