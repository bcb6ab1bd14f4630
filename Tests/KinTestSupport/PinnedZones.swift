import Foundation
package import KinCore

/// Time zone files stored with the tests, so that results do not depend on a machine's version of the database.
///
/// `Zones/make.py` documents their source.
package enum PinnedZones {
    /// The form of a compiled file of the database: with all changes up to 2037, or without those that its footer
    /// implies.
    package enum Form: String, CaseIterable, Sendable { case fat, slim }

    /// The changes of a zone from 1970 to 2049 by Python's `zoneinfo`.
    package struct Reference: Sendable {
        package let name: String
        /// Seconds since 1970, ascending, each with the new offset from UTC in seconds; the first is 0.
        package let changes: [(second: Int64, offset: Int)]

        package func offset(at second: Int64) -> Int { changes.last { $0.second <= second }!.offset }
    }

    /// The end of ``Reference``, 2050-01-01, in seconds since 1970.
    package static let end: Int64 = 2_524_608_000

    package static let references: [Reference] = {
        let text = try! String(contentsOf: folder.appendingPathComponent("transitions.txt"), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            let words = line.split(separator: " ")
            let later = words.dropFirst(2).map { word in
                let parts = word.split(separator: ":")
                return (second: Int64(parts[0])!, offset: Int(parts[1])!)
            }
            return Reference(name: String(words[0]), changes: [(0, Int(words[1])!)] + later)
        }
    }()

    package static func database(_ form: Form) -> ZoneDatabase {
        ZoneDatabase(folder: folder.appendingPathComponent(form.rawValue).path)
    }

    package static func zone(_ name: String, _ form: Form = .slim) throws(KinError) -> LocalZone {
        try LocalZone(name: name, tzif: database(form).bytes(of: name))
    }

    private static let folder = Bundle.module.resourceURL!.appendingPathComponent("Zones")
}
