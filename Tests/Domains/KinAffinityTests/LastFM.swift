import Foundation
import KinAffinity
import KinClustering
import KinTestSupport

/// The listeners of Last.fm (`datasets/README.md` describes the data set).
enum LastFM {
    static func rows(_ file: String) throws -> [[Double]] {
        try RealData.rows(of: "lastfm-2k/\(file)").map { $0.map { Double($0)! } }
    }

    /// Souls of listeners. Goals are tags, realms are kinds of artists, objects are artists, and the pattern is the
    /// distribution of plays over artists.
    ///
    /// One in twenty people has no tags left. These people get the five tags that the listeners of their artists use
    /// most, relative to all listeners.
    static func souls() throws -> [Soul] {
        var plays: [Int: [(artist: Int, count: Double)]] = [:]
        for row in try rows("user_artists.csv") { plays[Int(row[0]), default: []].append((Int(row[1]), row[2])) }
        var tags: [Int: [String: Double]] = [:]
        for row in try rows("user_tag_counts.csv") { tags[Int(row[0]), default: [:]]["t\(Int(row[1]))"] = row[2] }
        let factors = try rows("derived-artist-factors16.csv")
        let directions = factors.map { row in
            let length = max(row.dropFirst().reduce(0) { $0 + $1 * $1 }.squareRoot(), 1e-12)
            return row.dropFirst().map { Float($0 / length) }
        }
        let kinds = try KMeans(k: 200, seed: 1).fit(Matrix(rows: directions)).labels
        let kind = Dictionary(uniqueKeysWithValues: zip(factors.map { Int($0[0]) }, kinds))

        var tagsOfArtist: [Int: [String: Double]] = [:]
        for (user, list) in plays {
            let total = (tags[user] ?? [:]).values.reduce(0) { $0 + log(1 + $1) }
            for (tag, count) in tags[user] ?? [:] {
                for (artist, _) in list {
                    tagsOfArtist[artist, default: [:]][tag, default: 0] += log(1 + count) / total
                }
            }
        }
        let people = Double(tags.count)
        var owners: [String: Double] = [:]
        for list in tags.values { for tag in list.keys { owners[tag, default: 0] += 1 } }
        func inferred(_ list: [(artist: Int, count: Double)]) -> [String: Double] {
            var sums: [String: Double] = [:]
            for (artist, count) in list {
                let known = tagsOfArtist[artist] ?? [:]
                let length = max(known.values.reduce(0) { $0 + $1 * $1 }.squareRoot(), 1e-12)
                for (tag, value) in known {
                    sums[tag, default: 0] += log(1 + count) * value / length * log(people / owners[tag]!)
                }
            }
            let best = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
            return Dictionary(uniqueKeysWithValues: best.map { ($0.key, max($0.value, 0)) })
        }
        return try plays.sorted { $0.key < $1.key }.map { user, list in
            var realms: [String: Double] = [:]
            for (artist, count) in list { realms["k\(kind[artist]!)", default: 0] += count }
            let shares = list.map(\.count).sorted(by: >).prefix(24)
            return try Soul(
                userID: "\(user)", goals: SoulTraits(tags[user] ?? inferred(list)), realms: SoulTraits(realms),
                objects: SoulTraits(Dictionary(uniqueKeysWithValues: list.map { ("a\($0.artist)", $0.count) })),
                pattern: SessionPattern(hours: shares + Array(repeating: 0, count: 24 - shares.count)))
        }
    }
}
