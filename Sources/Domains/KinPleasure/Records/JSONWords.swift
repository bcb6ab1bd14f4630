// The words of the records, as forms in JSON.

extension JSONForm {
    /// The form of a list of words. Every session has such lists, and this form is faster than a list of the form of a word.
    @inline(__always)
    fileprivate static func list<Word: NamedCase>(_ noun: String, of what: String) -> JSONForm
    where Value == [Word], Word.AllCases == [Word] {
        let words = JSONKeys(Word.names)
        return JSONForm(
            "list of \(noun)",
            read: { reader throws(KinError) in
                var found: [Word] = []
                try reader.array { reader throws(KinError) in
                    found.append(Word.allCases[try reader.choice(of: words, what)])
                }
                return found
            }, write: { found, writer in writer.array { for word in found { $0.string(word.name) } } })
    }
}

extension JSONForm<[Pleasure.Dimension]> {
    static let dimensions = list("dimensions", of: "dimension")
}

extension JSONForm<[SessionState]> {
    static let states = list("states", of: "session state")
}

extension JSONForm<DayPart> {
    static let dayPart = word("time slot")
}

extension JSONForm<SessionState> {
    static let state = word("session state")
}

extension Pleasure.Dimension {
    static let words = JSONKeys(names)
    static let optionalWords = JSONKeys(names, required: [])
}
