/// Help on methods, generated from their table.
enum MethodHelp {
    /// The syntax of a request.
    static func usage(of form: any CommandSpec) -> String {
        var words = [form.name]
        for parameter in form.ordered where parameter.presence == .required || form.method == nil {
            let isPlain = parameter.type.isID || form.method == nil
            let word = isPlain ? parameter.name.uppercased() : "--\(name(parameter)) \(notation(of: parameter).form)"
            words.append(parameter.presence == .required ? word : "[\(word)]")
        }
        var others = form.parameters.filter { parameter in !form.ordered.contains { $0.name == parameter.name } }
        // A condition extends to the end of the line.
        if let condition = others.firstIndex(where: { $0.type == .filter }) {
            others.append(others.remove(at: condition))
        }
        if form.takesBareNames, form.method == nil {
            words += others.map { other in
                let word = "\(other.name) \(notation(of: other).form)"
                return other.presence == .required ? word : "[\(word)]"
            }
        } else {
            words += others.filter { $0.presence == .required }.map { "--\(name($0)) \(notation(of: $0).form)" }
            let listed = form.method == nil ? others : form.parameters
            if listed.contains(where: { $0.presence != .required }) { words.append("[options]") }
        }
        return words.joined(separator: " ")
    }

    /// The lines of the help on a method or command.
    static func lines(_ form: any CommandSpec, style: Style) -> [String] {
        let lines = style.lines(style.strong(usage(of: form)) + "  " + plain(form.summary), behind: 0)
        var table = TextTable(["", ""])
        let dashes = form.takesBareNames && form.method == nil ? "" : "--"
        for parameter in form.parameters {
            let isOrdered = form.method == nil && form.ordered.contains { $0.name == parameter.name }
            let title = isOrdered ? parameter.name.uppercased() : dashes + name(parameter)
            let isOption = form.method?.parameters.contains { $0.name == parameter.name } != true
            let isFlag = parameter.presence == .standard("false") && isOption
            let value = isFlag || isOrdered ? "" : " \(notation(of: parameter).form)"
            table.append([title + value, details(parameter, isFlag: isFlag)])
            for member in CommandAliases.members[form.name]?[parameter.name] ?? [] {
                table.append(["  --\(name(member)) \(notation(of: member).form)", details(member)])
            }
        }
        return lines + table.lines(style: style)
            + (style.width == nil ? form.details : paragraphs(form.details)).flatMap { line in
                line.hasPrefix(" ")
                    ? style.fitted("  " + line) : style.lines(line, behind: 2).map { $0.isEmpty ? "" : "  " + $0 }
            }
    }

    /// Lines of prose joined to paragraphs; indented lines, such as examples, stay unchanged.
    private static func paragraphs(_ lines: [String]) -> [String] {
        lines.reduce(into: []) { all, line in
            let isProse = !line.isEmpty && !line.hasPrefix(" ")
            if isProse, let last = all.last, !last.isEmpty, !last.hasPrefix(" ") {
                all[all.count - 1] += " " + line
            } else {
                all.append(line)
            }
        }
    }

    /// A list of commands with their summaries, line by line.
    static func list(_ forms: [any CommandSpec], style: Style) -> [String] {
        TextTable(["", ""], forms.map { [$0.name, plain($0.summary)] }).lines(style: style)
    }

    /// The syntax of a parameter's value, and a value for an example, as it appears in a request.
    static func notation(of parameter: ParameterDescription) -> (form: String, sample: String) {
        switch parameter.type {
        case .id: ("ID", ids[parameter.name] ?? "id1")
        case .text: ("TEXT|@FILE", "calm")
        case .document: ("JSON|@FILE", "@text.jsonl")
        case .duration(let words): ("NUMBER[min]|\(words.joined(separator: "|"))", "90min")
        case .boolean: ("yes|no", "yes")
        case .instant: ("TIME", "2026-11-20T06:30:00Z")
        case .localTime: ("LOCAL-TIME", "2026-11-20T06:30")
        case .date: ("DATE", "2026-11-20")
        case .zone: ("ZONE", "Europe/Berlin")
        case .timeOfDay: ("HH:MM", "07:30")
        case .integer(let range): ("N", "\(min(max(range.lowerBound, 3), range.upperBound))")
        case .seed: ("N", "7")
        case .number(let range, ""): ("NUMBER", "\(min(max(range.lowerBound, 0.5), range.upperBound))")
        case .number(_, let unit): ("NUMBER[\(unit)]", unit == "min" ? "90min" : "2km")
        case .choice(let words):
            // A running session does not return to the first state.
            (
                words.count <= 5 ? words.joined(separator: "|") : "WORD",
                words.first { parameter.name != "state" || $0 == "mastery" } ?? words.first ?? ""
            )
        case .choices(let words): ("WORD,…", words.prefix(2).joined(separator: ","))
        case .filter: ("CONDITION", "state = drift")
        case .point: ("DIMENSION=NUMBER,…", "nature_mirror=0.9,mobility=0.7")
        case .coordinates: ("LAT,LNG", "40.7,-73.9")
        case .path, .output: ("FILE", parameter.help.hasPrefix("The file to write") ? "copy.db" : "records.jsonl")
        case .object(let kind): (objectForms[kind] ?? "JSON|@FILE", sample(of: kind))
        case .list(let kind):
            (listForms[kind] ?? (isWord(kind) ? "A,B,…|@FILE" : "JSON|@FILE"), sample(of: kind))
        }
    }

    private static let ids = [
        "user": "u42", "other": "u77", "session": "s1", "after": "s1", "baby": "baby-1", "item": "i1",
        "challenge": "c1",
    ]

    private static let objectForms = [
        "vector": "ID|[NUMBERS]|NAME=NUMBER", "mode": "exact|recall=R|probes=N", "weights": "NAME=NUMBER,…|@FILE",
    ]

    private static let listForms = [
        "id": "1,2,10-19", "path": "FILE", "request": "REQUEST", "definition": "NAME:KIND", "user id": "ID…",
    ]

    /// Whether the elements of a list of a kind are words between commas.
    private static func isWord(_ kind: String) -> Bool {
        ["number", "goal", "text", "local time", "column", "name", "attribute"].contains(kind) || kind.hasSuffix(" id")
    }

    /// A sample of an object or list of a kind.
    private static func sample(of kind: String) -> String {
        switch kind {
        case "number": "1,2,3"
        case "goal": "anxiety,sleep"
        case "weights": "goals=0.5,realms=0.3"
        case "user id": "u42"
        case "local time": "2026-11-20T06:30"
        default: "@\(kind.replacing(" ", with: "_")).json"
        }
    }

    /// A sample request for a method, with its required parameters.
    static func example(of method: EngineMethod) -> String {
        let chosen = [
            "near": ["session", "k", "where"], "inventory": ["near", "within_km", "slot", "user"],
            "remove": ["session"],
        ]
        let names = Set(
            chosen[method.name]
                ?? method.parameters.filter { $0.presence == .required || ["user", "baby"].contains($0.name) }.map(
                    \.name))
        let words = method.parameters.filter { names.contains($0.name) }.map { parameter in
            switch parameter.type {
            case .filter: "where \(notation(of: parameter).sample)"
            case let type where type.isID && parameter.presence == .required: notation(of: parameter).sample
            default: "--\(name(parameter)) \(notation(of: parameter).sample)"
            }
        }
        return ([method.name] + words).joined(separator: " ")
    }

    private static func name(_ parameter: ParameterDescription) -> String {
        parameter.name.replacing("_", with: "-")
    }

    private static func details(_ parameter: ParameterDescription, isFlag: Bool = false) -> String {
        if isFlag { return parameter.help }
        var notes: [String] = []
        switch parameter.type {
        case .integer(0...1_000_000_000), .count, .anyNumber: break
        case .integer(let range):
            notes.append("\(NumberText.count(range.lowerBound)) to \(NumberText.count(range.upperBound))")
        case .number(let range, let unit):
            notes.append("\(limit(range.lowerBound)) to \(limit(range.upperBound))" + (unit.isEmpty ? "" : " \(unit)"))
        case .choice(let words) where words.count > 5: notes.append(words.joined(separator: ", "))
        case .choices(let words): notes.append(words.joined(separator: ", "))
        default: break
        }
        switch parameter.presence {
        case .required: notes.append("required")
        case .standard(let json) where json != "\"\"" && json != "[]": notes.append("default \(json)")
        default: break
        }
        return plain(parameter.help) + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    /// An end of a range, with all significant digits.
    static func limit(_ value: Double) -> String {
        abs(value) < 1000 ? NumberText.short(value) : NumberText.threeDigits(value)
    }

    /// The first sentence of a text as part of a longer sentence.
    static func phrase(_ text: String) -> String {
        let text = plain(text)
        var end = text.ranges(of: ". ").first?.lowerBound ?? text.endIndex
        if end == text.endIndex, text.last == "." { end = text.index(before: end) }
        let isName = text.dropFirst().first?.isUppercase == true
        return (isName ? String(text.prefix(1)) : text.prefix(1).lowercased()) + text[..<end].dropFirst()
    }

    /// Markdown without its backticks.
    private static func plain(_ text: String) -> String { text.replacing("`", with: "") }
}
