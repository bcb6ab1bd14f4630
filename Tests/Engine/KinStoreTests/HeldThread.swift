import Foundation
import GRDB

@testable import KinStore

/// A thread that stops in the middle of its work until it is released.
///
/// It is a separate thread, because waiting tasks would block the few threads on which tasks run.
final class HeldThread: Sendable {
    private let began = DispatchSemaphore(value: 0)
    private let mayGo = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Returns when `work` calls the function that it receives. That function returns when the thread is released.
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

    /// A thread that reads a state of a store and holds it until the thread is released.
    convenience init(reading store: Store) {
        self.init { hold in
            try? store.read("hold a state") { database in
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM session")
                hold()
            }
        }
    }

    /// Releases the thread and waits for its end.
    func letGo() {
        mayGo.signal()
        ended.wait()
    }
}
