import Foundation
import Kin

/// Results for programs: one JSON object per line, keys in alphabetical order.
enum JSONText {
    static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value), let text = String(data: data, encoding: .utf8) else {
            preconditionFailure("results are finite numbers and text, which JSON can hold")
        }
        return text
    }
}

/// One result in JSON.
struct NeighborRecord: Encodable {
    let id: UInt64
    let distance: Double

    init(_ neighbor: Neighbor) {
        id = neighbor.id.rawValue
        distance = neighbor.distance
    }
}

/// The answer to one query in JSON.
struct AnswerRecord: Encodable {
    /// The query's row in its file, from 0; absent for a single query.
    var query: Int?
    var neighbors: [NeighborRecord]
    var explain: ExplainRecord?
    var seconds: Double?
}

/// Counts of a search's work, in JSON.
struct ExplainRecord: Encodable {
    let rows: Int
    let lists: Int?
    let listsVisited: Int?
    let blocksScreened: Int
    let survivors: Int
    let exactDistances: Int
    let bytesRead: Int
    let simdLevel: String
    let codeBits: Int
    let plan: String

    init(_ report: SearchReport) {
        rows = report.rows
        lists = report.lists?.all
        listsVisited = report.lists?.visited
        blocksScreened = report.blocksScreened
        survivors = report.survivors
        exactDistances = report.exactDistances
        bytesRead = report.bytesRead
        simdLevel = report.simdLevel
        codeBits = report.codeBits
        plan = report.plan
    }
}
