import Foundation

/// `kin index search`: one query, or a file of queries.
enum IndexSearch {
    static let command = Command<Console>(
        "index search", "Finds the nearest vectors, or all within a distance.",
        details: """
            The query is a vector of the index (--id, left out of the answer), a vector on the command line (--vector),
            or every row of a file (--queries). Vectors are in the units of the data: an index built with --scale scales
            them itself. Distances and --within are in the metric's units, squared for l2.

            An inverted file has modes that read less: recall=0.95 finds 95 % of the true neighbours, as measured on its
            own vectors; probes=8 reads the 8 nearest lists.

            Examples:

              kin index search profiles.kin --id 42 -k 5
              kin index search profiles.kin --vector "nature_mirror=0.9 mobility=0.7"
              kin index search tracks.kin --id 3000001 --within 2.5 --json
              kin index search profiles.kin --id 42 --only-ids 1,2,100-199 --explain
              kin index search visits.kin --id 42 --where "user = u42 and visits > 3" --show user,visits
              kin index search passages.kin --id 42 -k 5 --group-by document
              kin index search tracks.kin --id 3000001 --mode recall=0.95
              kin index search sift.kin --queries sift_query.fvecs -k 100 --json-lines > answers.jsonl
            """, [IndexCommandLine.index],
        options: [
            .option("id", .id, "The vector with this id is the query."),
            .option(
                "vector", .object("vector"), "The query: \"0.1,0.2,…\", or dimensions by name, \"path=0.4 food=0.9\"."),
            .option("queries", .path, "A file of queries, one per row; - is standard input."),
            .k(10, "The number of neighbours."),
            .option("within", .anyNumber, "Find everything within this distance instead of the k nearest."),
            .option("only_ids", .list("id"), "Search among these ids only."),
            .option("where", .filter, "Search among vectors that satisfy this condition, such as 'user = u42'."),
            .shownAttributes, ComparedDimensions.parameter, .mode, .mapped, .threads,
            .flag("explain", "Show how much the search read (one query, nearest neighbours)."),
        ] + ParameterDescription.searchOptions + InputOptions.parameters + ParameterDescription.jsonList
    ) { console, request in
        try request.requireOne(of: ["id", "vector", "queries"])
        let isWithin = request.isGiven("within")
        if isWithin && request.mode != .exact {
            throw request.refusal(
                "mode", "--within finds everything within the radius, always exactly: leave out --mode")
        }
        if request.isOn("explain") && (request.isGiven("queries") || isWithin) {
            throw request.refusal(
                "explain", "--explain describes one search for the k nearest: leave out --queries and --within")
        }
        for name in ["k"] + ParameterDescription.searchOptions.map(\.name) where isWithin && request.isGiven(name) {
            throw request.refusal(name, "--within finds every vector: leave out \(request.spellings[name] ?? name)")
        }
        let session = try ReplSession(opening: request, console: console)
        if let path = request.text("queries") {
            return try session.answerAll(of: path, request)
        }
        do {
            let index = session.file.index
            let target: Target
            if request.isGiven("id") {
                target = .id(try request.id("id", in: index))
            } else {
                // A single number is a vector of one dimension.
                let number = request.optionalNumber("vector").map { VectorText.numbers([$0]) }
                guard let vector = try request.vector("vector") ?? number else { throw request.noVector("vector") }
                target = .vector(vector)
            }
            if isWithin {
                return try session.within(request.number("within"), of: target, request, among: "only_ids")
            }
            try session.near(target, request, among: "only_ids")
        } catch let error as KinError where error.code == .invalidArgument {
            if request.isGiven("vector"), error.names("field") { throw request.refusal("vector", error.message) }
            throw error
        }
    }
}

extension ReplSession {
    /// Answers the queries of a file in batches, so that results appear early and memory does not grow with their
    /// number.
    fileprivate func answerAll(of path: String, _ request: MethodRequest) throws {
        let vectors = request.vectors(
            path, on: console, preferred: file.space.names, isScaled: file.space.scaling != nil)
        var table = try vectors.read()
        try console.note(table.notes, of: request)
        try file.requireQueries(table, from: path)
        file.space.scale(&table)
        let index = file.index
        let shown = try request.shownAttributes(of: index)
        if let condition = request.condition { file.noteUnknownCategories(in: condition, on: console) }
        // Preparation pays off only for many queries.
        let filter = try index.prepare(
            SearchFilter(among: request.ids("only_ids", in: index), where: request.condition), threads: threads)
        let start = ContinuousClock.now
        var list = JSONList(request, on: console)
        let work = LongWork(of: table.count)
        for first in stride(from: 0, to: table.count, by: 4096) {
            let batch = table.rows(first..<min(first + 4096, table.count))
            if let radius = request.optionalNumber("within") {
                for row in 0..<batch.count {
                    // Single searches report no progress; the loop does.
                    let found = try ProgressScope.shielded { () throws(KinError) in
                        try index.rangeSearch(batch.row(row), radius: radius, where: filter, threads: threads)
                    }
                    try show(found, shown, row, batch, in: &list)
                    try work.step()
                }
            } else {
                let answers = try withProgressHandler { () throws(KinError) in
                    try index.search(
                        batch.matrix(), k: request.int("k"),
                        options: request.searchOptions(mode, where: filter, threads: threads))
                } onProgress: { done, _ in
                    work.advance(to: first + done)
                }
                for (row, neighbors) in answers.enumerated() {
                    try show(Array(neighbors), shown, row, batch, in: &list)
                }
            }
            try work.step(to: first + batch.count)
        }
        if request.isJSON { list.finish() }
        let seconds = (ContinuousClock.now - start).seconds
        let rate = NumberText.threeDigits(Double(table.count) / max(seconds, 1e-9))
        console.note("\(table.count, "query"), \(rate) a second")
    }

    private func show(
        _ neighbors: [Neighbor], _ shown: [String], _ row: Int, _ table: VectorTable, in list: inout JSONList
    ) throws(KinError) {
        if switches.contains(.json) {
            let query: any JSONWritable = table.names?[row] ?? table.id(ofRow: row).rawValue
            let record: Record = [
                "query": query, "neighbors": neighbors.map { $0.record(in: file.index, showing: shown) },
            ]
            return list.append(record.jsonText)
        }
        console.print(console.style.strong("query \(table.idText(ofRow: row))"))
        try console.print(neighbors, in: file, showing: shown)
    }
}
