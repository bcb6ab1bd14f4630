import Foundation
import KinSamples
import KinStore

/// People, their contributions, and the expected deliveries.
final class Trial {
    private let days: Int
    private let daily: Int
    private let kills: Int
    private let folder: String
    private let souls: [Soul]
    private var random: SeededGenerator
    /// The recipients that each contribution must have, with its state on arrival.
    private var expected: [String: [String: InboxState]] = [:]
    private var authors: [String: String] = [:]
    private var blocked: [String: Set<String>] = [:]
    private var decided: [String: [String: InboxState]] = [:]
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
        for day in 0..<days {
            try await live(day)
            try route(day)
        }
        try await check()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// People contribute, and decide about their deliveries.
    private func live(_ day: Int) async throws {
        let store = try Store(at: database, for: .writing, check: .brief)
        let matcher = try store.matcher()
        for number in 0..<daily {
            let author = souls[random.below(souls.count)].userID
            let tale = try StoryContribution(title: "Tale \(day).\(number)", content: "Once upon a day.")
            let id = try await store.contribute(.story(tale), by: author, at: instant(day: day, minute: number % 600))
            authors[id] = author
        }
        for _ in 0..<daily {
            let user = souls[random.below(souls.count)].userID
            let items = try store.inbox(of: user)
            guard !items.isEmpty else { continue }
            let item = items[random.below(items.count)]
            // Only the trial knows the author, by the title. A block is permanent.
            let author = expected.keys.first { titles[$0] == item.contribution.title }.flatMap { authors[$0] }
            if let author, blocked[user]?.contains(author) == true { continue }
            switch random.below(3) {
            case 0:
                try await store.accept(item.id, by: user)
                decided[user, default: [:]][item.id] = .accepted
            case 1:
                try await store.decline(item.id, by: user)
                decided[user, default: [:]][item.id] = .declined
            default:
                try await store.blockAuthor(of: item.id, by: user)
                guard let author else { continue }
                blocked[user, default: []].insert(author)
                for other in try store.inbox(of: user) where other.state == .declined {
                    decided[user, default: [:]][other.id] = .declined
                }
            }
        }
        // The recipients of today's contributions, by the table and by today's blocks.
        for (id, author) in authors where expected[id] == nil {
            var recipients: [String: InboxState] = [:]
            for soul in souls where soul.userID != author && blocked[soul.userID]?.contains(author) != true {
                let affinity = try matcher.affinity(between: author, and: soul.userID)
                if let state = affinity.connection.arrival { recipients[soul.userID] = state }
            }
            expected[id] = recipients
        }
        for (id, item) in try titlesOfToday(store, day) { titles[id] = item }
        try await store.close()
    }

    private var titles: [String: String] = [:]

    /// The titles of contributions, by id.
    private func titlesOfToday(_ store: Store, _ day: Int) throws -> [(String, String)] {
        var found: [(String, String)] = []
        var bytes: [UInt8] = []
        try store.exportLines { bytes += $0 }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("{\"contribution\"") {
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]],
                let record = object["contribution"], let id = record["id"] as? String,
                let inner = record["contribution"] as? [String: [String: Any]],
                let title = inner["story"]?["title"] as? String
            else { continue }
            found.append((id, title))
        }
        return found
    }

    /// Runs two routers, and kills them at random moments.
    private func route(_ day: Int) throws {
        var left = (kills + days - 1) / days
        var routers = [try start(day), try start(day)]
        while try Store(at: database, for: .reading, check: .brief).contributionsToRoute() > 0
            || routers.contains(where: \.isRunning)
        {
            usleep(UInt32(1000 * (20 + random.below(150))))
            if left > 0, let victim = routers.indices.filter({ routers[$0].isRunning }).randomElement(using: &random) {
                kill(routers[victim].processIdentifier, SIGKILL)
                routers[victim].waitUntilExit()
                killed += 1
                left -= 1
            }
            for i in routers.indices where !routers[i].isRunning {
                if try Store(at: database, for: .reading, check: .brief).contributionsToRoute() > 0 {
                    routers[i] = try start(day)
                }
            }
        }
    }

    private func start(_ day: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["router", database, "\(day)"]
        try process.run()
        return process
    }

    /// Checks every inbox against its expected contents.
    private func check() async throws {
        let store = try Store(at: database)
        var (items, wrong) = (0, 0)
        var byTitle: [String: String] = [:]
        for (id, title) in titles { byTitle[title] = id }
        for soul in souls {
            let user = soul.userID
            var wanted: [String: InboxState] = [:]
            for (id, recipients) in expected { if let state = recipients[user] { wanted[id] = state } }
            let inbox = try store.inbox(of: user)
            items += inbox.count
            for item in inbox {
                let id = byTitle[item.contribution.title] ?? ""
                let state = decided[user]?[item.id] ?? wanted[id]
                if wanted.removeValue(forKey: id) == nil || item.state != state { wrong += 1 }
                if item.json.contains("\"\(authors[id] ?? "")\"") { wrong += 1 }
            }
            wrong += wanted.count
        }
        let report = try store.check()
        print(
            "\(souls.count) people, \(days) days, \(expected.count) contributions, \(items) items in inboxes, \(killed) routers killed: "
                + "\(wrong) wrong, \(report.problems.count) problems")
        try await store.close()
        if wrong > 0 || !report.isIntact { exit(1) }
    }
}
