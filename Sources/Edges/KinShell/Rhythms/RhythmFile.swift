import Foundation
import Kin

/// Reads a log from a file: CSV, or JSON where the text begins with { or [.
enum RhythmFile {
    static func read(_ path: String, born: String?) throws -> RhythmLog {
        let reader = try ByteReader(path: path)
        let text = try reader.text(of: "log")
        do throws(KinError) {
            var log: RhythmLog
            if let mark = text.first(where: { !$0.isWhitespace }), mark == "{" || mark == "[" {
                log = try RhythmLog(json: text)
            } else {
                log = try RhythmCSVReader(text: text).log()
            }
            if let born { log = log.with(born: try LocalDateTime(parsing: born)) }
            return log
        } catch {
            throw Failure(error.within("file", reader.name))
        }
    }
}
