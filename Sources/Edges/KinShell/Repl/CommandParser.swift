import Kin

/// Turns a line of text into a command: a pure function of the text and of what the index calls its dimensions.
struct CommandParser {
    /// The space that named coordinates refer to.
    let space: VectorSpace

    /// Reads one line as a command.
    ///
    /// - Returns: the command, or nil for a blank line or a comment.
    func parse(_ line: String) throws(CommandError) -> Command? {
        let clause = WhereClause(line)
        var tokens = TokenStream(try Token.tokens(of: clause.command))
        guard let first = tokens.take() else { return nil }
        guard let guide = CommandGuide.find(first.text), first.kind == .word else { throw unknown(first) }
        let command = try parse(guide, &tokens, clause)
        try tokens.expectEnd(hint: "the form is `\(guide.usage)`")
        return command
    }

    private func parse(
        _ guide: CommandGuide, _ tokens: inout TokenStream, _ clause: WhereClause
    ) throws(CommandError) -> Command {
        let hint = "the form is `\(guide.usage)`"
        switch guide.name {
        case "near":
            let target = try target(&tokens, hint: hint)
            var k: Int?
            var among: IDList?
            while let token = tokens.next {
                if k == nil, let given = try width(&tokens, hint: hint) {
                    k = given
                } else if among == nil, tokens.take(word: "among") {
                    among = try tokens.ids(hint: hint)
                } else {
                    throw unexpected(token, hint: hint)
                }
            }
            return .near(target, k: k, among: among, where: try clause.parsed())
        case "within":
            let radius = try tokens.number("a distance", hint: hint)
            guard tokens.take(word: "of") else { throw tokens.missing("'of'", hint: hint) }
            let target = try target(&tokens, hint: hint)
            let among = tokens.take(word: "among") ? try tokens.ids(hint: hint) : nil
            try tokens.expectEnd(hint: hint)
            return .within(radius: radius, target, among: among, where: try clause.parsed())
        case "filter":
            switch clause.expression?.text.lowercased() {
            case nil, "": return .showFilter
            case "off": return .filter(nil)
            default: return .filter(try clause.parsed())
            }
        case "get": return .get(try tokens.id(hint: hint))
        case "upsert":
            let id = try tokens.id(hint: hint)
            return .upsert(id, try vector(&tokens, hint: hint))
        case "remove": return .remove(try tokens.ids(hint: hint))
        case "save": return .save(path: tokens.next == nil ? nil : try tokens.word("a path", hint: hint).text)
        case "info": return .info
        case "lists", "cells": return .lists
        case "plan":
            let target = tokens.next == nil || tokens.isWidth ? nil : try target(&tokens, hint: hint)
            return .plan(target, k: try width(&tokens, hint: hint))
        case "recall":
            let isCounted = tokens.next.map { $0.text.lowercased() != "from" } ?? false
            let queries = isCounted ? try tokens.positive("how many queries", hint: hint) : 100
            let file = tokens.take(word: "from") ? try tokens.word("a file", hint: hint).text : nil
            return .recall(queries: queries, file: file)
        case "set": return try setting(&tokens, hint: hint)
        case "help": return .help(topic: tokens.take()?.text)
        case ":plot":
            return .plot(path: try tokens.word("a file", hint: "write `:plot near.svg`").text)
        case "quit": return .quit(isForced: false)
        case "quit!": return .quit(isForced: true)
        default:
            guard let toggle = Command.Switch(rawValue: String(guide.name.dropFirst())) else {
                preconditionFailure("every command of the guide is parsed")
            }
            return .turn(toggle, isOn: try onOrOff(&tokens, hint: hint))
        }
    }

    // MARK: - Parts

    /// `k N`, where that comes next.
    private func width(_ tokens: inout TokenStream, hint: String) throws(CommandError) -> Int? {
        guard tokens.isWidth, tokens.take(word: "k") else { return nil }
        _ = tokens.take(.equals)
        return try tokens.positive("how many neighbours", hint: hint)
    }

    private func target(_ tokens: inout TokenStream, hint: String) throws(CommandError) -> Command.Target {
        guard let next = tokens.next else { throw tokens.missing("an id or a vector", hint: hint) }
        if next.kind == .word, tokens.afterNext?.kind != .equals, next.text.first?.isNumber ?? false {
            return .id(try tokens.id(hint: hint))
        }
        return .vector(try vector(&tokens, hint: hint))
    }

    private func vector(_ tokens: inout TokenStream, hint: String) throws(CommandError) -> Command.VectorText {
        guard let next = tokens.next else { throw tokens.missing("a vector", hint: hint) }
        if next.kind == .open { return .numbers(try numbers(&tokens)) }
        var values: [Command.NamedValue] = []
        while let name = tokens.next, name.kind == .word || name.kind == .quoted, tokens.afterNext?.kind == .equals {
            _ = tokens.take()
            _ = tokens.take()
            let dimension = try dimension(name)
            guard !values.contains(where: { $0.dimension == dimension }) else {
                throw CommandError(message: "\(name.text) is given twice", range: name.range)
            }
            let number = try tokens.word("a number", hint: "write \(name.text)=0.5")
            let value = try TokenStream.number(number)
            if let bounds = space.bounds, !bounds.contains(value) {
                throw CommandError(
                    message: "\(name.text)=\(number.text) is outside 0…1, the range of every dimension",
                    range: number.range
                )
            }
            values.append(Command.NamedValue(dimension: dimension, value: value))
            _ = tokens.take(.comma)
        }
        guard !values.isEmpty else {
            let isName = next.kind == .word && space.names.contains(next.text)
            throw CommandError(
                message: isName ? "\(next.text) needs a value" : "'\(next.text)' is neither an id nor a vector",
                range: next.range,
                hint: isName ? "write \(next.text)=0.5" : hint
            )
        }
        return .named(values)
    }

    private func numbers(_ tokens: inout TokenStream) throws(CommandError) -> [Double] {
        guard let open = tokens.take(.open) else { preconditionFailure("the caller saw the bracket") }
        var numbers: [Double] = []
        while true {
            if let close = tokens.take(.close) {
                guard numbers.count == space.dimension else {
                    throw CommandError(
                        message: "the index has \(NumberText.count(space.dimension, "dimension")), "
                            + "this vector has \(numbers.count)",
                        range: open.range.lowerBound..<close.range.upperBound
                    )
                }
                return numbers
            }
            let hint = "write a vector as [0.1, 0.2, …]"
            if tokens.next == nil { throw tokens.missing("the closing ]", hint: hint) }
            numbers.append(try tokens.number("a number", hint: hint))
            _ = tokens.take(.comma)
        }
    }

    private func dimension(_ name: Token) throws(CommandError) -> Int {
        if let exact = space.names.firstIndex(of: name.text) { return exact }
        if let loose = space.names.firstIndex(where: { $0.lowercased() == name.text.lowercased() }) { return loose }
        let hint: String
        if space.names.isEmpty {
            hint = "this index has no names for its dimensions: write the whole vector, [0.1, 0.2, …]"
        } else if let near = Spelling.nearest(to: name.text, in: space.names) {
            hint = "did you mean \(near)?"
        } else {
            hint = "`info` lists the names"
        }
        throw CommandError(message: "no dimension is called '\(name.text)'", range: name.range, hint: hint)
    }

    private func setting(_ tokens: inout TokenStream, hint: String) throws(CommandError) -> Command {
        guard let name = tokens.take() else { return .showSettings }
        switch name.text.lowercased() {
        case "k": return .set(.k(try tokens.positive("how many neighbours", hint: "write `set k 20`")))
        case "threads": return .set(.threads(try tokens.positive("how many threads", hint: "write `set threads 2`")))
        case "metric":
            let choices = Metric.allCases.map(\.rawValue)
            let choice = try tokens.word("a metric", hint: "one of \(choices.joined(separator: ", "))")
            if let metric = Metric(rawValue: choice.text.lowercased()) { return .set(.metric(metric)) }
            throw CommandError(
                message: "there is no metric '\(choice.text)'",
                range: choice.range,
                hint: Spelling.nearest(to: choice.text, in: choices).map { "did you mean \($0)?" }
                    ?? "one of \(choices.joined(separator: ", "))"
            )
        case "mode": return .set(.mode(try mode(&tokens)))
        default:
            let near = Spelling.nearest(to: name.text, in: CommandGuide.settings)
            throw CommandError(
                message: "there is no setting '\(name.text)'",
                range: name.range,
                hint: near.map { "did you mean \($0)?" } ?? hint
            )
        }
    }

    private func mode(_ tokens: inout TokenStream) throws(CommandError) -> SearchMode {
        let hint = "write `set mode exact`, `set mode recall 0.95` or `set mode probes 8`"
        var words = [try tokens.word("a mode", hint: hint)]
        if words[0].text.lowercased() != "exact", tokens.next != nil {
            _ = tokens.take(.equals)
            words.append(try tokens.word("a number", hint: hint))
        }
        do throws(KinError) {
            return try SearchMode(text: words.map(\.text).joined(separator: " "))
        } catch {
            let range = words[0].range.lowerBound..<words[words.count - 1].range.upperBound
            throw CommandError(message: error.message, range: range, hint: hint)
        }
    }

    private func onOrOff(_ tokens: inout TokenStream, hint: String) throws(CommandError) -> Bool {
        let token = try tokens.word("on or off", hint: hint)
        switch token.text.lowercased() {
        case "on": return true
        case "off": return false
        default: throw unexpected(token, hint: hint)
        }
    }

    private func unexpected(_ token: Token, hint: String) -> CommandError {
        CommandError(message: "'\(token.text)' is not expected here", range: token.range, hint: hint)
    }

    private func unknown(_ token: Token) -> CommandError {
        let near = Spelling.nearest(to: token.text, in: CommandGuide.all.map(\.name))
        return CommandError(
            message: "there is no command '\(token.text)'",
            range: token.range,
            hint: near.map { "did you mean \($0)?" } ?? "`help` lists the commands"
        )
    }
}
