/// `kin index recommend`: a list by examples, with diversity and limits.
enum IndexRecommendation {
    static let command = Command<Console>(
        "index recommend", "Lists vectors similar to some, dissimilar to others, and different from each other.",
        details: RecommendationRequest.details + """

            Examples:

              kin index recommend profiles.kin --like 42,57 --unlike 9 -k 5
              kin index recommend profiles.kin --like 42 --diversity 0.2 --exclude 1-40
              kin index recommend visits.kin --like 42 --category user --per-category 2 --json
              kin index recommend profiles.kin --vector "nature_mirror=0.9" --diversity 0.3
            """, [IndexCommandLine.index],
        options: [RecommendationRequest.like, RecommendationRequest.vector] + RecommendationRequest.options + [
            .k(10, "The number of vectors."),
            .option("where", .filter, "Choose among vectors that satisfy this condition, such as 'user = u42'."),
            .shownAttributes, .mapped, .threads, .json,
        ]
    ) { console, request in
        try ReplSession(opening: request, console: console).recommend(request)
    }
}

extension ReplSession {
    /// Opens the index of a command line with its options.
    ///
    /// - Throws: The error of an option that does not fit the index.
    convenience init(opening request: MethodRequest, console: Console) throws {
        let path = request.word("index")
        let file = try IndexFile.open(path, mapped: request.isOn("mapped"))
        try request.reading("where") { () throws(KinError) in
            if let condition = request.condition { try file.index.check(condition) }
        }
        try file.index.require(request.mode)
        self.init(file, path: path, threads: request.threads, mode: request.mode, console: console)
        if request.isJSON { switches.insert(.json) }
        if request.isOn("explain") { switches.insert(.explain) }
    }
}
