extension String {
    /// The text as one word of a shell's command line: in quotes if it has characters with a meaning there.
    var quoted: String {
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0) }
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}

/// A word of a request, with its position in the line.
struct Word: Equatable {
    var text: String
    /// The position in characters from the start of the line.
    var range: Range<Int>
    /// Whether the word is in quotes, and therefore a value and never a name.
    var isQuoted = false

    /// The word after which all words are values (POSIX.1-2017, Utility Syntax Guideline 10).
    static let endOfOptions = "--"

    /// Splits a line into words; a `#` at the start of a word starts a comment.
    ///
    /// Text in quotes belongs to one word, with `\"` for a quote between double quotes. A JSON object or array is one
    /// word, up to its closing bracket. Spaces around `=` join the words on both sides.
    static func words(of line: String) throws(CommandError) -> [Word] {
        let characters = Array(line)
        var words: [Word] = []
        var index = 0
        while index < characters.count {
            let start = index
            if characters[index].isWhitespace {
                index += 1
                continue
            }
            if characters[index] == "#" { break }
            var text = ""
            while index < characters.count, !characters[index].isWhitespace {
                if characters[index] == "'", text.isEmpty, let end = characters[(index + 1)...].firstIndex(of: "'") {
                    text = String(characters[index + 1..<end])
                    index = end + 1
                } else if characters[index] == "\"" {
                    text += try quoted(characters, &index)
                } else if "{[".contains(characters[index]), text.isEmpty || text.last == "=" {
                    text += bracketed(characters, &index)
                } else {
                    text.append(characters[index])
                    index += 1
                }
            }
            let isJoined =
                characters[start] == "=" || words.last.map { characters[$0.range.upperBound - 1] == "=" } == true
            if isJoined, let last = words.indices.last {
                words[last].text += text
                words[last].range = words[last].range.lowerBound..<index
            } else {
                words.append(Word(text: text, range: start..<index, isQuoted: "\"'".contains(characters[start])))
            }
        }
        return words
    }

    private static func quoted(_ characters: [Character], _ index: inout Int) throws(CommandError) -> String {
        let start = index
        var text = ""
        index += 1
        while index < characters.count {
            let character = characters[index]
            index += 1
            if character == "\"" { return text }
            if character == "\\", index < characters.count, "\"\\".contains(characters[index]) {
                text.append(characters[index])
                index += 1
            } else {
                text.append(character)
            }
        }
        throw CommandError(message: "this quote is never closed", range: start..<characters.count)
    }

    /// The text of a JSON object or array, up to the end of the line if it has no closing bracket.
    private static func bracketed(_ characters: [Character], _ index: inout Int) -> String {
        let start = index
        var (depth, isInText) = (0, false)
        while index < characters.count {
            let character = characters[index]
            index += 1
            if isInText {
                if character == "\\" { index += 1 } else if character == "\"" { isInText = false }
            } else if character == "\"" {
                isInText = true
            } else if "{[".contains(character) {
                depth += 1
            } else if "}]".contains(character) {
                depth -= 1
                if depth == 0 { break }
            }
        }
        index = min(index, characters.count)
        return String(characters[start..<index])
    }

    /// The words of a command line, and the line that they form, for the positions of errors.
    static func words(of arguments: [String]) -> (line: String, words: [Word]) {
        var (line, words) = ("", [Word]())
        for argument in arguments {
            if !line.isEmpty { line += " " }
            let shown = argument.isEmpty || argument.contains(where: \.isWhitespace) ? "\"\(argument)\"" : argument
            let start = line.count
            line += shown.replacing("\n", with: " ")
            let inset = shown.count > argument.count ? 1 : 0
            words.append(Word(text: argument, range: start + inset..<line.count - inset))
        }
        return (line, words)
    }

    /// The words, with everything after a bare `where` as one word, because a condition is a sentence.
    ///
    /// - Parameters:
    ///   - line: The line of the words.
    ///   - start: The number of words before a condition without `where`; nil if `where` is required.
    static func joiningCondition(_ words: [Word], of line: String, behind start: Int? = nil) -> [Word] {
        let marker = words.firstIndex { !$0.isQuoted && $0.text.lowercased() == "where" }
        guard let first = start ?? marker.map({ $0 + 1 }), first < words.count else { return words }
        // Options of a command line end the condition.
        let end = words[first...].firstIndex(where: \.isOption) ?? words.count
        guard first < end else { return words }
        var condition = words[first]
        if first + 1 < end || !condition.isWholeQuoted(in: line) {
            let texts = words[first..<end].map { word in
                let text = word.slice(of: line)
                // An argument with spaces is a text in quotes.
                let isText = first + 1 < end && word.text.contains(where: \.isWhitespace) && !text.contains("\"")
                return isText && !text.contains("'") ? "\"\(text)\"" : text
            }
            condition.range = condition.range.lowerBound..<words[end - 1].range.upperBound
            condition.text = texts.joined(separator: " ")
        }
        condition.isQuoted = true
        return words[..<first] + [condition] + words[end...]
    }

    /// Whether the word is `--k` or `-k`, and not `-2`.
    private var isOption: Bool {
        !isQuoted && text.hasPrefix("-") && text.drop { $0 == "-" }.first?.isLetter != false
    }

    private func slice(of line: String) -> String {
        String(line.dropFirst(range.lowerBound).prefix(range.count))
    }

    /// Whether the whole word is in one pair of quotes.
    private func isWholeQuoted(in line: String) -> Bool {
        let slice = slice(of: line)
        guard isQuoted, let quote = slice.first, slice.count > 1, slice.last == quote else { return false }
        return !slice.dropFirst().dropLast().replacing("\\\(quote)", with: "").contains(quote)
    }
}
