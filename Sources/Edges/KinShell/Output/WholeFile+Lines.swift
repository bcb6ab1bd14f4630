import KinFiles

extension WholeFile {
    /// Makes a file of lines, and shows how far it is.
    ///
    /// - Parameters:
    ///   - count: How many lines.
    ///   - noun: What a line tells of, for people.
    ///   - line: The line of a number from 0 on, without its end.
    static func make(
        _ path: String, lines count: Int, of noun: String, on console: Console, _ line: (Int) -> String
    ) throws {
        let bar = ProgressBar("writing", on: console)
        defer { bar.finish() }
        try make(path) { file in
            // In pieces, so that a million lines need no gigabytes.
            for first in stride(from: 0, to: count, by: 1000) {
                bar.update(done: first, of: count) { NumberText.count($0, noun) }
                try file.write(Array((first..<min(count, first + 1000)).map { line($0) + "\n" }.joined().utf8))
            }
        }
    }
}
