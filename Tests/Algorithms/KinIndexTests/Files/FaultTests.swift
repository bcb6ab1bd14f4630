import KinIndex
import KinTestSupport
import SystemPackage
import Testing

/// Every system call of saving, opening and verifying fails in turn.
@Suite("A failed system call loses nothing")
struct FaultTests {
    private static let payload = [UInt8](repeating: 7, count: 600_000)
    private static let errors: [Errno] = [.ioError, .noSpace, .permissionDenied, .diskQuotaExceeded]

    /// The state of the path before the save.
    private enum Before: CaseIterable { case nothing, file }

    private let folder = TemporaryFolder()
    private var path: String { folder.path("index.kin") }

    private func prepare(_ before: Before) throws -> [UInt8]? {
        for name in folder.names { try SystemFiles().remove(FilePath(folder.path(name))) }
        guard before == .file else { return nil }
        try SectionFileWriter.write(to: path, kind: "OLD ", kindVersion: FormatVersion(major: 1, minor: 0)) { _ in }
        return try contents(of: path)
    }

    /// The calls of a save without faults.
    private func calls(_ before: Before) throws -> [String] {
        _ = try prepare(before)
        let files = FaultyFiles()
        try save(files)
        return files.calls
    }

    /// A save that writes in several pieces.
    private func save(_ files: FaultyFiles) throws(KinError) {
        let payload = Self.payload
        let ids = SampleFile.ids
        // The old file has a different kind.
        try withOverwriting { () throws(KinError) in
            try SectionFileWriter.write(to: path, kind: "NEW ", kindVersion: SampleFile.kindVersion, files: files) {
                writer throws(KinError) in
                try writer.begin("DATA", stride: 1)
                try writer.append(payload.span)
                try writer.begin("IDS ", stride: 8)
                try writer.append(ids.span)
            }
        }
    }

    @Test func aSaveMakesTheExpectedCalls() throws {
        let write = ["create", "write", "write", "write", "write"]
        let commit = ["rename", "synchronize", "close"]
        let written = write + ["setPermissions", "synchronize", "close"]
        #expect(try calls(.nothing) == ["resolve", "resolve", "openFolder"] + written + ["resolve"] + commit)
        let look = ["resolve", "status(at:)", "status(at:)", "openForReading", "status(of:)", "read", "close"]
        #expect(try calls(.file) == look + ["resolve", "status(at:)", "openFolder"] + written + look + commit)
    }

    @Test func aFailureOfAnyCallOfASaveIsHandled() throws {
        for before in Before.allCases {
            let calls = try calls(before)
            let rename = try #require(calls.firstIndex(of: "rename"))
            for call in calls.indices {
                for errno in Self.errors {
                    let old = try prepare(before)
                    let files = FaultyFiles(.fails(errno), at: call)
                    let place: Comment = "call \(call), \(calls[call]), \(errno), before: \(before)"
                    var isSaved = false
                    do throws(KinError) {
                        try save(files)
                        isSaved = true
                        // A failed close loses nothing, unless it closes the new file. A file system may have no
                        // permissions.
                        let isCommit = calls[call - 1] == "synchronize" && call != calls.indices.last
                        let isUnset = calls[call] == "setPermissions" && before == .nothing
                        #expect(isUnset || calls[call] == "close" && !isCommit, place)
                    } catch {
                        #expect(error.code == .inputOutput, place)
                        #expect(error.context.first?.name == "file" && error.context.first?.value == path, place)
                        #expect(error.message.hasPrefix("cannot "), place)
                        #expect(errno != .noSpace || error.message.contains("disk is full"), place)
                        #expect(call < rename || error.message.contains("in place") || call == rename, place)
                    }
                    #expect(files.openDescriptors == 0, place)
                    if call <= rename, !isSaved {
                        #expect(folder.names == (before == .file ? ["index.kin"] : []), place)
                        if let old { #expect(try contents(of: path) == old, place) }
                    } else {
                        #expect(folder.names == ["index.kin"], place)
                        #expect(try verifySectionFile(at: path).isIntact, place)
                        #expect(try SectionFile(mapping: path).header.kind == "NEW ", place)
                    }
                }
            }
        }
    }

    @Test func interruptionsAndShortWritesAreRetried() throws {
        for before in Before.allCases {
            let calls = try calls(before)
            let expected = try contents(of: path)
            for call in calls.indices {
                for fault in [FaultyFiles.Fault.fails(.interrupted), .isShort] {
                    _ = try prepare(before)
                    let files = FaultyFiles(fault, at: call)
                    try save(files)
                    #expect(try contents(of: path) == expected, "call \(call), \(calls[call]), \(fault)")
                    #expect(folder.names == ["index.kin"])
                    #expect(files.openDescriptors == 0)
                }
            }
        }
    }

    @Test func aWriteOfZeroBytesIsAnError() throws {
        for before in Before.allCases {
            for (call, name) in try calls(before).enumerated() where name == "write" {
                let old = try prepare(before)
                let files = FaultyFiles(.isEmpty, at: call)
                #expect(kinError { try save(files) }.says(path, code: .inputOutput))
                #expect(folder.names == (old == nil ? [] : ["index.kin"]))
                #expect(try old == old.map { _ in try contents(of: path) })
                #expect(files.openDescriptors == 0)
            }
        }
    }

    /// A process that ends at any call leaves the whole old file or the whole new one, and at most one temporary file.
    @Test func aSaveThatEndsAtAnyCallLosesNothing() throws {
        for before in Before.allCases {
            let calls = try calls(before)
            let rename = try #require(calls.firstIndex(of: "rename"))
            for call in calls.indices {
                let old = try prepare(before)
                #expect((try? save(FaultyFiles(.dies, at: call))) == nil || call == calls.indices.last)
                if call <= rename {
                    #expect((try? contents(of: path)) == old, "call \(call), \(calls[call])")
                } else {
                    #expect(try verifySectionFile(at: path).isIntact)
                    #expect(try SectionFile(mapping: path).header.kind == "NEW ")
                }
                let left = folder.names.filter { $0 != "index.kin" }
                #expect(left.count <= 1 && left.allSatisfy { $0.hasPrefix(".kin-") && $0.hasSuffix(".tmp") })
            }
        }
    }

    @Test func foldersThatCannotBeSynchronizedAreAccepted() throws {
        let call = try #require(try calls(.file).lastIndex(of: "synchronize"))
        for errno in [Errno.invalidArgument, .notSupported] {
            _ = try prepare(.file)
            try save(FaultyFiles(.fails(errno), at: call))
            #expect(try SectionFile(mapping: path).header.kind == "NEW ")
        }
    }

    @Test func anErrorOfTheCallerLeavesTheOldFile() throws {
        let old = try prepare(.file)
        let files = FaultyFiles()
        let payload = Self.payload
        let error = kinError {
            try SectionFileWriter.write(to: path, kind: "OLD ", kindVersion: SampleFile.kindVersion, files: files) {
                writer throws(KinError) in
                try writer.begin("DATA", stride: 1)
                try writer.append(payload.span)
                throw KinError(.notFinite, "no number")
            }
        }
        #expect(error.says(path, code: .notFinite))
        #expect(try contents(of: path) == old)
        #expect(folder.names == ["index.kin"])
        #expect(files.openDescriptors == 0)
    }

    @Test func aFailureOfAnyCallOfOpeningAndVerifyingIsHandled() throws {
        try SampleFile.write(to: path)
        let path = path
        let uses: [(String, (FaultyFiles) throws(KinError) -> Void)] = [
            ("open", { files throws(KinError) in _ = try SectionFile(mapping: path, files: files) }),
            (
                "verify",
                { files throws(KinError) in
                    try verifySectionFile(at: path, files: files).requireIntact()
                }
            ),
        ]
        for (name, use) in uses {
            let probe = FaultyFiles()
            try use(probe)
            #expect(probe.calls.last == "close")
            for call in probe.calls.indices {
                let place: Comment = "\(name), call \(call), \(probe.calls[call])"
                for errno in Self.errors where call != probe.calls.indices.last {
                    let files = FaultyFiles(.fails(errno), at: call)
                    #expect(kinError { try use(files) }.says(path, code: .inputOutput))
                    #expect(files.openDescriptors == 0, place)
                }
                for fault in [FaultyFiles.Fault.fails(.interrupted), .isShort] {
                    let files = FaultyFiles(fault, at: call)
                    try use(files)
                    #expect(files.openDescriptors == 0, place)
                }
            }
        }
    }
}
