import Foundation

/// A process under a fault, after its end.
struct Life {
    /// The lines of its standard output and the text of its standard error.
    let lines: [String]
    let complaint: String
    let wasKilled: Bool
    let status: Int32

    /// Runs a process, and kills it if this is the fault.
    init(_ executable: String, _ arguments: [String], _ fault: Fault) throws {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        if case .killed(let milliseconds) = fault {
            usleep(UInt32(milliseconds) * 1000)
            kill(process.processIdentifier, SIGKILL)
        }
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try complaint.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        self.complaint = String(decoding: complained, as: UTF8.self)
        wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        status = process.terminationStatus
    }
}
