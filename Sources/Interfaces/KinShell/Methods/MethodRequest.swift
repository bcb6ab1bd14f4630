/// A request for a method in JSON, parsed from words: all typed requests become calls in this type.
///
///     missions u42 near=40.7,-73.9 minutes=90min slot=dawn
///     missions --user u42 --near 40.7,-73.9 --minutes 1.5h --slot dawn
///     near session:s1 k 5 where state = drift
///
/// The forms of a parameter are `--name value`, `--name=value`, `name=value` and `name value`; for a letter also `-k3`.
/// Required parameters, and then ids, can also be given by position, in the order of the table. The words of a choice,
/// and numbers of the pleasure space by dimension, need no name. After `--`, all words are values.
struct MethodRequest {
    let form: any CommandSpec
    /// The names of the dimensions for points and vectors.
    private let dimensions: [String]
    /// The parts of each given value, with its text at the position of its word.
    private(set) var values: [String: (parts: [ParameterPart], word: Word)] = [:]

    private var words: ArraySlice<Word>
    /// The names of parameters as they were typed: `--within-km`, `k`.
    private(set) var spellings: [String: String] = [:]
    /// The position after the last word, for errors about missing values.
    let end: Int

    /// Parses words as a request.
    ///
    /// - Parameter defaults: The texts of parameters that no word gives.
    /// - Throws: `CommandError` with the invalid word; `Failure` for a file that cannot be read.
    init(
        _ words: [Word], for form: any CommandSpec, dimensions: [String] = Pleasure.Dimension.names,
        defaults: [String: String] = [:]
    ) throws {
        self.form = form
        self.dimensions = dimensions
        self.words = words[...]
        end = (words.last?.range.upperBound ?? form.name.count) + 1
        while let word = self.words.popFirst() { try read(word) }
        self.words = []
        // A session, a point or a log takes the place of a person, and all but a log that of the person's time zone.
        let replaced =
            values["log"] != nil ? ["user"] : values["session"] ?? values["point"] != nil ? ["user", "zone"] : []
        for parameter in form.method == nil ? [] : form.parameters
        where values[parameter.name] == nil && !replaced.contains(parameter.name) {
            if let text = defaults[parameter.name] { try set(parameter, text, Word(text: text, range: end..<end + 1)) }
        }
        for parameter in form.parameters where parameter.presence == .required && values[parameter.name] == nil {
            throw CommandError(
                message: "\(parameter.name) is missing here: \(MethodHelp.phrase(parameter.help))",
                range: end..<end + 1,
                hint: "the form is `\(MethodHelp.usage(of: form))`")
        }
        try requireReplaceableOutputs()
    }

    /// The request as JSON.
    var json: String {
        let members = (form.method?.parameters ?? form.parameters).compactMap { parameter in
            values[parameter.name].map {
                "\(parameter.name.jsonText):\(ParameterText.json($0.parts, of: parameter.type))"
            }
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// An error of the method at the word of its parameter, without a position in the generated JSON.
    func located(_ error: KinError) -> any Error {
        let error = error.names("file") ? error : error.without(["line", "column"])
        guard error.code == .invalidArgument || error.code == .malformedInput,
            let field = error.context.first(where: { $0.name == "field" })?.value,
            let name = field.split(whereSeparator: { ".[".contains($0) }).first, let given = values[String(name)]
        else { return Failure(error) }
        let text = given.word.text.drop { $0 != "@" }
        // The records of `put` are in a file unless they are JSON.
        let isPath = name == "records" && !given.word.text.contains { "[{".contains($0) }
        if isPath || text.hasPrefix("@") {
            let located = error.within("file", text.isEmpty ? given.word.text[...] : text.dropFirst())
            return Failure(.dataError, located)
        }
        let path = (spellings[String(name)] ?? String(name)) + field.dropFirst(name.count)
        return CommandError(message: Self.message(path, error), range: given.word.range)
    }

    /// An error as a sentence about a parameter.
    private static func message(_ name: String, _ error: KinError) -> String {
        name + (error.message.hasPrefix("must ") ? " " : ": ") + error.message
    }

    // MARK: Words

    private mutating func read(_ word: Word) throws {
        if !word.isQuoted {
            if word.text == Word.endOfOptions {
                for index in words.indices { words[index].isQuoted = true }
                return
            }
            let dashes = word.text.prefix { $0 == "-" }.count
            let text = word.text.dropFirst(dashes)
            let isNamed = dashes > 0 && text.first?.isLetter == true
            let name = text.prefix { $0 != "=" }
            let isPair = name.count < text.count && name.first?.isLetter == true && (isNamed || form.takesBareNames)
            if isNamed || isPair {
                let value = isPair ? String(text.dropFirst(name.count + 1)) : nil
                let isShort =
                    dashes == 1 && (text.dropFirst().first?.isLetter == false || nearest(to: String(name)) == nil)
                if try give(String(name), value, word) || isShort && giveLetter(of: text, word) { return }
                throw unknown(String(name), word)
            }
            if form.takesBareNames, isAnything(word.text), !words.isEmpty || isFlag(word.text),
                try give(word.text, nil, word)
            {
                return
            }
            // The name in `session:s1` is the kind of id.
            if form.takesBareNames, let colon = word.text.firstIndex(of: ":"),
                let parameter = find(String(word.text[..<colon])), parameter.type.isID
            {
                return try set(parameter, String(word.text[word.text.index(after: colon)...]), word)
            }
        }
        let lists = form.ordered.filter {
            ParameterText.isRepeatable($0.type) && ($0.type != .object("vector") || word.text.contains("="))
        }
        let next = form.ordered.first { values[$0.name] == nil }
        // A required id may have the name of a parameter.
        if words.isEmpty, !word.isQuoted, form.method == nil || next?.presence != .required, form.takesBareNames,
            let parameter = find(word.text), values[parameter.name] == nil
        {
            throw missing(parameter)
        }
        if let next = next ?? lists.last {
            return try set(next, value(word, of: next), word)
        }
        let choices = form.parameters.filter { parameter in
            guard case .choice(let words) = parameter.type, values[parameter.name] == nil else { return false }
            return words.contains(word.text.lowercased())
        }
        guard choices.count == 1 else { throw unknown(word.text, word) }
        try set(choices[0], word.text, word)
    }

    /// The parameter for a name, or for its first letter after a dash.
    private func find(_ name: String) -> ParameterDescription? {
        let name = CommandAliases.plain(name)
        let found = form.parameters.first { $0.name == name }
        guard found == nil, name.count == 1, !form.takesBareNames else { return found }
        return form.parameters.first { $0.name.hasPrefix(name) }
    }

    /// Whether a word is the name of a parameter, a member or a dimension.
    private func isAnything(_ word: String) -> Bool {
        let (name, _) = CommandAliases.parameter(word, of: form.name)
        return find(name).map(form.bareParameters.contains) == true || member(name) != nil
    }

    /// Whether a name is complete without a value.
    private func isFlag(_ word: String) -> Bool {
        let (name, value) = CommandAliases.parameter(word, of: form.name)
        return value != nil || find(name)?.type == .boolean || member(name)?.member.type == .boolean
    }

    private func member(_ name: String) -> (object: ParameterDescription, member: ParameterDescription)? {
        for (object, members) in CommandAliases.members[form.name] ?? [:] {
            if let parameter = find(object), let member = members.first(where: { $0.name == name }) {
                return (parameter, member)
            }
        }
        return nil
    }

    /// Reads the value of a name; returns false if there is no such name.
    private mutating func give(_ name: String, _ attached: String?, _ word: Word) throws -> Bool {
        let (plain, fixed) = CommandAliases.parameter(name, of: form.name)
        let point = form.parameters.first { $0.type == .point || $0.type == .object("vector") }
        let dimension = dimensions.first { CommandAliases.plain($0) == plain }
        if let point, let dimension, let attached, find(plain) == nil || Double(attached) != nil {
            let start = dimension.jsonText + ":"
            guard values[point.name]?.parts.contains(where: { $0.json.hasPrefix(start) }) != true else {
                throw CommandError(message: "\(name) is given twice", range: word.range)
            }
            try set(point, "\(dimension)=\(attached)", word)
            return true
        }
        if let parameter = find(plain) {
            spellings[parameter.name] = String(word.text.prefix { $0 != "=" })
            try setNamed(parameter, fixed ?? attached, word)
            return true
        }
        if let (object, member) = member(plain) {
            let value = try attached ?? next(after: word, member)
            let given = try parts(value == "none" ? "" : value, of: member, word)
            values[object.name, default: ([], word)].parts.append(
                .json("\(member.name.jsonText):\(ParameterText.json(given, of: member.type))"))
            return true
        }
        if plain.hasPrefix("no_"), let parameter = find(String(plain.dropFirst(3))), parameter.type == .boolean {
            try set(parameter, "no", word)
            return true
        }
        return false
    }

    /// Reads an option of one letter with its value attached, `-k3`; returns false for any other word.
    private mutating func giveLetter(of text: Substring, _ word: Word) throws -> Bool {
        guard let parameter = find(String(text.prefix(1))), parameter.type != .boolean, text.count > 1 else {
            return false
        }
        spellings[parameter.name] = "-\(text.prefix(1))"
        try setNamed(parameter, String(text.dropFirst()), word)
        return true
    }

    private mutating func setNamed(_ parameter: ParameterDescription, _ attached: String?, _ word: Word) throws {
        guard let attached else {
            let place = words.first ?? word
            let text = try next(after: word, parameter)
            // A word such as `dawn` after `at` is a part of the day; `06:30` is an instant.
            if parameter.name == "at", let slot = find("slot"), case .choice(let names) = slot.type,
                names.contains(text.lowercased())
            {
                return try set(slot, text, place)
            }
            return try set(parameter, text, place)
        }
        try set(parameter, value(Word(text: attached, range: word.range), of: parameter), word)
    }

    /// The value after a name.
    private mutating func next(after word: Word, _ parameter: ParameterDescription) throws -> String {
        if parameter.type == .boolean {
            let isGiven = words.first.map {
                ["true", "false", "yes", "no", "on", "off"].contains($0.text.lowercased())
            }
            guard isGiven == true else { return "true" }
        }
        guard let next = words.popFirst() else {
            throw missing(parameter)
        }
        return value(next, of: parameter)
    }

    private func missing(_ parameter: ParameterDescription) -> CommandError {
        CommandError(
            message:
                "a value of \(spellings[parameter.name] ?? parameter.name) is missing here: \(MethodHelp.notation(of: parameter).form)",
            range: end..<end + 1, hint: find("reset").map { "`\(form.name) \($0.name)` removes all values" })
    }

    /// A value with the words that belong to it: words after a comma, and a separate unit.
    private mutating func value(_ word: Word, of parameter: ParameterDescription) -> String {
        var text = word.text
        guard !word.isQuoted else { return text }
        switch parameter.type {
        case .object("mode"):
            if ["recall", "probes"].contains(text.lowercased()), let next = words.first, Double(next.text) != nil {
                text += "=" + next.text
                words.removeFirst()
            }
        case .list(let kind) where ParameterText.isWhole(kind): break
        case .coordinates, .choices, .list, .point, .object("vector"):
            while text.hasSuffix(","), let next = words.popFirst() { text += next.text }
        case .number, .duration:
            if let next = words.first, Double(text) != nil,
                ParameterText.units(of: parameter.type)[next.text.lowercased()] != nil
            {
                text += next.text
                words.removeFirst()
            }
        default: break
        }
        return text
    }

    private mutating func set(_ parameter: ParameterDescription, _ text: String, _ word: Word) throws {
        let given = try parts(text, of: parameter, word)
        let word = Word(text: text, range: word.range)
        guard let earlier = values[parameter.name] else {
            values[parameter.name] = (given, word)
            return
        }
        guard ParameterText.isRepeatable(parameter.type) else {
            throw CommandError(
                message: "\(spellings[parameter.name] ?? parameter.name) is given twice", range: word.range)
        }
        values[parameter.name] = (earlier.parts + given, word)
    }

    private func parts(_ text: String, of parameter: ParameterDescription, _ word: Word) throws -> [ParameterPart] {
        if parameter.type == .filter, text.lowercased() != "off" { try check(filter: text, word) }
        do throws(KinError) {
            let parts = try ParameterText(type: parameter.type, text: text).parts()
            try ParameterText.check(parts, of: parameter.type)
            return parts
        } catch {
            if error.names("input") || error.names("file") { throw Failure(error) }
            if text.hasPrefix("@") { throw Failure(error.within("file", text.dropFirst())) }
            throw CommandError(
                message: Self.message(spellings[parameter.name] ?? parameter.name, error), range: word.range)
        }
    }

    /// Reports an error inside a condition at its position.
    private func check(filter text: String, _ word: Word) throws(CommandError) {
        do throws(FilterSyntaxError) {
            _ = try FilterExpression.parse(text)
        } catch {
            let start = max(word.range.lowerBound, word.range.upperBound - text.count)
            let wrong = String(text.dropFirst(error.range.lowerBound).prefix(error.range.count))
            let isLast = isAnything(wrong) ? "the condition of where must be the last of the line" : nil
            throw CommandError(
                message: error.message, range: error.range.lowerBound + start..<error.range.upperBound + start,
                hint: isLast ?? error.hint ?? "`help filter` in `kin repl` shows the language")
        }
    }

    private func unknown(_ name: String, _ word: Word) -> CommandError {
        let isMarked = form.takesBareNames || word.text.hasPrefix("-")
        if isMarked, let parameter = find(name), values[parameter.name] == nil { return missing(parameter) }
        let names = names
        let advice = names.isEmpty ? "\(form.name) has no parameters" : "there are \(names.joined(separator: ", "))"
        let values = word.text.hasPrefix("-") ? "; a value that begins with - follows --" : ""
        return CommandError(
            message: "\(form.name) has no parameter '\(name)'", range: word.range,
            hint: nearest(to: name).map { "did you mean \(isMarked ? $0 : "--" + $0.replacing("_", with: "-"))?" }
                ?? advice + values)
    }

    /// The names of the parameters and of their members.
    private var names: [String] {
        let members = CommandAliases.members[form.name]?.values.flatMap { $0 }.map(\.name) ?? []
        let hasPoint = form.parameters.contains { $0.type == .point || $0.type == .object("vector") }
        return form.parameters.map(\.name) + CommandAliases.names(of: form.name) + members
            + (hasPoint ? dimensions : [])
    }

    private func nearest(to name: String) -> String? {
        let names = names + ["help"]
        return Spelling.nearest(to: CommandAliases.plain(name), in: names) ?? Spelling.nearest(to: name, in: names)
    }
}
