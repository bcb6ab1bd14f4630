import ArgumentParser
import Kin

/// `kin index verify`: every byte of an index file against its checksums.
struct IndexVerifyCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check every byte of an index file against its checksums.",
        discussion: "The exit status is 0 for an intact file and 65 for a damaged one."
    )

    @Argument(help: "The index file.")
    var index: String

    @Flag(help: "Print as JSON.")
    var json = false

    func run(on console: Console) throws {
        try IndexFile.requireFile(index)
        let report: FileReport
        do {
            report = try IndexKind.verify(index)
        } catch {
            throw Failure(error.code == .inputOutput ? .noInput : .dataError, error)
        }
        if json {
            console.print(JSONText.line(VerificationRecord(report, path: index)))
        } else {
            show(report, on: console)
        }
        if !report.isIntact { throw ProcessStatus.dataError }
    }

    private func show(_ report: FileReport, on console: Console) {
        var table = TextTable([("sections", .left), ("", .right), ("bytes", .right), ("checksums", .left)])
        for group in SectionGroup.groups(of: report.sections) {
            let checksums = group.damaged == 0 ? "match" : "\(NumberText.count(group.damaged)) differ"
            table.append([group.kind, NumberText.count(group.count), NumberText.count(group.bytes), checksums])
        }
        console.print(table)
        for fact in report.facts { console.print("  \(fact.name): \(fact.value)") }
        if let damage = report.damage {
            let place = (damage.section.map { "section \($0), " } ?? "") + "byte \(NumberText.count(damage.offset))"
            console.print("\(console.style.bad("damaged")): \(index), \(place): \(damage.description)")
            console.print("restore the file from a copy, or build it again with `kin index build`")
        } else {
            console.print(
                "\(console.style.good("intact")): \(index), \(NumberText.bytes(report.totalBytes)), every checksum matches"
            )
        }
    }
}

/// The sections of one kind, in sum: a large index has hundreds.
struct SectionGroup: Equatable {
    let kind: String
    var count = 0
    var bytes = 0
    var damaged = 0

    /// Groups sections by the first word of their names, in the order of the file.
    static func groups(of sections: [FileReport.Section]) -> [SectionGroup] {
        var groups: [SectionGroup] = []
        for section in sections {
            let kind = String(section.name.prefix { $0 != " " })
            let place = groups.firstIndex { $0.kind == kind } ?? groups.endIndex
            if place == groups.endIndex { groups.append(SectionGroup(kind: kind)) }
            groups[place].count += 1
            groups[place].bytes += section.length
            if !section.checksumMatches { groups[place].damaged += 1 }
        }
        return groups
    }
}

/// The outcome of a check in JSON.
struct VerificationRecord: Encodable {
    struct Section: Encodable {
        let name: String
        let offset: Int
        let length: Int
        let checksumMatches: Bool
    }

    let file: String
    let isIntact: Bool
    let totalBytes: Int
    let sections: [Section]
    let damage: String?

    init(_ report: FileReport, path: String) {
        file = path
        isIntact = report.isIntact
        totalBytes = report.totalBytes
        sections = report.sections.map {
            Section(name: $0.name, offset: $0.offset, length: $0.length, checksumMatches: $0.checksumMatches)
        }
        damage = report.damage?.description
    }
}
