import Foundation

/// A program that is built next to the tests.
public enum BuiltProgram {
    /// The path of a program: next to the tests' program, or a few folders above it in a bundle.
    public static func path(_ name: String) throws -> String {
        var place = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<4 {
            let program = place.appending(path: name).path
            if FileManager.default.isExecutableFile(atPath: program) { return program }
            place.deleteLastPathComponent()
        }
        throw Missing(name: name)
    }

    private struct Missing: Error { let name: String }
}
