/// A piece of a command line.
struct Token: Equatable {
    enum Kind: Equatable { case word, quoted, open, close, comma, equals }

    let kind: Kind
    let text: String
    /// The token's position, in characters from the start of the line.
    let range: Range<Int>

    /// Cuts a line into tokens; a `#` that begins a word starts a comment.
    ///
    /// Words are runs of anything but blanks and `[ ] , =`; a word in double quotes may hold those too.
    static func tokens(of line: String) throws(CommandError) -> [Token] {
        let characters = Array(line)
        var tokens: [Token] = []
        var index = 0
        while index < characters.count {
            let start = index
            let character = characters[index]
            index += 1
            if character.isWhitespace { continue }
            if character == "#" { break }
            if let kind = punctuation[character] {
                tokens.append(Token(kind: kind, text: String(character), range: start..<index))
                continue
            }
            if character == "\"" {
                guard let end = characters[index...].firstIndex(of: "\"") else {
                    throw CommandError(message: "this quote is never closed", range: start..<characters.count)
                }
                tokens.append(Token(kind: .quoted, text: String(characters[index..<end]), range: start..<end + 1))
                index = end + 1
                continue
            }
            while index < characters.count, !endsWord(characters[index]) { index += 1 }
            tokens.append(Token(kind: .word, text: String(characters[start..<index]), range: start..<index))
        }
        return tokens
    }

    private static let punctuation: [Character: Kind] = ["[": .open, "]": .close, ",": .comma, "=": .equals]

    private static func endsWord(_ character: Character) -> Bool {
        character.isWhitespace || punctuation[character] != nil || character == "\""
    }
}
