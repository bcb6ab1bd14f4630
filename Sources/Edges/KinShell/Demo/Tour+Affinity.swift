import Kin
import KinFiles
import KinSamples

/// The tour's question of who is alike.
extension Tour {
    func similarSouls() throws {
        let souls = try SoulFile.read(data.souls)
        let matcher = try SoulMatcher(souls, threads: threads)
        let user = "u42"
        chapter(
            "2  Who is kin?",
            "\(NumberText.count(souls.count, "person")): what they seek, where, with what, when, and how they feel. "
                + "Those most like \(user), and why the first one is:")
        let ten = try matcher.mostSimilar(to: user, k: 5)
        console.print(ten)
        if let first = ten.first { console.print(try matcher.affinity(between: user, and: first.userID)) }
        try similarSoulsOfMany()
        next("kin match \(Tour.quoted(data.souls)) --user \(user) --explain")
    }

    private func similarSoulsOfMany() throws {
        let people = max(1000, count / 10)
        let generator = SoulGenerator(seed: 1)
        let souls = (0..<people).map { generator.soul($0) }
        var matcher: SoulMatcher?
        let built = try measure { matcher = try SoulMatcher(souls, threads: threads) }
        guard let matcher else { return }
        let users = stride(from: 0, to: people, by: max(1, people / 200)).map { "u\($0)" }
        var found: [[ScoredSoul]] = []
        let asked = try measure { found = try users.map { try matcher.mostSimilar(to: $0, k: Tour.k) } }
        var plain: [(score: Double, user: String)] = []
        let scored = try measure {
            for other in matcher.userIDs where other != users[0] {
                let affinity = try matcher.affinity(between: users[0], and: other)
                if affinity.coverage > 0 { plain.append((affinity.score, other)) }
            }
            plain.sort { ($1.score, $0.user) < ($0.score, $1.user) }
        }
        let isSame = found[0].map(\.userID) == plain.prefix(Tour.k).map(\.user)
        guard isSame, found[0].map(\.affinity) == plain.prefix(Tour.k).map(\.score) else {
            throw Failure(
                KinError(.numericalFailure, "the matcher and plain scoring disagree: please report this machine"))
        }
        console.print(
            "Among \(NumberText.count(people)) made-up people, indexed in \(NumberText.duration(built)): one's ten in "
                + "\(NumberText.duration(asked / users.count)), where scoring everybody takes \(NumberText.duration(scored))."
        )
        console.print("  \(console.style.good("checked")): the same ten, with the same affinities to the bit")
    }
}
