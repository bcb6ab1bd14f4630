import KinIndex
import KinLibC
import KinTestSupport
import SystemPackage
import Testing

/// Which things at a path are opened, refused or replaced.
@Suite("Paths that open, are refused or are replaced")
struct PathTests {
    private let folder = TemporaryFolder()

    private func expectNoFile(at path: String, mentions text: String, code: KinError.Code = .inputOutput) {
        #expect(kinError { try SectionFile(mapping: path) }.says(text, code: code))
        #expect(kinError { try verifySectionFile(at: path) }.says(text, code: code))
        #expect(kinError { try SectionFile(mapping: path) }.says("file \(path)", code: code))
    }

    @Test func otherFilesAreRefused() throws {
        expectNoFile(at: folder.path("missing.kin"), mentions: "no such file")
        expectNoFile(at: folder.path("no/folder.kin"), mentions: "no such file")
        expectNoFile(at: folder.path, mentions: "a folder")
        expectNoFile(at: "/dev/null", mentions: "a device")
        expectNoFile(at: "", mentions: "empty", code: .invalidArgument)
        expectNoFile(at: "a\0b", mentions: "zero byte", code: .invalidArgument)

        let pipe = folder.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        expectNoFile(at: pipe, mentions: "a named pipe")

        let empty = folder.path("empty.kin")
        try writeCarelessly([], to: empty)
        expectNoFile(at: empty, mentions: "the file is empty", code: .corruptFile)

        let text = folder.path("text.csv")
        try writeCarelessly(Array("id,x,y\n1,2,3\n".utf8), to: text)
        expectNoFile(at: text, mentions: "not a Kin file", code: .unsupportedFormat)
        expectNoFile(at: text + "/x", mentions: "not a folder")
    }

    /// Root may read everything and is not refused; the errors in `FaultTests` cover that case.
    @Test(.enabled(if: geteuid() != 0, "runs as a user who may read everything")) func unreadableFile() throws {
        let path = folder.path("secret.kin")
        try SampleFile.write(to: path)
        #expect(unsafe chmod(path, 0) == 0)
        expectNoFile(at: path, mentions: "permission denied")
    }

    @Test func unwritablePathsAreRefused() throws {
        for (path, text) in [
            (folder.path, "a folder"), ("/dev/null", "a device"), (folder.path("no/such/folder.kin"), "no such file"),
            (folder.path(String(repeating: "n", count: 300)), "name is too long"),
        ] {
            #expect(kinError { try SampleFile.write(to: path) }.says(text, code: .inputOutput))
        }
        let pipe = folder.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(kinError { try SampleFile.write(to: pipe) }.says("a named pipe", code: .inputOutput))
        #expect(kinError { try SampleFile.write(to: "") }.says("empty", code: .invalidArgument))
        #expect(folder.names == ["pipe"])
    }

    @Test(arguments: [0o600, 0o640, 0o444, 0o777] as [mode_t]) func permissionsArePreserved(_ mode: mode_t) throws {
        let path = folder.path("old.kin")
        try writeCarelessly([1, 2, 3], to: path)
        #expect(unsafe chmod(path, mode) == 0)
        try withOverwriting { try SampleFile.write(to: path) }
        #expect(try SystemFiles().status(at: FilePath(path)).permissions.rawValue == mode)
        #expect(try verifySectionFile(at: path).isIntact)
    }

    /// Vectors may be people's.
    @Test func newFilesArePrivate() throws {
        let path = folder.path("new.kin")
        try SampleFile.write(to: path)
        #expect(try SystemFiles().status(at: FilePath(path)).permissions.rawValue == 0o600)
    }

    @Test func symbolicLinksAreFollowed() throws {
        let target = folder.path("target.kin")
        let link = folder.path("link.kin")
        try writeCarelessly([1, 2, 3], to: target)
        #expect(unsafe symlink("target.kin", link) == 0)
        try withOverwriting { try SampleFile.write(to: link) }
        #expect(try contents(of: target) == SampleFile.byHand.bytes)
        #expect(try Stat(FilePath(link), followTargetSymlink: false).type == .symbolicLink)
        #expect(try SectionFile(mapping: link).sections.count == 4)

        let loop = folder.path("loop.kin")
        #expect(unsafe symlink("loop.kin", loop) == 0)
        #expect(kinError { try SampleFile.write(to: loop) }.says("circle", code: .inputOutput))
        #expect(kinError { try SectionFile(mapping: loop) }.says("circle", code: .inputOutput))
        #expect(folder.names == ["link.kin", "loop.kin", "target.kin"])
    }

    @Test func aMappedFileOutlivesItsReplacementAndRemoval() throws {
        let path = folder.path("index.kin")
        try SampleFile.write(to: path)
        let opened = try SectionFile(mapping: path)
        try withOverwriting {
            try SectionFileWriter.write(to: path, kind: "NEW ", kindVersion: SampleFile.kindVersion) { _ in }
        }
        #expect(try verifySectionFile(reading: opened.image).kind == "TEST")
        try SystemFiles().remove(FilePath(path))
        #expect(try verifySectionFile(reading: opened.image).isIntact)
    }

    /// Several writers on one path: every reader sees one complete file.
    @Test func concurrentReadersSeeOneCompleteFile() async throws {
        let path = folder.path("index.kin")
        try SampleFile.write(to: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for round in 0..<10 {
                        let payload = [UInt8](repeating: UInt8(16 * writer + round), count: 1000 * (writer + 1))
                        try SectionFileWriter.write(to: path, kind: "TEST", kindVersion: SampleFile.kindVersion) {
                            output throws(KinError) in
                            try output.begin("DATA", stride: 1)
                            try output.append(payload.span)
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<20 {
                        let read = try verifySectionFile(at: path)
                        let mapped = try verifySectionFile(reading: SectionFile(mapping: path).image)
                        #expect(read.isIntact && mapped.isIntact)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(folder.names == ["index.kin"])
    }
}
