/// `kin index verify`: every byte of an index file against its checksums.
enum IndexVerification {
    static let command = Command<Console>(
        "index verify", "Checks every byte of an index file against its checksums.",
        details: "The exit status is 0 for an intact file and 65 for a damaged one.", [IndexCommandLine.index],
        options: [.json]
    ) { console, request in
        let path = request.word("index")
        try IndexFile.requireFile(path)
        let report: FileReport
        do throws(KinError) { report = try VectorIndex.verify(path) } catch {
            throw Failure(error.code == .inputOutput ? .noInput : .dataError, error)
        }
        request.isJSON ? console.print(json: record(report, path)) : show(report, path, on: console)
        if !report.isIntact { throw ProcessStatus.dataError }
    }

    private static func record(_ report: FileReport, _ path: String) -> Record {
        [
            "file": path, "is_intact": report.isIntact, "total_bytes": report.totalBytes,
            "sections": report.sections.map {
                [
                    "name": $0.name, "offset": $0.offset, "length": $0.length, "checksum_matches": $0.checksumMatches,
                ] as Record
            }, "damage": report.damage?.description,
        ]
    }

    private static func show(_ report: FileReport, _ path: String, on console: Console) {
        // Grouped by the first word of the sections' names, because a large index has hundreds of sections.
        var kinds: [String] = []
        let groups = Dictionary(grouping: report.sections) { section in
            let kind = String(section.name.prefix { $0 != " " })
            if !kinds.contains(kind) { kinds.append(kind) }
            return kind
        }
        if !kinds.isEmpty {
            console.print(["sections", ">", ">bytes", "checksums"], of: kinds) { kind in
                let sections = groups[kind] ?? []
                let damaged = sections.count { !$0.checksumMatches }
                return [
                    kind, NumberText.count(sections.count), NumberText.count(sections.reduce(0) { $0 + $1.length }),
                    damaged == 0 ? "match" : "\(NumberText.count(damaged)) differ",
                ]
            }
        }
        for fact in report.facts { console.print("  \(fact.name): \(fact.value)") }
        if let damage = report.damage {
            let place = (damage.section.map { "section \($0), " } ?? "") + "byte \(NumberText.count(damage.offset))"
            console.print("\(console.style.bad("damaged")): \(path), \(place): \(damage.description)")
            console.print("restore the file from a copy, or build it again with `kin index build`")
        } else {
            console.print(
                "\(console.style.good("intact")): \(path), \(NumberText.bytes(report.totalBytes)), every checksum matches"
            )
        }
    }
}
