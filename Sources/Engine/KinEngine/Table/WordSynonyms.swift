/// Synonyms of the words of choices: "nervous" for the mood `anxious`, "rainy" for the weather `rain`.
package enum WordSynonyms {
    private static let tables: [(words: [String], synonyms: [(alias: String, name: String)])] = [
        table(of: Mood.synonyms), table(of: MissionRequest.Weather.synonyms),
        (TemporalTags.Season.names, TemporalTags.Season.synonyms),
    ]

    private static func table<Word: RawRepresentable<String> & CaseIterable>(
        of synonyms: [String: Word]
    ) -> (words: [String], synonyms: [(alias: String, name: String)]) {
        (Word.allCases.map(\.rawValue), synonyms.map { ($0.key, $0.value.rawValue) }.sorted { $0 < $1 })
    }

    /// The synonyms of the words of a choice; empty for most choices.
    static func synonyms(of words: [String]) -> [(alias: String, name: String)] {
        tables.first { $0.words == words }?.synonyms ?? []
    }

    /// Returns the word of a choice that equals a text in any spelling, or has the text as a synonym; nil for other
    /// texts.
    package static func word(_ text: String, of words: [String]) -> String? {
        let plain = Spelling.plain(text)
        return words.first { Spelling.plain($0) == plain } ?? synonyms(of: words).first { $0.alias == plain }?.name
    }
}
