import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin index search`: one query or a file of them.
struct IndexSearchCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find the nearest vectors, or all within a distance.",
        discussion: """
            The query is a vector of the index (--id, itself left out of the answer), one you write (--vector), or \
            every row of a file (--queries). Vectors are in the units of the data: an index built with --scale \
            scales them itself. Distances are in the metric's units, squared for l2, and --within is too.

            An inverted file has modes that look at less: recall=0.95 finds 95 in 100 of the true neighbours, as \
            measured on its own vectors, probes=8 looks at the 8 nearest lists.

            Examples:

              kin index search profiles.kin --id 42 -k 5
              kin index search profiles.kin --vector "nature_mirror=0.9 mobility=0.7"
              kin index search tracks.kin --id 3000001 --within 2.5 --json
              kin index search profiles.kin --id 42 --only-ids 1,2,100-199 --explain
              kin index search visits.kin --id 42 --where "user = u42 and visits > 3"
              kin index search tracks.kin --id 3000001 --mode recall=0.95
              kin index search sift.kin --queries sift_query.fvecs -k 100 --json > answers.jsonl
            """
    )

    @Argument(help: "The index file.")
    var index: String

    @Option(help: "The vector with this id is the query.")
    var id: UInt64?

    @Option(
        help: ArgumentHelp(
            "The query: \"0.1,0.2,…\", or dimensions by name, \"path=0.4 food=0.9\".", valueName: "vector"))
    var vector: String?

    @Option(help: ArgumentHelp("A file of queries, one per row; - is standard input.", valueName: "file"))
    var queries: String?

    @Option(name: .customShort("k"), help: ArgumentHelp("How many neighbours.", valueName: "n"))
    var k: Int = 10

    @Option(help: ArgumentHelp("Find everything within this distance instead of the k nearest.", valueName: "distance"))
    var within: Double?

    @Option(help: ArgumentHelp("Search among these ids only, \"1,2,10-19\".", valueName: "ids"))
    var onlyIds: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Search among vectors whose attributes fulfil this, such as 'user = u42'; `help filter` in `kin repl`.",
            valueName: "filter"))
    var condition: String?

    @Option(
        help: ArgumentHelp("exact, recall=0.95 or probes=8; the last two for an inverted file.", valueName: "mode"),
        transform: IndexSearchCommand.mode
    )
    var mode = SearchMode.exact

    @OptionGroup var threads: ThreadOption

    @Flag(help: "Print one JSON object per query.")
    var json = false

    @Flag(help: "Show what the search looked at (one query, nearest neighbours).")
    var explain = false

    @OptionGroup(title: "Reading --queries") var options: InputOptions

    func validate() throws {
        let ways = [id != nil, vector != nil, queries != nil].count { $0 }
        guard ways == 1 else { throw ValidationError("give exactly one of --id, --vector and --queries") }
        guard k > 0 else { throw ValidationError("-k must be at least 1") }
        if let within, within.isNaN { throw ValidationError("--within must be a number") }
        if within != nil && mode != .exact {
            throw ValidationError("--within finds everything within the radius, always exactly: leave out --mode")
        }
        if explain && (queries != nil || within != nil) {
            throw ValidationError("--explain describes one search for the k nearest: leave out --queries and --within")
        }
        if let onlyIds, IDList(onlyIds) == nil {
            throw ValidationError("--only-ids \(onlyIds) is not a list of ids and ranges such as 1,2,10-19")
        }
    }

    private static func mode(_ text: String) throws -> SearchMode {
        do throws(KinError) {
            return try SearchMode(text: text)
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run(on console: Console) throws {
        let file = try IndexFile(opening: index)
        let filter = try filter(in: file)
        if let queries {
            try searchAll(queries, in: file, filter: filter ?? .all, console: console)
        } else {
            try searchOne(in: file, filter: filter, console: console)
        }
    }

    private func filter(in file: IndexFile) throws -> SearchFilter? {
        if condition == nil && onlyIds == nil { return nil }
        var expression: FilterExpression?
        if let condition {
            do throws(FilterSyntaxError) {
                expression = try FilterExpression.parse(condition)
            } catch {
                throw Failure.usage("--where '\(condition)', \(error.error)")
            }
        }
        let filter = SearchFilter(among: onlyIds.flatMap(IDList.init), where: expression)
        do throws(KinError) {
            try expression?.check(against: file.index.attributes.schema)
            // Many queries share what is made ready for them; one alone would not make up for it.
            return queries == nil ? filter : try file.index.prepare(filter, threads: threads.count)
        } catch {
            throw Failure.usage("--where '\(condition ?? "")': \(error)")
        }
    }

    private func searchOne(in file: IndexFile, filter: SearchFilter?, console: Console) throws {
        let query = try singleQuery(in: file)
        let own = OwnNeighbor(id.map { VectorID($0) }, k: k, mode: mode, filter: filter)
        let others: [Neighbor]
        var report: SearchReport?
        if let within {
            others = try file.index.rangeSearch(
                query, radius: within, where: filter ?? .all, threads: threads.count
            ).filter { $0.id != own.id }
        } else if explain {
            let explained = try file.index.explain(query, k: own.wanted, mode: mode, where: own.filter)
            report = explained
            others = own.others(explained.neighbors)
        } else {
            others = own.others(
                try file.index.search(
                    query, k: own.wanted, mode: mode, where: own.filter, threads: threads.count))
        }
        if json {
            let answer = AnswerRecord(
                neighbors: others.map(NeighborRecord.init), explain: report.map(ExplainRecord.init)
            )
            return console.print(JSONText.line(answer))
        }
        console.print(others, in: file)
        if let report { console.print(report) }
    }

    private func singleQuery(in file: IndexFile) throws(Failure) -> [Float] {
        if let id {
            guard let vector = file.index.vector(for: VectorID(id)) else {
                throw Failure(
                    KinError(.unknownID, "there is no vector with id \(id); `kin index info` shows the range"))
            }
            return vector
        }
        let text = vector ?? ""
        let line = text.contains("=") || text.contains("[") ? "near \(text)" : "near [\(text)]"
        do throws(CommandError) {
            guard case .near(.vector(let typed), nil, nil, nil) = try CommandParser(space: file.space).parse(line)
            else {
                throw CommandError(message: "this is not a vector", range: 0..<0)
            }
            return file.space.stored(typed)
        } catch {
            throw .usage("--vector \"\(text)\": \(error.message)\(error.hint.map { "; \($0)" } ?? "")")
        }
    }

    private func searchAll(_ path: String, in file: IndexFile, filter: SearchFilter, console: Console) throws {
        var table = try options.reader(preferred: file.space.names).read(path, console: console)
        guard table.dimension == file.index.dimension else {
            let counts = "the queries have \(table.dimension) columns, the index has \(file.index.dimension)"
            throw Failure(
                KinError(.dimensionMismatch, "\(counts) dimensions; choose with --columns or --exclude").within(
                    "file", path)
            )
        }
        file.space.scale(&table)
        let start = ContinuousClock.now
        if let within {
            for row in 0..<table.count {
                let query = table.row(row)
                show(
                    try file.index.rangeSearch(query, radius: within, where: filter, threads: threads.count),
                    row: row, table: table, file: file, console: console
                )
            }
        } else {
            try searchBatches(table, in: file, filter: filter, console: console)
        }
        let seconds = (ContinuousClock.now - start).seconds
        let rate = NumberText.threeDigits(Double(table.count) / max(seconds, 1e-9))
        console.note("\(NumberText.count(table.count, "query")), \(rate) a second")
    }

    /// Answers in batches, so that results flow and memory stays small however many queries there are.
    private func searchBatches(_ table: VectorTable, in file: IndexFile, filter: SearchFilter, console: Console) throws
    {
        let bar = ProgressBar("searching", on: console)
        defer { bar.finish() }
        for first in stride(from: 0, to: table.count, by: 4096) {
            let batch = table.rows(first..<min(first + 4096, table.count))
            let answers = try file.index.search(
                batch.matrix(), k: k, mode: mode, where: filter, threads: threads.count)
            for (row, neighbors) in answers.enumerated() {
                show(neighbors, row: row, table: batch, file: file, console: console)
            }
            if !console.isTerminal {
                bar.update(done: first + batch.count, of: table.count) {
                    NumberText.count($0, "query")
                }
            }
        }
    }

    private func show(
        _ neighbors: some Collection<Neighbor>, row: Int, table: VectorTable, file: IndexFile, console: Console
    ) {
        if json {
            let query = Int(clamping: table.id(ofRow: row).rawValue)
            console.print(JSONText.line(AnswerRecord(query: query, neighbors: neighbors.map(NeighborRecord.init))))
        } else {
            console.print(console.style.strong("query \(table.id(ofRow: row))"))
            console.print(neighbors, in: file)
        }
    }
}
