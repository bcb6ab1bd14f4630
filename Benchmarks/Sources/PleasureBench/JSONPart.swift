import Foundation
import Kin
import KinSamples
import Measuring

/// Reading sessions from JSON lines, compared with Foundation.
struct JSONPart {
    let seed: UInt64

    func run() throws {
        let sessions = (0..<50).flatMap { PersonGenerator(seed: seed).person($0, sessions: 400).sessions }
        let lines = sessions.map(\.json)
        let bytes = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        print("\n## \(lines.count) sessions as JSON, \(bytes / lines.count) bytes each\n")
        print("| reader | sessions a second | MB/s |\n| --- | --- | --- |")
        func row(_ name: String, _ work: () throws -> Void) throws {
            let time = try Timing.measure(seconds: 2, work).best
            print("| \(name) | \(Int(Double(lines.count) / time)) | \(Int(Double(bytes) / time / 1e6)) |")
        }
        try row("Kin, to checked sessions") { for line in lines { _ = try PleasureSession(json: line) } }
        let data = lines.map { Data($0.utf8) }
        let decoder = JSONDecoder()
        try row("JSONDecoder, to a struct of strings") {
            for line in data { _ = try decoder.decode(Plain.self, from: line) }
        }
        try row("JSONSerialization, to dictionaries") {
            for line in data { _ = try JSONSerialization.jsonObject(with: line) }
        }
        try row("Kin, writing") { for session in sessions { _ = session.json } }
    }

    /// The same fields, unchecked.
    private struct Plain: Decodable {
        let id: String
        let userID: String
        let state: String
        let stateHistory: [String]
        let start: String
        let end: String?
        let pleasure: Marks
        let notes: String?
        let embeddingID: String?
        let transcriptURL: String?
        let mediaURLs: [String]

        enum CodingKeys: String, CodingKey {
            case id, state, notes
            case userID = "user_id"
            case stateHistory = "state_history"
            case start = "timestamp_start"
            case end = "timestamp_end"
            case pleasure = "pleasure_vector"
            case embeddingID = "embedding_id"
            case transcriptURL = "transcript_url"
            case mediaURLs = "media_urls"
        }
    }

    private struct Marks: Decodable {
        let primary: [String]
        let secondary: [String]
        let intensities: [String: Float]
    }
}
