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

    @Test("the names are those in the table, and oversized files are no zones")
    func others() throws {
        let temporary = TemporaryFolder()
        let folder = URL(fileURLWithPath: temporary.path)
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Asia"), withIntermediateDirectories: true)
        try Data(PinnedZones.database(.slim).bytes(of: "Asia/Tokyo")).write(
            to: folder.appendingPathComponent("Asia/Tokyo"))
        try Data(count: 2 << 20).write(to: folder.appendingPathComponent("Asia/Vast"))
        let database = ZoneDatabase(folder: folder.path)
        #expect(kinError { try database.bytes(of: "Asia/Tokip") }.says("write a name such as Europe/Berlin"))
        try Data("# A comment with\tmany\tcolumns\nJP\t+353916+1394441\tAsia/Tokyo\nshort\tline\n".utf8).write(
            to: folder.appendingPathComponent("zone.tab"))
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
}
