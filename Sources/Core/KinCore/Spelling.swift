/// Normal forms for comparing words and names, and suggestions for misspelt words: the closest known word.
package enum Spelling {
    /// The plain form of a word of an enumeration: lower case, without blanks, hyphens, underscores and points.
    /// `.socialSync`, `Social Sync` and `social_sync` have the same plain form, so they are the same word.
    package static func plain(_ word: some StringProtocol) -> String {
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return withoutMarks(folded(String(word))) }
        return withoutMarks(word)
    }

    /// The folded form of a name: lower case in Unicode's normal form C, without white space at the ends. Names with the
    /// same folded form are the same name.
    package static func folded(_ name: String) -> String {
        let bytes = name.utf8
        let isFolded = bytes.allSatisfy { $0 < 0x80 && !($0 >= 0x41 && $0 <= 0x5A) }
        guard !isFolded || name.first?.isWhitespace == true || name.last?.isWhitespace == true else { return name }
        let text = isFolded ? name : RecordID.normalized(RecordID.normalized(name).lowercased())
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...last].drop { $0.isWhitespace })
    }

    private static func withoutMarks(_ word: some StringProtocol) -> String {
        String(
            decoding: word.utf8.compactMap { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): nil
                default: byte
                }
            }, as: UTF8.self)
    }

    /// The camel case of a name in snake case: `userId` for `user_id`.
    package static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The snake case of a name in camel case: `user_id` for `userId`.
    package static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }

    /// The length of the longest word that is compared, in UTF-8 bytes.
    package static let maximumBytes = 128

    /// The nearest of `words`, if it is near enough to be a likely typing error; otherwise nil.
    ///
    /// A word that begins with the typed text counts as near. Otherwise one edit per three letters is allowed, at least
    /// one. Texts longer than ``maximumBytes`` return nil. O(|typed| · Σ |word|).
    package static func nearest(to typed: String, in words: [String]) -> String? {
        guard !typed.isEmpty, typed.utf8.count <= maximumBytes else { return nil }
        let typed = typed.lowercased()
        let words = words.filter { $0.utf8.count <= maximumBytes }
        if typed.count >= 2, let whole = words.first(where: { $0.lowercased().hasPrefix(typed) }) { return whole }
        let best =
            words
            .map { (word: $0, edits: edits(Array(typed), Array($0.lowercased()))) }
            .min { $0.edits < $1.edits }
        guard let best, best.edits <= max(1, typed.count / 3) else { return nil }
        return best.word
    }

    /// Advice about an unknown word, for an error: the nearest known word, otherwise all known words.
    package static func advice(on typed: String, among words: [String]) -> String {
        if let near = nearest(to: typed, in: words) { return "did you mean \"\(near)\"?" }
        return "there are \(words.isEmpty ? "none" : words.joined(separator: ", "))"
    }

    /// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours
    /// (Damerau 1964, doi:10.1145/363958.363994; each part of the text edited once). O(|a| · |b|).
    package static func edits(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var current = [i + 1]
            for j in b.indices {
                var cost = min(current[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[b.count]
    }
}
