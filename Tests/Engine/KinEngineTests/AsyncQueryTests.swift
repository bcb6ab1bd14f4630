import Dispatch
import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

/// Asynchronous queries that wait do not occupy the threads that tasks share.
@Suite("Asynchronous queries") struct AsyncQueryTests {
    @Test("closures need no declaration of their error type") func plainClosures() async throws {
        let engine = Engine()
        let sessions = PersonGenerator(seed: 4).person(0, sessions: 30).sessions
        try await engine.store.put(sessions)
        let id = sessions[3].id
        let near = try await engine.query { try $0.near(session: id, k: 5) }
        #expect(try near == engine.near(session: id, k: 5))
        let own = try await engine.query { engine in
            let user = try engine.session(id).userID
            return try engine.sessions(of: user, count: 40).count
        }
        #expect(own == sessions.count)
        #expect(await errorCode { try await engine.query { try $0.near(session: "nobody's", k: 5) } } == .unknownID)
        struct Refusal: Error {}
        let error = await kinError { try await engine.query { _ in throw Refusal() } }
        #expect(error?.code == .cancelled && error?.underlying is Refusal)
    }

    @Test("waiting queries do not starve other tasks", .timeLimit(.minutes(2))) func starveNobody() async throws {
        let engine = Engine()
        // Dispatch adds about one thread a second next to threads that wait.
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let gate = DispatchSemaphore(value: 0)
        let slow = (0..<count).map { _ in
            Task {
                // A read that waits, as for a disk or for an index that a different thread derives.
                try await engine.query { engine throws(KinError) in
                    gate.wait()
                    return try engine.store.users()
                }
            }
        }
        // This would wait forever if the reads occupied the threads, since only this task opens the gate.
        let opener = Task {
            for _ in 0..<100 { await Task.yield() }
            for _ in 0..<count { gate.signal() }
        }
        await opener.value
        for task in slow { #expect(try await task.value.isEmpty) }
    }

    @Test("a query ends with its task") func endWithTheirTask() async throws {
        let engine = Engine()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await engine.query { _ throws(KinError) in
                let work = LongWork(of: nil)
                while true { try work.step() }
            }
        }
        task.cancel()
        #expect(await errorCode { try await task.value } == .cancelled)
    }
}
