import Foundation
import Kin

/// Reads a log from JSON: an array of events, or an object of `name`, `dateOfBirth` and `events`.
///
/// An event has `type` and `timestamp` (or `start`), and what its type has; `id`, `author`, `created`, `updated` and `notes` are kept.
struct RhythmJSONReader {
    let data: Data

    func log() throws(KinError) -> ([RhythmRecord], Baby) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: data)
        } catch let error as DecodingError {
            throw Self.explained(error)
        } catch {
            throw KinError(.malformedInput, "the text is not JSON: \(error)")
        }
        var records: [RhythmRecord] = []
        for (place, event) in document.events.enumerated() {
            do {
                records.append(try event.record(row: place + 1))
            } catch {
                throw error.within("event", place + 1)
            }
        }
        var baby = Baby(name: document.name ?? "")
        if let text = document.dateOfBirth { baby.born = try Self.field(text, "dateOfBirth") }
        return (records, baby)
    }

    private static func field(_ text: String, _ name: String) throws(KinError) -> Timestamp {
        do {
            return try LocalTime.instant(text)
        } catch {
            throw error.within("field", name)
        }
    }

    private static func explained(_ error: DecodingError) -> KinError {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return KinError(.malformedInput, "the text is not a log in JSON")
        }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        // Foundation names line and column of text that is no JSON at all.
        let reason = context.underlyingError.map {
            ($0 as NSError).userInfo["NSDebugDescription"] as? String ?? "\($0)"
        }
        let failure = KinError(.malformedInput, reason ?? context.debugDescription)
        return path.isEmpty ? failure : failure.within("field", path)
    }
}

/// The whole file.
private struct Document: Decodable {
    var name: String?
    var dateOfBirth: String?
    var events: [Event]

    private enum Keys: CodingKey { case name, dateOfBirth, events }

    init(from decoder: any Decoder) throws {
        if let list = try? decoder.singleValueContainer().decode([Event].self) {
            events = list
            return
        }
        let container = try decoder.container(keyedBy: Keys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        dateOfBirth = try container.decodeIfPresent(String.self, forKey: .dateOfBirth)
        events = try container.decode([Event].self, forKey: .events)
    }
}

/// One event as it is written.
private struct Event: Decodable {
    var type: String
    var timestamp: String?
    var start: String?
    var end: String?
    var quality: String?
    var napNumber: Int?
    var isNightSleep: Bool?
    var method: String?
    var side: String?
    var volume: Double?
    var unit: String?
    var minutes: Double?
    var food: String?
    var kind: String?
    var title: String?
    var category: String?
    var id: String?
    var author: String?
    var created: String?
    var updated: String?
    var notes: String?

    func record(row: Int) throws(KinError) -> RhythmRecord {
        guard let text = start ?? timestamp, let start = try instant(text, "timestamp") else {
            throw KinError(.malformedInput, "an event needs a timestamp")
        }
        let note = RhythmRecord.Note(
            id: id, author: author, created: try instant(created, "created"), updated: try instant(updated, "updated"),
            text: notes)
        return RhythmRecord(start: start, event: try event(), note: note == RhythmRecord.Note() ? nil : note, row: row)
    }

    private func event() throws(KinError) -> RhythmRecord.Event {
        switch type {
        case "sleep":
            return .sleep(
                RhythmRecord.Sleep(
                    end: try instant(end, "end"), quality: try choice(quality, "quality"), napNumber: napNumber,
                    isNight: isNightSleep))
        case "feed":
            return .feed(
                RhythmRecord.Feed(
                    end: try instant(end, "end"), method: try choice(method, "method"), side: try choice(side, "side"),
                    millilitres: try millilitres(), minutes: minutes, food: food))
        case "diaper": return .diaper(try choice(kind, "kind") ?? .both)
        case "milestone":
            return .milestone(title: title ?? "", category: try choice(category, "category") ?? .physical)
        default:
            throw KinError(
                .malformedInput, "'\(CSVBlockParser.shown(type))' is not a type; write sleep, feed, diaper or milestone"
            ).within("field", "type")
        }
    }

    private func millilitres() throws(KinError) -> Double? {
        guard let volume else { return nil }
        switch unit ?? "ml" {
        case "ml": return volume
        case "oz": return volume * 29.5735
        case let other:
            throw KinError(.malformedInput, "'\(CSVBlockParser.shown(other))' is not a unit; write ml or oz")
                .within("field", "unit")
        }
    }

    private func instant(_ text: String?, _ name: String) throws(KinError) -> Timestamp? {
        guard let text, !text.isEmpty else { return nil }
        do {
            return try LocalTime.instant(text)
        } catch {
            throw error.within("field", name)
        }
    }

    private func choice<Choice: RawRepresentable<String>>(_ text: String?, _ name: String) throws(KinError) -> Choice? {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw KinError(.malformedInput, "'\(CSVBlockParser.shown(text))' is not known here").within("field", name)
        }
        return choice
    }
}
