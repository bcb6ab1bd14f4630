import Foundation
import KinIndex
import KinTestSupport
import Synchronization
import Testing

@Suite("Values read by threads while one changes them")
struct PublishedTests {
    /// Memory of a value, shared by its copies, that counts its living instances.
    private final class Memory: @unchecked Sendable {
        let alive: Counter
        var numbers: [Int]

        init(_ numbers: [Int], _ alive: Counter) {
            (self.numbers, self.alive) = (numbers, alive)
            alive.add(1)
        }

        deinit { alive.add(-1) }
    }

    /// A copy-on-write value whose numbers are all equal.
    private struct Value: Sendable {
        private(set) var memory: Memory

        init(_ alive: Counter) { memory = Memory(Array(repeating: 0, count: 64), alive) }

        var isWhole: Bool { memory.numbers.allSatisfy { $0 == memory.numbers[0] } }

        mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&memory) }

        mutating func step() {
            if !isUnique() { memory = Memory(memory.numbers, memory.alive) }
            for i in memory.numbers.indices { memory.numbers[i] += 1 }
        }
    }

    private func step(_ published: Published<Value>, inPlace: Bool) {
        published.update(isShort: { _ in inPlace }, isUnique: { $0.isUnique() }) { $0.step() }
    }

    @Test("readers see whole values in order, and every version is freed", arguments: [false, true])
    func readersAndAWriter(inPlace: Bool) {
        let (alive, failures, versions) = (Counter(), Counter(), 10_000)
        do {
            let published = Published(Value(alive))
            let readers = (0..<4).map { _ in
                EndingThread {
                    var last = 0
                    while last < versions {
                        let now = published.read { $0.isWhole ? $0.memory.numbers[0] : -1 }
                        if now < last { failures.add(1) }
                        last = max(now, last)
                    }
                }
            }
            for version in 0..<versions { step(published, inPlace: inPlace && version % 7 != 0) }
            readers.forEach { $0.waitForEnd() }
            #expect(published.value.memory.numbers[0] == versions)
        }
        #expect(failures.value == 0)
        #expect(alive.value == 0, "all memory is freed")
    }

    @Test("several writers take turns")
    func writers() {
        let published = Published(Value(Counter()))
        let writers = (0..<3).map { number in
            EndingThread { for i in 0..<500 { step(published, inPlace: (i + number) % 2 == 0) } }
        }
        writers.forEach { $0.waitForEnd() }
        #expect(published.value.memory.numbers[0] == 1_500)
    }

    @Test("a paused reader keeps only its version, unchanged, and frees it", arguments: [false, true])
    func paused(inPlace: Bool) {
        let alive = Counter()
        let published = Published(Value(alive))
        step(published, inPlace: false)
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reader = EndingThread {
            published.read { value in
                hasBegun.signal()
                mayEnd.wait()
                #expect(value.isWhole && value.memory.numbers[0] == 1)
            }
        }
        hasBegun.wait()
        for _ in 0..<1_000 {
            step(published, inPlace: inPlace)
            #expect(alive.value <= 2, "the reader's version and the present one")
        }
        #expect(alive.value == 2)
        mayEnd.signal()
        reader.waitForEnd()
        #expect(alive.value == 1, "the last reader frees its version, without a further change")
    }

    @Test("a value is changed in place only without readers and copies")
    func inPlace() {
        let published = Published(Value(Counter()))
        let first = published.read { ObjectIdentifier($0.memory) }
        step(published, inPlace: true)
        #expect(published.read { ObjectIdentifier($0.memory) } == first)
        published.read { value in
            step(published, inPlace: true)
            #expect(value.memory.numbers[0] == 1, "a read sees no change, even one of its own thread")
        }
        #expect(published.read { ObjectIdentifier($0.memory) } != first)
        let copy = published.value
        step(published, inPlace: true)
        #expect(copy.memory.numbers[0] == 2 && published.value.memory.numbers[0] == 3)
    }

    @Test("a nested read has its own version")
    func nested() {
        let (one, other) = (Published(Value(Counter())), Published(Value(Counter())))
        one.read { outer in
            step(one, inPlace: true)
            step(other, inPlace: true)
            one.read { #expect($0.memory.numbers[0] == 1) }
            other.read { inner in
                step(other, inPlace: true)
                #expect(inner.memory.numbers[0] == 1)
            }
            #expect(outer.memory.numbers[0] == 0)
        }
        #expect(other.read { $0.memory.numbers[0] } == 2)
    }

    @Test("a change that throws leaves the value unchanged, and later changes succeed", arguments: [false, true])
    func failing(inPlace: Bool) {
        struct Failure: Error {}
        let published = Published(Value(Counter()))
        #expect(throws: Failure.self) {
            try published.update(isShort: { _ in inPlace }, isUnique: { $0.isUnique() }) { _ in throw Failure() }
        }
        step(published, inPlace: inPlace)
        #expect(published.value.memory.numbers[0] == 1)
    }
}
