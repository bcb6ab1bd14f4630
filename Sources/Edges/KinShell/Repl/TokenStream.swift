import Kin

/// The tokens of one line, taken from the front, with errors that point at the right place.
struct TokenStream {
    private var tokens: ArraySlice<Token>
    /// Just past the last token, where something missing is pointed out.
    private let end: Int

    init(_ tokens: [Token]) {
        self.tokens = tokens[...]
        end = (tokens.last?.range.upperBound ?? 0) + 1
    }

    var next: Token? { tokens.first }
    var afterNext: Token? { tokens.dropFirst().first }

    /// Whether `k N` comes next.
    var isWidth: Bool { next?.kind == .word && next?.text.lowercased() == "k" }

    mutating func take() -> Token? { tokens.popFirst() }

    /// Takes the next token if it is of this kind.
    mutating func take(_ kind: Token.Kind) -> Token? { next?.kind == kind ? take() : nil }

    /// Takes the next token if it is this word.
    mutating func take(word: String) -> Bool {
        guard let next, next.kind == .word, next.text.lowercased() == word else { return false }
        tokens.removeFirst()
        return true
    }

    /// The next word, or an error that says what is missing.
    mutating func word(_ what: String, hint: String) throws(CommandError) -> Token {
        guard let token = next else { throw missing(what, hint: hint) }
        guard token.kind == .word || token.kind == .quoted else {
            throw CommandError(message: "\(what) is expected here", range: token.range, hint: hint)
        }
        tokens.removeFirst()
        return token
    }

    /// The next word as a finite number.
    mutating func number(_ what: String, hint: String) throws(CommandError) -> Double {
        let token = try word(what, hint: hint)
        return try TokenStream.number(token)
    }

    /// The next word as a whole number that is at least 1.
    mutating func positive(_ what: String, hint: String) throws(CommandError) -> Int {
        let token = try word(what, hint: hint)
        guard let value = Int(token.text), value > 0 else {
            throw CommandError(
                message: "'\(token.text)' is not a whole number from 1 on", range: token.range, hint: hint)
        }
        return value
    }

    /// The next word as an id.
    mutating func id(hint: String) throws(CommandError) -> VectorID {
        let token = try word("an id", hint: hint)
        guard let value = UInt64(token.text), VectorID(value) != .none else {
            throw CommandError(
                message: "'\(token.text)' is not an id, a whole number from 0 on", range: token.range, hint: hint)
        }
        return VectorID(value)
    }

    /// A list of ids, `1,2,10-19`, which may be written with blanks after the commas.
    mutating func ids(hint: String) throws(CommandError) -> IDList {
        var list = IDList()
        repeat {
            let token = try word("an id or a range of ids", hint: hint)
            guard let range = IDList.range(token.text) else {
                throw CommandError(
                    message: "'\(token.text)' is not an id or a range such as 10-19", range: token.range, hint: hint
                )
            }
            list.ranges.append(range)
        } while take(.comma) != nil
        return list
    }

    /// An error unless everything is used up.
    func expectEnd(hint: String) throws(CommandError) {
        guard let token = next else { return }
        throw CommandError(message: "'\(token.text)' is not expected here", range: token.range, hint: hint)
    }

    func missing(_ what: String, hint: String) -> CommandError {
        CommandError(message: "\(what) is missing here", range: end..<end + 1, hint: hint)
    }

    static func number(_ token: Token) throws(CommandError) -> Double {
        guard let value = Double(token.text) else {
            throw CommandError(message: "'\(token.text)' is not a number", range: token.range)
        }
        guard Float(value).isFinite else {
            throw CommandError(message: "'\(token.text)' is not a finite 32-bit number", range: token.range)
        }
        return value
    }
}
