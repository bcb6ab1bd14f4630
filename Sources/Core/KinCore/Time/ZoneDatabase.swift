import KinLibC

extension LocalZone {
    /// Creates a zone by its name: `UTC`, a name in the system's time zone database, or a fixed offset such as
    /// `+05:30`.
    ///
    /// The database is in the folder `$TZDIR`, otherwise in the usual folder of Linux or Apple's systems.
    ///
    /// - Parameter name: For example `Europe/Berlin`.
    /// - Throws: `.unknownID` for an unknown name, `.inputOutput` if there is no database or the file cannot be read,
    ///   and as ``init(name:tzif:)``.
    public init(named name: String) throws(KinError) {
        if name == "UTC" || name == "Z" {
            self = .utc
        } else if let offset = Self.fixedOffset(name) {
            self.init(name: name, transitions: [], offsets: [offset], footer: nil)
        } else {
            try self.init(name: name, tzif: ZoneDatabase().bytes(of: name))
        }
    }

    /// Reads an offset such as `+05:30`, in seconds; nil for any other text.
    private static func fixedOffset(_ text: String) -> Int? {
        guard text.utf8.count == 6, let sign = text.first, sign == "+" || sign == "-",
            let time = try? TimeOfDay(parsing: String(text.dropFirst()))
        else { return nil }
        return (sign == "-" ? -60 : 60) * time.minute
    }
}

/// The time zone database of the system: a folder of TZif files.
package struct ZoneDatabase: Sendable {
    /// The path of the folder; nil if the system has no database.
    package let folder: String?

    private static let folders = [
        "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
        "/etc/zoneinfo",
    ]

    /// Creates the database of a folder.
    package init(folder: String) { self.folder = folder }

    /// Finds the database: `$TZDIR`, otherwise the first of the usual folders that exists.
    package init() {
        let chosen = unsafe getenv("TZDIR").map { unsafe String(cString: $0) }
        folder = ((chosen.map { [$0] } ?? []) + Self.folders).first { unsafe access($0, R_OK | X_OK) == 0 }
    }

    /// Reads the bytes of a zone's file.
    ///
    /// - Throws: `.inputOutput` if there is no database; `.unknownID` with a suggestion of the nearest name.
    /// - Complexity: One file is read, for an unknown name the table of the names too.
    package func bytes(of name: String) throws(KinError) -> [UInt8] {
        guard folder != nil else {
            throw KinError(
                .inputOutput,
                "there is no time zone database; install tzdata, set TZDIR to its folder, or write an offset such as +02:00"
            )
        }
        guard Self.isName(name), let bytes = contents(of: name) else { throw unknown(name) }
        return bytes
    }

    /// The names of the zones of cities, as the table `zone.tab` in the folder has them: no links; empty without a table.
    package func names() -> [String] {
        String(decoding: contents(of: "zone.tab") ?? [], as: UTF8.self).split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "\t")
            return columns.count < 3 || line.hasPrefix("#") ? nil : String(columns[2])
        }
    }

    /// The contents of a file in the folder; nil if it does not exist or cannot be read.
    private func contents(of name: String) -> [UInt8]? {
        guard let folder else { return nil }
        let descriptor = unsafe open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The largest zone has about 4 KB, the table about 20 KB. A folder also opens, but cannot be read.
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard (0...1 << 20).contains(size) else { return nil }
        var isWhole = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = unsafe pread(descriptor, buffer.baseAddress! + count, size - count, off_t(count))
                if got <= 0 {
                    isWhole = got == 0
                    break
                }
                count += got
            }
        }
        return isWhole ? bytes : nil
    }

    /// Whether a name has the form of a zone's name. Without a dot it cannot lead out of the folder.
    ///
    /// `contains` on a text would link the standard library's regular expressions, a tenth of libkin.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count < 100 && !name.hasPrefix("/")
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "+-/_".utf8.contains(byte)
            }
    }

    private func unknown(_ name: String) -> KinError {
        let offset = name.drop { $0 != "+" && $0 != "-" }
        let isOffset = !offset.isEmpty && ["GMT", "UTC"].contains(name.dropLast(offset.count).uppercased())
        let others = names()
        let near =
            others.first { Spelling.plain($0.split(separator: "/").last ?? "") == Spelling.plain(name) }
            ?? Spelling.nearest(to: name, in: others)
        return KinError(
            .unknownID,
            "there is no time zone \"\(name.prefix(40))\"; "
                + (near.flatMap { isOffset ? nil : "did you mean \($0)?" }
                    ?? "write a name such as Europe/Berlin, or an offset such as +02:00 or -08:00"))
    }
}
