import Foundation
import KinEngine
import Testing

/// Every typed query and command of Swift is also a method by name, so JSON, Python and the tool offer the same as
/// Swift.
@Suite("Typed methods") struct TypedMethodTests {
    /// Functions of `Engine` whose method has a different name, or whose value serves several methods.
    private static let others: [String: String] = [
        "advance": "advance", "end": "end", "affinity": "why", "realmLibrary": "cluster",
        "rotate": "rotation", "session": "export", "forecaster": "forecast",
        "log": "repairs", "inventoryReport": "inventory", "missionReport": "missions",
        "call": "info", "close": "save_indexes", "query": "info",
    ]

    @Test("every typed method is in the table")
    func everyFunctionHasItsMethod() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/Engine/KinEngine")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var functions: Set<String> = []
        for case let file as URL in files
        where file.lastPathComponent.hasPrefix("Engine") && file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /public func (\w+)/) {
                functions.insert(String(match.1))
            }
        }
        #expect(functions.count > 40)
        for function in functions {
            let name = function.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
            let method = Self.others[function] ?? name
            #expect(Engine.methods.contains(method), "Swift has \(function), and no method is called \(method)")
        }
        for function in Self.others.keys {
            #expect(functions.contains(function), "\(function) is no function any more")
        }
    }
}
