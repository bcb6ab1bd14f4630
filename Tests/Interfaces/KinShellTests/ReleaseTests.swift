import Foundation
import Testing

@testable import KinShell

@Suite("The release")
struct ReleaseTests {
    @Test("tool, C header and Python package have one version, which is in the changelog")
    func versions() throws {
        let told = kin("--version")
        #expect(told.status == 0)
        let version = told.results.trimmingCharacters(in: .whitespacesAndNewlines).replacing("kin ", with: "")
        #expect(version.split(separator: ".").count == 3)
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: repository + "/" + path, encoding: .utf8)
        }
        #expect(try text("Sources/Interfaces/CKin/include/kin.h").contains("#define KIN_VERSION \"\(version)\""))
        #expect(try text("Sources/Interfaces/python/pyproject.toml").contains("version = \"\(version)\""))
        #expect(try text("Sources/Interfaces/python/kin/__init__.py").contains("__version__ = \"\(version)\""))
        #expect(try text(".github/CHANGELOG.md").contains("## \(version), "))
    }
}
