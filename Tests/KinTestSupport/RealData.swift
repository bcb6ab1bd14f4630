public import Foundation

/// Real data, which the project does not contain: KIN_DATA names the folder with the data sets of `datasets/README.md`.
/// Without it, tests that need them print "skipped: no data".
public enum RealData {
    private static let folder = ProcessInfo.processInfo.environment["KIN_DATA"].map { URL(fileURLWithPath: $0) }

    /// The location of a file or folder; nil if it does not exist.
    public static func place(of name: String) -> URL? {
        guard let place = folder?.appendingPathComponent(name) else { return nil }
        return FileManager.default.fileExists(atPath: place.path) ? place : nil
    }

    /// Whether a file, plain or packed, or a folder exists.
    public static func has(_ name: String) -> Bool { place(of: name) != nil || place(of: name + ".gz") != nil }

    /// A file's text, unpacked if only `name.gz` exists.
    public static func text(of name: String) throws -> String {
        if let plain = place(of: name) { return try String(contentsOf: plain, encoding: .utf8) }
        guard let packed = place(of: name + ".gz") else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", packed.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// The fields of a CSV file without quotes, except its title line.
    public static func rows(of name: String) throws -> [[Substring]] {
        try text(of: name).split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
    }
}
