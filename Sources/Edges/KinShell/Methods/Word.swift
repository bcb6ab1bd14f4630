/// A word of a request, with its place in the line.
struct Word: Equatable {
    var text: String
    /// The position in characters from the start of the line.
    var range: Range<Int>
    /// Whether it stands in quotes, so that it is a value and never a name.
    var isQuoted = false

    /// Cuts a line into words; a `#` that begins a word starts a comment.
    ///
    /// Text in double quotes belongs to one word, with `\"` for a quote; a JSON object or array is kept as it is, to its closing bracket.
    /// Blanks around `=` join the words beside it.
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
                if characters[index] == "\"" {
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
                words.append(Word(text: text, range: start..<index, isQuoted: characters[start] == "\""))
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

    /// The text of a JSON object or array, up to the end of the line when it has no closing bracket.
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

    /// The words of a command line, and the line that they make up, in which errors are pointed at.
    static func words(of arguments: [String]) -> (line: String, words: [Word]) {
        var (line, words) = ("", [Word]())
        for argument in arguments {
            if !line.isEmpty { line += " " }
            let shown = argument.isEmpty || argument.contains(where: \.isWhitespace) ? "\"\(argument)\"" : argument
            let start = line.count
            line += shown.replacing("\n", with: " ")
            words.append(Word(text: argument, range: start..<line.count))
        }
        return (line, words)
    }

    /// The words with everything behind a bare `where` as one: a condition is a sentence.
    ///
    /// A word with blanks is a text in quotes, unless it is the whole condition.
    static func joiningCondition(_ words: [Word]) -> [Word] {
        guard let place = words.firstIndex(where: { $0.text.lowercased() == "where" }), place + 2 < words.count else {
            return words
        }
        let condition = words[(place + 1)...]
        let text = condition.map { $0.text.contains(where: \.isWhitespace) ? "\"\($0.text)\"" : $0.text }
        let range = condition[place + 1].range.lowerBound..<words[words.count - 1].range.upperBound
        return words[...place] + [Word(text: text.joined(separator: " "), range: range, isQuoted: true)]
    }
}
