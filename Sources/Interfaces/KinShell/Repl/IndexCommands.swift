/// The commands of the REPL on an index.
enum IndexCommands {
    private static let target = ParameterDescription.required(
        "target", .object("vector"), "An id of the index, which is left out of its own answer, or a vector.")
    private static let k = ParameterDescription.k(nil, "The number of neighbours.")
    private static let among = ParameterDescription.option("among", .list("id"), "The ids to search among.")
    private static let condition = ParameterDescription.option(
        "where", .filter, "A condition on attributes (`help filter`).")
    private static let rows = ParameterDescription.option("count", .count, default: "10", "The number of vectors.")

    private static let searches: [Command<ReplSession>] = [
        Command(
            "near", "The nearest vectors.",
            details: """
                TARGET is one of
                  42, doc-7                 the vector with this id, which is left out
                  [0.1, 0.2, …]             a vector, one number per dimension
                  nature_mirror=0.9 mobility=0.7
                                            dimensions by name, which alone are compared
                `compare all` takes the other dimensions as 0, or as their column's mean in an index built with --scale.

                Examples:
                  near 42
                  near 42 k 3 among 0-999
                  near nature_mirror=0.9 mobility=0.7
                  near 42 where id >= 20 and id < 900
                  near 42 show city,age
                  near 42 k 5 group_by city
                """, [target],
            options: [k, among, condition] + ParameterDescription.searchOptions
                + [ComparedDimensions.parameter, .shownAttributes]
        ) { try $0.near($1.target("target", in: $0.file.index), $1, among: "among") },
        Command(
            "within", "Finds every vector within a distance.",
            details: """
                The distance is in the metric's own units, those of the distances that `near` prints: squared for l2, and
                negated for ip, so that -5 means a product of 5 or more.
                Examples:
                  within 0.3 of 42
                  within 0.5 of nature_mirror=0.9 mobility=0.7
                """,
            [.required("distance", .anyNumber, "The distance.")],
            options: [
                .required("of", target.type, "TARGET, as for `near`."), among, condition, ComparedDimensions.parameter,
                .shownAttributes,
            ]
        ) { try $0.within($1.number("distance"), of: $1.target("of", in: $0.file.index), $1, among: "among") },
        Command(
            "recommend", "Lists vectors by liked and disliked examples, with diversity.",
            details: RecommendationRequest.details + """

                Examples:
                  recommend 42,57 unlike 9
                  recommend 42 diversity 0.2 exclude 1-40 k 5
                  recommend vector nature_mirror=0.9 diversity 0.3
                """, [RecommendationRequest.like],
            options: [RecommendationRequest.vector] + RecommendationRequest.options + [k, condition, .shownAttributes]
        ) { try $0.recommend($1) },
        Command(
            "filter", "Limits searches to a condition from now on; `filter off` removes it, `filter` shows it.",
            details: """
                \(FilterExpression.examples)
                `info` lists the attributes.
                Examples:
                  filter id between 40 and 49 and not id = 42
                  filter off
                """, [.option("where", .filter, "The condition, or off.")]
        ) { try $0.set(filter: $1.text("where")) },
        Command(
            "plan", "Explains how a search would run.",
            details:
                "Explains a search for TARGET, or the last search.\nExamples:\n  plan 42\n  plan nature_mirror=0.9 k 3",
            [.option("target", target.type, "TARGET, as for `near`.")], options: [k]
        ) { session, request in
            let target = request.isGiven("target") ? try request.target("target", in: session.file.index) : nil
            try session.plan(target, k: request.optionalInt("k"))
        },
        Command(
            "recall", "Compares the mode with exact search.",
            details: """
                The queries are vectors of the index, each left out of its own answer, or the first ones of a file, in the
                units of the data. The session's filter and k apply.
                Examples:
                  recall
                  recall 1000
                  recall 200 from queries.csv
                """, [.option("queries", .count, default: "100", "The number of queries.")],
            options: [.option("from", .path, "A file of queries.")]
        ) { try $0.recall(queries: $1.int("queries"), file: $1.text("from")) },
        Command(
            "head", "The first vectors, by ascending id.", details: "Example:\n  head 5 where id > 40", [rows],
            options: [condition, .shownAttributes]
        ) { session, request in
            try session.list(request) { ids, count in Array(ids.prefix(count)) }
        },
        Command(
            "sample", "Vectors drawn at random.", details: "Example:\n  sample 5 seed 7", [rows],
            options: [.seed(0), condition, .shownAttributes]
        ) { session, request in
            try session.list(request) { ids, count in ids.sample(count, seed: request.seed()) }
        },
        Command(
            "get", "One vector, number by number.", details: "Example:\n  get 42", [.required("id", .id, "The id.")]
        ) {
            try $0.get($1.id("id", in: $0.file.index))
        },
    ]

    private static let others: [Command<ReplSession>] = [
        Command(
            "upsert", "Inserts or replaces a vector.",
            details: "The file changes only with `save`.\nExample:\n  upsert 42 nature_mirror=0.9 mobility=0.7",
            [
                .required("id", .id, "The id."),
                .required("vector", .object("vector"), "[0.1, 0.2, …], or dimensions by name."),
            ]
        ) { try $0.upsert($1) },
        Command(
            "remove", "Removes vectors.", details: "The file changes only with `save`.\nExample:\n  remove 42",
            [.required("ids", .list("id"), "An id, or a list.")]
        ) { try $0.remove($1.ids("ids", in: $0.file.index) ?? IDList()) },
        Command(
            "save", "Writes the index to its file, or to a different one.",
            details: "The file is replaced at once, when the new one is complete.",
            [.option("path", .output, "The file.")]
        ) { try $0.save(to: $1.text("path")) },
        Command("info", "Describes the index.") { session, _ in
            session.print(session.file.record(session.path)) { session.console.print(session.file, path: session.path) }
        },
        Command(
            "lists", "Describes the lists of the index.",
            details: """
                The radius of a box is half its diagonal: no vector in it is farther from its middle. The smaller it is
                compared with the radius of all vectors, the more a search skips.
                """
        ) { session, _ in try session.lists() },
        Command(
            "set", "Changes settings, or shows them all.",
            details: """
                A new metric rebuilds the index from its vectors; `save` stores it. The mode sets how much of an
                inverted file `near` reads: all lists that can have a neighbour, the fewest that find a share of the
                true neighbours (see `recall`), or a number of nearest lists.
                Examples:
                  set k 20
                  set metric cosine
                  set mode recall 0.95
                """,
            options: [
                .k(nil, "The number of neighbours."),
                .option("metric", .choice(Metric.allCases.map(\.rawValue)), "\(Metric.allCases.summaries)."),
                .option("mode", .object("mode"), "exact, recall 0.95 or probes 8."),
                .option("threads", .count, "The number of threads."),
            ]
        ) { try $0.set($1) },
        Command(
            ":plot", "Draws the vectors and the last results.",
            details: """
                Seen along the two directions in which the vectors differ most: the target of the last search in orange,
                the results in blue. Examples, and a vector in some of the dimensions, have no place and are not drawn.
                Example:
                  :plot near.svg
                """, [.required("file", .output, "The file, SVG.")]
        ) { try $0.plot(to: $1.word("file")) },
        Command("quit!", "Leaves and drops unsaved changes.") { _, _ in },
    ]

    /// All commands, in the order of the help.
    static let all: [any CommandSpec] =
        searches + others + [
            ReplBuiltins.toggle(
                .explain, "Shows how much each `near` read.",
                details: """
                    blocks screened     blocks of 8-bit codes that were read and compared
                    survivors           vectors the codes could not rule out, compared exactly
                    memory read         bytes of codes and vectors that the search touched
                    """)
        ] + ReplBuiltins.commands
}

extension ParameterDescription {
    /// The attributes to show with each vector of an answer.
    static let shownAttributes = option("show", .list("attribute"), "The attributes to show with each vector.")

    /// The options of a search for the nearest vectors, in addition to its mode, filter and threads.
    static let searchOptions = [
        option(
            "group_by", .text,
            "An attribute (integer or category): only the nearest vector of each of its values is found.")
    ]
}

extension MethodRequest {
    /// A search with the values of ``ParameterDescription/searchOptions``.
    func searchOptions(_ mode: SearchMode, where filter: SearchFilter, threads: Int) -> SearchOptions {
        SearchOptions(mode: mode, where: filter, threads: threads, groupBy: text("group_by"))
    }

    /// The attributes to show with each vector of an answer; empty if none is given.
    ///
    /// - Throws: `.invalidArgument` for an unknown attribute.
    func shownAttributes(of index: VectorIndex) throws -> [String] {
        let names = texts("show")
        return try reading("show") { () throws(KinError) in
            for name in names { _ = try index.attributes.value(of: name, for: .none) }
            return names
        }
    }

    /// Whether a parameter has a value.
    func isGiven(_ name: String) -> Bool { values[name] != nil }

    /// The query of a search: an id, a vector, or some dimensions.
    func target(_ name: String, in index: VectorIndex) throws -> Target {
        let text = values[name]?.word.text ?? ""
        if index.hasNames, let id = index.id(of: text) { return .id(id) }
        if let vector = try vector(name) { return .vector(vector) }
        if index.hasNames || UInt64(text).map({ VectorID($0) != .none }) ?? false {
            return .id(try id(name, text, in: index))
        }
        throw noVector(name)
    }

    func noVector(_ name: String) -> CommandError {
        let text = values[name]?.word.text ?? ""
        return refusal(name, "must be an id, a vector such as [0.1, 0.2, …] or name=0.5, not '\(text)'")
    }

    /// A typed vector; nil for a number or a text, which may be an id.
    func vector(_ name: String) throws(KinError) -> VectorText? {
        guard let parts = values[name]?.parts else { return nil }
        if case .text? = parts.first { return nil }
        let json = ParameterText.json(parts, of: .object("vector"))
        return UInt64(json) == nil ? try VectorText(json: json) : nil
    }

    /// The id of a vector of the index.
    func id(_ name: String, in index: VectorIndex) throws -> VectorID { try id(name, word(name), in: index) }

    private func id(_ name: String, _ text: String, in index: VectorIndex) throws -> VectorID {
        guard index.hasNames else { return try number(ofID: name) }
        guard let id = index.id(of: text) else {
            throw KinError(.unknownID, "there is no vector with the id \(text)")
        }
        return id
    }

    /// An id that is a number.
    func number(ofID name: String) throws(CommandError) -> VectorID {
        let text = values[name]?.word.text ?? ""
        guard let number = UInt64(text), VectorID(number) != .none else {
            throw refusal(name, "must be a whole number from 0 to 2^64 - 2, not '\(text)'")
        }
        return VectorID(number)
    }

    /// The ids of a list; nil without a list.
    ///
    /// - Throws: `.unknownID` for a text that is not an id of the index.
    func ids(_ name: String, in index: VectorIndex) throws -> IDList? {
        let texts = texts(name)
        guard !texts.isEmpty else { return nil }
        var list = IDList()
        for text in texts {
            guard !index.hasNames else {
                let id = try id(name, text, in: index).rawValue
                list.ranges.append(id...id)
                continue
            }
            guard let part = IDList(text) else {
                throw refusal(name, "must be ids or ranges such as 1,2,10-19, not '\(text)'")
            }
            list.ranges += part.ranges
        }
        return list
    }
}
