import Foundation
import Kin

/// Reads a log from a file: CSV, or JSON where the text begins with { or [.
enum RhythmFile {
    /// The largest log that is read: ten thousand years of busy days.
    static let longest = 1 << 30

    static func read(_ path: String, born: String?) throws -> RhythmLog {
        let reader = try ByteReader(path: path)
        var bytes: [UInt8] = []
        while true {
            let piece = try reader.read(upTo: 1 << 22)
            if piece.isEmpty { break }
            bytes += piece
            guard bytes.count <= longest else {
                throw Failure(KinError(.capacityExceeded, "the log is longer than 1 GB").within("file", reader.name))
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                KinError(.malformedInput, "the text is not UTF-8: convert the file to UTF-8 first").within(
                    "file", reader.name))
        }
        do throws(KinError) {
            var log: RhythmLog
            if let mark = text.first(where: { !$0.isWhitespace }), mark == "{" || mark == "[" {
                log = try RhythmLog(json: text)
            } else {
                log = RhythmLog(try RhythmCSVReader(text: text).records())
            }
            if let born {
                log = RhythmLog(
                    log.records, baby: Baby(name: log.baby.name, born: try LocalClock.instant(born)))
            }
            return log
        } catch {
            throw Failure(error.within("file", reader.name))
        }
    }
}
