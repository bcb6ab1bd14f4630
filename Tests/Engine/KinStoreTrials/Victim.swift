import CFaultyDisk
import Foundation
import KinStore

/// The process that is killed. It runs one operation after the other and reports each when it is done.
///
///     victim DATABASE SEED FIRST COUNT FAULT STEP WORKLOAD FILES
///
/// FILES is `unlocked` for a store without locks against other programs, as on systems without file locks.
///
/// Each operation writes one line to standard output: `done 17`, `failed 18`, or `half 19` (a failure whose effect was
/// stored). The last line is `closed STEPS`.
package struct Victim {
    private let path: String
    private let seed: UInt64
    private let numbers: Range<Int>
    private let fault: Fault
    private let kind: Workload.Kind
    private let locksFiles: Bool

    /// - Parameter arguments: the arguments after `victim`.
    package init?(_ arguments: [String]) {
        guard arguments.count == 8, let seed = UInt64(arguments[1]), let first = Int(arguments[2]),
            let count = Int(arguments[3]), let step = Int(arguments[5]), let fault = Fault(arguments[4], step: step),
            let kind = Workload.Kind(rawValue: arguments[6])
        else { return nil }
        path = arguments[0]
        self.seed = seed
        numbers = first..<first + count
        self.fault = fault
        self.kind = kind
        locksFiles = arguments[7] != "unlocked"
    }

    package func run() async throws {
        guard faulty_disk_install() == 0 else { throw KinError(.inputOutput, "SQLite takes no disk") }
        let workload = Workload(seed: seed, kind: kind)
        fault.arm(seed: seed &+ UInt64(numbers.lowerBound))
        var store: Store
        do {
            store = try open()
        } catch {
            // A failing disk may prevent the opening of a store; a second attempt has to work.
            faulty_disk_disarm()
            store = try open()
        }
        var model = try Model(reading: store)
        for number in numbers {
            let operation = workload.operation(number, on: model)
            do {
                try await perform(operation, on: &store)
                model.apply(operation)
                say("done \(number)")
            } catch {
                faulty_disk_disarm()
                store = try reopenIfNeeded(store)
                let now = try Model(reading: store)
                if now == model {
                    say("failed \(number)")
                } else if case .forget = operation, now == model.applying(operation) {
                    model = now
                    say("half \(number)")
                } else {
                    say("wrong \(number): after \(error) the store is neither as before nor as after \(operation)")
                    exit(3)
                }
            }
        }
        if case .killAtEnd = fault { kill(getpid(), SIGKILL) }
        let steps = faulty_disk_steps()
        faulty_disk_disarm()
        try await store.close()
        say("closed \(steps)")
    }

    private func open() throws(KinError) -> Store {
        var environment = StoreEnvironment(files: FaultyFiles())
        environment.locksFiles = locksFiles
        return try Store(at: path, for: .writing, check: .complete, in: environment)
    }

    /// A store whose closing failed halfway may be closed or open.
    private func reopenIfNeeded(_ store: Store) throws(KinError) -> Store {
        do throws(KinError) {
            _ = try store.version()
            return store
        } catch {
            return try open()
        }
    }

    private func perform(_ operation: Operation, on store: inout Store) async throws {
        switch operation {
        case .putSessions(let sessions): _ = try await store.put(sessions)
        case .putProfile(let version): try await store.put([version])
        case .putItems(let items): try await store.put(items)
        case .putSouls(let souls): try await store.put(souls)
        case .removeSession(let id): _ = try await store.removeSession(id)
        case .removeItem(let id): _ = try await store.removeItem(id)
        case .forget(let user): _ = try await store.forget(user)
        case .search(let point):
            _ = try store.nearestSessions(to: point, k: 3)
            try store.deriveSavedValues()
        case .saveIndexes: try await store.saveIndexes()
        case .foreignRead(let reader): try reader.read(path, program: CommandLine.arguments[0])
        case .reopen:
            try await store.close()
            store = try open()
        }
    }

    /// One write, so that a line is written completely or not at all.
    private func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
