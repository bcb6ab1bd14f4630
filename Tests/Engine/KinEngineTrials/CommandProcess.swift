import Foundation
import KinEngine

/// A process that runs commands on stores while a second process writes to them.
///
/// It reads lines: `open PATH`, `close`, and a command's method and request separated by a tab. It answers each line
/// with one line.
package final class CommandProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []

    /// Starts the process.
    ///
    /// - Parameter executable: The program whose option `--serve` calls ``serve(_:)``.
    package init(executable: String, folder: String) throws {
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = ["--serve", "1", "--folder", folder]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Sends a line without waiting for its answer.
    package func send(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// The next answer.
    package func receive() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw KinError(.inputOutput, "the process of commands ended") }
            unread += bytes
        }
    }

    /// Sends a line and returns its answer.
    package func call(_ line: String) throws -> String {
        try send(line)
        return try receive()
    }

    /// Runs the commands of standard input until it ends.
    ///
    /// - Parameter folder: The folder of the samples' files.
    package static func serve(folder: String) throws {
        let samples = try CommandSamples(folder: folder)
        var engine: Engine?
        while let line = readLine() {
            let words = line.split(separator: "\t", maxSplits: 1).map(String.init)
            switch words[0] {
            case "open":
                engine = try retrying { () throws(KinError) in try samples.engine(at: words[1]) }
                _ = try engine?.call("suspend")
                print("open")
            case "close":
                try engine?.close()
                engine = nil
                print("closed")
            default:
                let answer: String
                do throws(KinError) {
                    answer = try retrying { () throws(KinError) in try engine?.call(words[0], words[1]) } ?? ""
                } catch {
                    answer = "\(error)"
                }
                _ = try engine?.call("suspend")
                print(answer)
            }
            fflush(nil)
        }
    }

    /// Repeats an action while another process holds the store.
    private static func retrying<Result>(_ body: () throws(KinError) -> Result) throws(KinError) -> Result {
        while true {
            do throws(KinError) {
                return try body()
            } catch  where error.code == .busy {
                usleep(200)
            }
        }
    }
}
