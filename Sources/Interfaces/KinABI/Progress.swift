import KinLibC
import Synchronization

/// A function of C that receives progress at most every 10 ms, on the thread of the call.
@safe
final class ProgressFunction: Sendable {
    private nonisolated(unsafe) let function: kin_progress
    private nonisolated(unsafe) let context: UnsafeMutableRawPointer?
    /// The instant of the last report, in nanoseconds; initially the start of the call.
    private let last = Atomic(ProgressFunction.now)

    init(function: kin_progress, context: UnsafeMutableRawPointer?) {
        unsafe self.function = function
        unsafe self.context = context
    }

    func report(_ done: Int, of total: Int?) -> Bool {
        let now = Self.now
        guard now - last.load(ordering: .relaxed) >= 10_000_000 else { return true }
        let goesOn = unsafe function(UInt64(max(0, done)), UInt64(max(0, total ?? 0)), context) == 0
        last.store(Self.now, ordering: .relaxed)
        return goesOn
    }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
