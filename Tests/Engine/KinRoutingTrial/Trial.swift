import Foundation
import KinSamples
import KinStore

/// People and their contributions. Each day a copy of the store, which one router routes without a fault, has the
/// expected records.
final class Trial {
    private let days: Int
    private let daily: Int
    private let kills: Int
    private let folder: String
    private let souls: [Soul]
    private var random: SeededGenerator
    private var killed = 0

    private var database: String { folder + "/people.db" }

    init(people: Int, days: Int, daily: Int, kills: Int, seed: UInt64) throws {
        self.days = days
        self.daily = daily
        self.kills = kills
        random = SeededGenerator(seed: seed)
        folder = NSTemporaryDirectory() + "kin-routing-trial-\(getpid())"
        let generator = SoulGenerator(seed: seed)
        souls = (0..<people).map { generator.soul($0) }
    }

    func run() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = try Store(at: database)
        try await store.put(souls)
        try await store.close()
        var (wrong, found) = (0, Set<Substring>())
        for day in 0..<days {
            try await live(day)
            let expected = "\(folder)/expected-\(day).db"
            try Store(at: database, for: .reading, check: .brief).backup(to: expected)
            try await Router(database: expected, day: day).run()
            try route(day)
            found = try lines(of: database)
            wrong += try found.symmetricDifference(lines(of: expected)).count
        }
        let problems = try Store(at: database).check().problems.count
        let (contributions, items) = (count("contribution", in: found), count("inbox", in: found))
        print(
            "\(souls.count) people, \(days) days, \(contributions) contributions, \(items) items in inboxes, \(killed) routers killed: "
                + "\(wrong) wrong, \(problems) problems")
        if wrong > 0 || problems > 0 { exit(1) }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The lines of an export.
    private func lines(of database: String) throws -> Set<Substring> {
        var bytes: [UInt8] = []
        try Store(at: database, for: .reading, check: .brief).exportLines { bytes += $0 }
        return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n"))
    }

    private func count(_ kind: String, in lines: Set<Substring>) -> Int { lines.count { $0.hasPrefix("{\"\(kind)\"") } }

    /// People contribute, and decide about their deliveries.
    private func live(_ day: Int) async throws {
        let store = try Store(at: database, for: .writing, check: .brief)
        for number in 0..<daily {
            let author = souls[random.below(souls.count)].userID
            let tale = try StoryContribution(title: "Tale \(day).\(number)", content: "Once upon a day.")
            try await store.contribute(.story(tale), by: author, at: instant(day: day, minute: number % 600))
        }
        for _ in 0..<daily {
            let user = souls[random.below(souls.count)].userID
            guard let item = try store.inbox(of: user).randomElement(using: &random) else { continue }
            switch random.below(3) {
            // An item of a blocked author cannot be accepted.
            case 0: try? await store.accept(item.id, by: user)
            case 1: try await store.decline(item.id, by: user)
            default: try await store.blockAuthor(of: item.id, by: user)
            }
        }
        try await store.close()
    }

    /// Runs two routers, and kills them at random moments, until each has ended with nothing left to route.
    private func route(_ day: Int) throws {
        var left = (kills + days - 1) / days
        var routers = [try start(day), try start(day)]
        while routers.contains(where: \.isRunning) {
            usleep(UInt32(1000 * (20 + random.below(150))))
            if left > 0, let victim = routers.indices.filter({ routers[$0].isRunning }).randomElement(using: &random) {
                kill(routers[victim].processIdentifier, SIGKILL)
                routers[victim].waitUntilExit()
                killed += 1
                left -= 1
                routers[victim] = try start(day)
            }
        }
        guard routers.allSatisfy({ $0.terminationStatus == 0 }) else { throw KinError(.inputOutput, "a router failed") }
    }

    private func start(_ day: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["router", database, "\(day)"]
        try process.run()
        return process
    }
}
