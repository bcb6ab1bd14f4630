import Foundation
import KinTestSupport
import Testing

/// The tool runs with a limit on the size of files, as if the disk were full.
@Suite("Outputs on a full disk")
struct FullDiskTests {
    private let folder = TemporaryFolder()

    /// Runs the built tool with a limit on the size of each file, in blocks of 512 or 1,024 bytes.
    private func run(_ line: String, blocks: Int) throws -> (status: Int32, notes: String) {
        let tool = try builtProgram("kin")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec '\(tool)' \(line)"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let notes = Pipe()
        process.standardError = notes
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: notes.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// The bytes of all files in the folder, without those of stores.
    private func contents() -> [String: Data] {
        var found: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            if !name.contains(".db") { found[name] = FileManager.default.contents(atPath: folder.path(name)) }
        }
        return found
    }

    @Test(
        "a command either replaces all files of its output, or none, and names the file that does not fit",
        arguments: [
            ("generate souls --count 5 -o o.jsonl", "generate souls --count 300 -o o.jsonl", "o.jsonl"),
            ("generate clustered --count 5 -o o.npy", "generate clustered --count 900 -o o.npy", "o.npy"),
            ("index build few.npy -o p.kin", "index build many.csv --scale standard -o p.kin", "p.kin"),
            ("cluster few.jsonl -o realms", "cluster many.jsonl -o realms", "realms/"),
            ("world --in few -o w.json", "world --in many -o w.json", "w.json"),
            (
                "store export --vectors points --store few.db -o v.npy",
                "store export --vectors points --store many.db -o v.npy", "v.npy"
            ),
        ])
    func fullDisk(before: String, now: String, name: String) throws {
        for (count, size) in [(20, "few"), (60, "many")] {
            #expect(kin("generate", "images", "--count", "\(count)", "-o", folder.path("\(size).jsonl")).status == 0)
            #expect(kin("cluster", folder.path("\(size).jsonl"), "-o", folder.path(size)).status == 0)
            let (people, store) = (folder.path("people.jsonl"), folder.path("\(size).db"))
            let sizes = ["--count", "\(count / 4)", "--sessions", "\(2 * count)", "--items", "5"]
            #expect(kin(["generate", "people"] + sizes + ["-o", people, "--force"]).status == 0)
            #expect(kin("store", "import", people, "--store", store).status == 0)
        }
        #expect(kin("generate", "clustered", "--count", "9", "-o", folder.path("few.npy")).status == 0)
        _ = try folder.file("many.csv", "a,b\n" + (0..<900).map { "\($0),\($0 * 7 % 64)\n" }.joined())
        #expect(try run(before, blocks: 1 << 20).status == 0)
        let old = contents()
        var (blocks, refusals) = (1, 0)
        while blocks < 1 << 12 {
            let (status, notes) = try run(now + " --force", blocks: blocks)
            if status == 0 { break }
            #expect(contents() == old, "\(blocks): \(notes)")
            // A store that does not open names its own file.
            if notes.contains("of the new file") {
                refusals += 1
                #expect(notes.contains(name), "\(blocks): \(notes)")
            }
            blocks *= 2
        }
        #expect(refusals > 0 && contents() != old && blocks < 1 << 12)
    }

    @Test("a folder that cannot be made is refused with the reason")
    func folders() throws {
        let file = try folder.file("file", "text")
        for (path, reason) in [(file + "/x", "exists"), ("/proc/none/x", "no such file or folder")] {
            let run = kin("cluster", datasets + "/images.jsonl", "-o", path)
            #expect(run.status == 73, "\(run.notes)")
            #expect(run.notes.lowercased().contains(reason), "\(run.notes)")
        }
        for path in ["a//b/c/"] {
            #expect(kin("cluster", datasets + "/images.jsonl", "-o", folder.path(path)).status == 0, "\(path)")
        }
    }
}
