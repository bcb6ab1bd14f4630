import CAllocationCounter
import Foundation
import KinTestSupport
import Testing

@testable import KinCore

@Suite("The time zone database")
struct ZoneDatabaseTests {
    @Test(
        "unknown zone names are refused with a suggestion",
        arguments: [
            "Europe/Berlim", "../../etc/passwd", "/etc/passwd", "", "Europe", "+25:00", "Europe/Ber\u{0}lin",
            "zone.tab",
        ])
    func unknownNames(name: String) {
        let error = #expect(throws: KinError.self) { try LocalZone(named: name) }
        #expect(error?.code == .unknownID, "\(name): \(String(describing: error))")
        if name == "Europe/Berlim" { #expect("\(error!)".contains("did you mean Europe/Berlin?")) }
    }

    @Test(
        "an unknown zone that is an offset or a city has the right advice",
        arguments: [
            ("GMT-8", "such as +02:00 or -08:00"), ("UTC-08:00", "such as +02:00 or -08:00"),
            ("utc+1", "such as +02:00 or -08:00"), ("berlin", "did you mean Europe/Berlin?"),
            ("los_angeles", "did you mean America/Los_Angeles?"), ("New York", "did you mean America/New_York?"),
        ])
    func advice(name: String, advice: String) {
        #expect(kinError { try LocalZone(named: name) }.says(advice))
    }

    @Test("a folder lists its zones by name")
    func names() {
        for form in PinnedZones.Form.allCases {
            #expect(PinnedZones.database(form).names() == PinnedZones.references.map(\.name).sorted())
        }
    }

    @Test("invalid and oversized files are not listed or suggested")
    func others() throws {
        let temporary = TemporaryFolder()
        let folder = URL(fileURLWithPath: temporary.path)
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Asia"), withIntermediateDirectories: true)
        try Data(PinnedZones.database(.slim).bytes(of: "Asia/Tokyo")).write(
            to: folder.appendingPathComponent("Asia/Tokyo"))
        try Data("no zone".utf8).write(to: folder.appendingPathComponent("Asia/Tokyp"))
        try Data(count: 2 << 20).write(to: folder.appendingPathComponent("Asia/Vast"))
        let database = ZoneDatabase(folder: folder.path)
        #expect(kinError { try database.bytes(of: "Asia/Tokip") }.says("did you mean Asia/Tokyo?"))
        #expect(throws: KinError.self) { try database.bytes(of: "Asia/Vast") }
        #expect(throws: KinError.self) { try database.bytes(of: "Asia") }
        #expect(database.names() == ["Asia/Tokyo"])
    }

    @Test(
        "a lookup allocates about the size of its file",
        .enabled(if: allocation_counter_works() == 1, "allocations are not counted here"))
    func memory() throws {
        let database = PinnedZones.database(.fat)
        _ = try database.bytes(of: "Europe/Berlin")
        let before = allocated_bytes()
        let bytes = try database.bytes(of: "Europe/Berlin")
        #expect(allocated_bytes() - before < 2 * UInt64(bytes.count) + 1000)
    }

    #if os(Linux)
        @Test("a misspelt name opens only the nearest file")
        func misspelt() throws {
            let temporary = TemporaryFolder()
            let folder = URL(fileURLWithPath: temporary.path)
            let europe = folder.appendingPathComponent("Europe")
            try FileManager.default.createDirectory(at: europe, withIntermediateDirectories: true)
            let bytes = try Data(PinnedZones.database(.slim).bytes(of: "Europe/Berlin"))
            for name in ["Berlin", "Dublin", "Lisbon", "Madrid", "Vienna"] {
                try bytes.write(to: europe.appendingPathComponent(name))
            }
            // The kernel reports which files of the folder are opened.
            let watch = inotify_init1(Int32(IN_NONBLOCK))
            defer { close(watch) }
            #expect(unsafe inotify_add_watch(watch, europe.path, UInt32(IN_OPEN)) >= 0)
            let error = #expect(throws: KinError.self) {
                try ZoneDatabase(folder: folder.path).bytes(of: "Europe/Berlim")
            }
            #expect("\(error!)".contains("Europe/Berlin?"))
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(watch, &buffer, buffer.count)
            // An event is four 32-bit words and a padded name; the folder itself has none.
            var (opened, place) = ([String](), 0)
            while place + 16 <= count {
                let length = Int(buffer[place + 12]) | Int(buffer[place + 13]) << 8
                let name = buffer[(place + 16)..<(place + 16 + length)].prefix { $0 != 0 }
                if !name.isEmpty { opened.append(String(decoding: name, as: UTF8.self)) }
                place += 16 + length
            }
            #expect(opened == ["Berlin"])
        }
    #endif
}
