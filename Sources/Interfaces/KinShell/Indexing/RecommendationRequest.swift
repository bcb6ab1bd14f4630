/// The parameters of `recommend`, on the command line and in the REPL.
enum RecommendationRequest {
    static let like = ParameterDescription.option(
        "like", .list("id"), "Ids that the list should resemble, such as 1,2,10-19. They are left out.")
    static let vector = ParameterDescription.option(
        "vector", .object("vector"), "A vector that the list should resemble, as for `near`.")
    static let options: [ParameterDescription] = [
        .option("unlike", .list("id"), "Ids that the list should differ from. They are left out."),
        .option(
            "unlike_weight", .number(0...1, unit: ""), default: "0.5",
            "The weight of the examples to differ from; less than 1 for l2."),
        .option(
            "diversity", .number(0...1, unit: ""), default: "0",
            "The weight of differences within the list: less than 1, for l2 less than (1 - u) / (2 - u)."),
        .option("exclude", .list("id"), "Ids to leave out, such as those already seen."),
        .option("category", .text, "The attribute whose values `per_category` limits."),
        .option("per_category", .count, "The largest number of vectors of one value of `category`."),
    ]

    static let details = """
        A vector's score is its mean distance from the examples (like, vector), minus u times the mean distance from the
        examples to differ from. u is unlike-weight, or 0 without such examples. With a diversity d, each vector after
        the best is the vector with the least
          (1 - d) x score - d x (distance from the nearest vector of the list).
        Try 0.1 to 0.3: more puts unrelated vectors in the list.
        """
}

extension ReplSession {
    /// Finds and shows the vectors that the examples recommend.
    func recommend(_ request: MethodRequest) throws {
        let (k, filter) = (request.optionalInt("k") ?? k, filter(nil, request.condition))
        func examples(_ name: String) throws -> [Recommendation.Example] {
            // The index reports ids that it does not contain.
            (try request.ids(name, in: file.index) ?? IDList()).ranges.flatMap { range -> [Recommendation.Example] in
                if range.count == 1 { return [.id(VectorID(range.lowerBound))] }
                var list = IDList()
                list.ranges = [range]
                return list.members(of: file.index).map { .id($0) }
            }
        }
        var positive = try examples("like")
        if request.isGiven("vector") {
            positive.append(.vector(try query(request.target("vector", in: file.index)).vector))
        }
        guard !positive.isEmpty else {
            throw request.refusal("like", "there is no example: give ids to be like, or a vector")
        }
        guard request.isGiven("category") == request.isGiven("per_category") else {
            throw request.refusal(
                request.isGiven("category") ? "category" : "per_category", "category and per_category belong together")
        }
        let limit = request.text("category").flatMap { name in
            request.optionalInt("per_category").map { CategoryLimit(attribute: name, count: $0) }
        }
        let wanted = Recommendation(
            positive: positive, negative: try examples("unlike"), negativeWeight: request.number("unlike_weight"),
            diversity: request.number("diversity"), perCategory: limit,
            excluded: Set((try request.ids("exclude", in: file.index) ?? IDList()).members(of: file.index)))
        let start = ContinuousClock.now
        let found = try file.index.recommend(wanted, k: k, where: filter ?? .all, threads: threads)
        lastFound = (found, nil)
        try show(
            found, request.shownAttributes(of: file.index), time: ContinuousClock.now - start, report: nil,
            title: "score")
    }
}
