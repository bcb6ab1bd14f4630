import Foundation
import Kin
import Measuring

/// The policies of many people in one file of equal records, read, changed and written in random order.
struct StatesPart {
    let people: Int
    let dimension: Int
    let path: String

    func run() throws {
        var policy = try BanditPolicy(.standard, dimension: dimension, seed: 1)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            let x = (0..<dimension).map { _ in random.uniform() }
            try policy.learn(
                reward: random.uniform() < 0.4 ? 1 : 0, for: BanditPolicy.Event(features: x, propensity: 1))
        }
        let record = Data(policy.encoded())
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forUpdatingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer {
            try? file.close()
            try? FileManager.default.removeItem(atPath: path)
        }
        let block = 4096
        var piece = Data()
        for _ in 0..<min(block, people) { piece += record }
        let filling = try Timing.seconds {
            var left = people
            while left > 0 {
                let count = min(left, block)
                try file.write(contentsOf: piece.prefix(count * record.count))
                left -= count
            }
        }
        let actions = try Matrix(
            rows: 50, columns: dimension, elements: (0..<50 * dimension).map { _ in random.uniform() })
        let visits = 20_000
        let time = try Timing.seconds {
            for _ in 0..<visits {
                let place = UInt64(random.below(people) * record.count)
                try file.seek(toOffset: place)
                guard let bytes = try file.read(upToCount: record.count) else { throw CocoaError(.fileReadCorruptFile) }
                var own = try BanditPolicy(decoding: [UInt8](bytes))
                let choice = try own.choose(from: actions)
                try own.learn(reward: random.uniform() < 0.4 ? 1 : 0, for: choice.event)
                try file.seek(toOffset: place)
                try file.write(contentsOf: Data(own.encoded()))
            }
        }
        print(
            String(
                format:
                    "\n%d states of %d features: %d bytes each, %.2f GB, written in %.1f s; reading a random one, choosing among 50, learning and writing it takes %.1f µs.",
                people, dimension, record.count, Double(record.count * people) / 1e9, filling,
                time / Double(visits) * 1e6))
    }
}
