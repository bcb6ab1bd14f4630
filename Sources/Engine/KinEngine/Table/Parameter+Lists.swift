// Parameters of ranked lists other than those of the ranking.

extension Parameter<ListVariety> {
    /// The parameters `diversity`, `per_category` and `exclude` of a list.
    ///
    /// - Parameters:
    ///   - entry: The word for an entry of the list.
    ///   - category: The word for the category of an entry.
    static func variety(of entry: String, category: String) -> Parameter {
        combining(
            Parameter<Double>(
                "diversity", .number(ParameterRange.unit), default: 0,
                "The weight of differences within the list, by maximal marginal relevance. 0 ranks by cost alone."),
            Parameter<Int?>(
                "per_category", .integer(1...ParameterRange.mostResults),
                "The largest number of entries of one \(category). Default: no limit."),
            Parameter<[String]>(
                "exclude", .ids(of: entry), default: [], "Ids to leave out, such as those already seen.")
        ) { diversity, perCategory, excluded throws(KinError) in
            try ListVariety(diversity: diversity, perCategory: perCategory, excluded: Set(excluded))
        }
    }
}

extension Parameter<ListTaste> {
    /// The parameters of ``Parameter/variety(of:category:)``, and `liked` and `disliked`.
    static func taste(of entry: String, category: String) -> Parameter {
        combining(
            Parameter<ListVariety>.variety(of: entry, category: category),
            Parameter<[String]>(
                "liked", .ids(of: entry), default: [], "Examples that the list should resemble (left out)."),
            Parameter<[String]>(
                "disliked", .ids(of: entry), default: [],
                "Examples that the list should differ from, at half the weight (left out).")
        ) { variety, liked, disliked throws(KinError) in ListTaste(liked: liked, disliked: disliked, variety: variety) }
    }
}

extension ParameterForm<[String]> {
    /// A list of ids, in normal form.
    static func ids(of entry: String) -> ParameterForm {
        list("\(entry) id") { reader throws(KinError) in try reader.id() }
    }

    /// The id of a person, or a list of such ids, in normal form.
    static var people: ParameterForm {
        ParameterForm(type: ids(of: "user").type) { reader, name throws(KinError) in
            try reader.isAtArray() ? ids(of: "user").read(&reader, name) : [reader.id()]
        }
    }
}
