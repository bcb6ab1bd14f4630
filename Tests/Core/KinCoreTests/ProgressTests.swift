import Foundation
import KinCore
import Synchronization
import Testing

@Suite struct ProgressTests {
    @Test func workReportsEachStepOnItsThread() throws {
        let seen = Mutex<[[Int?]]>([])
        try withProgressHandler { () throws(KinError) in
            let work = LongWork(of: 3)
            for _ in 0..<3 { try work.step() }
        } onProgress: { done, total in
            seen.withLock { $0.append([done, total]) }
            return true
        }
        #expect(seen.withLock { $0 } == [[1, 3], [2, 3], [3, 3]])
    }

    @Test func aCancelledHandlerIsNotCalledAgain() {
        let calls = Atomic(0)
        let code = #expect(throws: KinError.self) {
            try withProgressHandler { () throws(KinError) in
                let first = LongWork(of: 10)
                for _ in 0..<10 { first.advance() }
                try LongWork(of: nil).step()
            } onProgress: { _, _ in
                calls.wrappingAdd(1, ordering: .relaxed)
                return false
            }
        }?.code
        #expect(code == .cancelled)
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func otherThreadsCountAndTheFirstThreadReports() throws {
        let reports = Mutex<[Int]>([])
        let caller = ObjectIdentifier(Thread.current)
        try withProgressHandler { () throws(KinError) in
            let work = LongWork(of: 1000)
            concurrently(4) { _ in for _ in 0..<250 { work.advance() } }
            try work.step(by: 0)
        } onProgress: { done, _ in
            reports.withLock { $0.append(done) }
            #expect(ObjectIdentifier(Thread.current) == caller)
            return true
        }
        let found = reports.withLock { $0 }
        #expect(found == found.sorted() && found.last == 1000)
    }

    @Test func workOfOtherThreadsIsReportedAtTheEnd() {
        let reports = Mutex<[Int]>([])
        for isWanted in [true, false] {
            let error = try? withProgressHandler { () throws(KinError) -> KinError? in
                let work = LongWork(of: 1000)
                let other = Thread { for _ in 0..<250 { work.advance(by: 4) } }
                other.start()
                while !other.isFinished { usleep(100) }
                do throws(KinError) {
                    // Once is enough.
                    for _ in 0..<2 { try work.check() }
                    return nil
                } catch { return error }
            } onProgress: { done, _ in
                reports.withLock { $0.append(done) }
                return isWanted
            }
            #expect(error?.code == (isWanted ? nil : .cancelled))
        }
        #expect(reports.withLock { $0 } == [1000, 1000])
    }

    @Test func workInsideAHandlerIsNotReported() throws {
        let calls = Atomic(0)
        try withProgressHandler { () throws(KinError) in
            try LongWork(of: 1).step()
        } onProgress: { _, _ in
            calls.wrappingAdd(1, ordering: .relaxed)
            #expect(throws: Never.self) { try LongWork(of: 1).step() }
            return true
        }
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func shieldedWorkIsNeitherReportedNorCancelled() throws {
        try withProgressHandler { () throws(KinError) in
            try ProgressScope.shielded { () throws(KinError) in
                for _ in 0..<10 { try LongWork(of: 10).step() }
            }
        } onProgress: { _, _ in
            Issue.record("a shield reports nothing")
            return false
        }
    }

    @Test func aCancelledTaskCancelsItsWork() async {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try ProgressScope.shielded { () throws(KinError) in try LongWork(of: 1).step() }
            try LongWork(of: 1).step()
        }
        task.cancel()
        await #expect(throws: KinError.self) { try await task.value }
    }

    @Test func asynchronousWorkReportsFromChildTasks() async throws {
        let calls = Atomic(0)
        let sum = try await withProgressHandler { () async throws(KinError) in
            async let child: Void = LongWork(of: 1).step()
            do { try await child } catch { throw KinError(.cancelled, "\(error)") }
            try LongWork(of: 1).step()
            return 7
        } onProgress: { _, _ in
            calls.wrappingAdd(1, ordering: .relaxed)
            return true
        }
        #expect(sum == 7 && calls.load(ordering: .relaxed) == 2)
    }
}
