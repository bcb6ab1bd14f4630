import Foundation
import KinCore

/// The path of a program that is built next to the tests, or a few folders above them in a bundle.
package func builtProgram(_ name: String) throws -> String {
    var place = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
        let program = place.appending(path: name).path
        if FileManager.default.isExecutableFile(atPath: program) { return program }
        place.deleteLastPathComponent()
    }
    throw KinError(.inputOutput, "there is no program \(name) next to the tests")
}
