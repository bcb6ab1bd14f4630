/// JSON as a table if it has the shape of one, otherwise indented.
struct JSONTable {
    let console: Console

    /// Shows one JSON value.
    func show(_ json: String) {
        if json == "[]" { return console.print("  nothing") }
        if json == "{}" { return console.print("  done") }
        if let rows = try? Self.elements(json), let table = Self.table(rows) { return console.print(table) }
        if json.hasPrefix("{"), let members = try? Self.members(json) { return show(members) }
        for line in Self.indented(json) { console.print("  " + line) }
    }

    /// Shows an object: first its plain members, one per line, then the others.
    private func show(_ members: [(name: String, value: String)]) {
        let plain = members.compactMap { name, value in Self.cell(value).map { [Self.words(name), $0] } }
        if !plain.isEmpty { console.print(TextTable(["", ""], plain)) }
        for (name, value) in members where Self.cell(value) == nil {
            console.print("  " + console.style.strong(Self.words(name)))
            show(value)
        }
    }

    /// A table with a row for each object; nil unless all members are plain.
    private static func table(_ rows: [String]) -> TextTable? {
        var all: [[(name: String, value: String)]] = []
        for row in rows {
            guard row.hasPrefix("{"), let members = try? members(row), members.allSatisfy({ cell($0.value) != nil })
            else { return nil }
            all.append(members)
        }
        var names: [String] = []
        for name in all.flatMap({ $0.map(\.name) }) where !names.contains(name) { names.append(name) }
        guard !names.isEmpty, names.count <= 12 else { return nil }
        let isNumber = names.map { name in
            all.allSatisfy { row in
                row.first { $0.name == name }.map { $0.value == "null" || Double($0.value) != nil } ?? true
            }
        }
        var table = TextTable(zip(names, isNumber).map { (words($0), $1 ? .right : .left) })
        for row in all {
            table.append(names.map { name in row.first { $0.name == name }.flatMap { cell($0.value) } ?? "-" })
        }
        return table
    }

    /// A plain value, a list of plain values or an object of numbers as the text of a cell; nil for other values.
    private static func cell(_ json: String) -> String? {
        switch json.first {
        case "\"":
            return (try? JSONReader.read(json) { reader throws(KinError) in try reader.string() })?
                .replacing("\n", with: " ")
        case "[":
            guard let elements = try? elements(json), elements.count <= 12 else { return nil }
            let cells = elements.compactMap { $0.hasPrefix("[") || $0.hasPrefix("{") ? nil : cell($0) }
            return cells.count == elements.count ? cells.joined(separator: ", ") : nil
        case "{":
            guard let members = try? members(json), members.count <= 8 else { return nil }
            let cells = members.compactMap { member in
                member.value == "null"
                    ? "\(words(member.name)) -"
                    : Double(member.value).map { "\(words(member.name)) \(NumberText.short($0))" }
            }
            return cells.count == members.count ? cells.joined(separator: ", ") : nil
        default:
            if json == "null" { return "-" }
            if json == "true" || json == "false" { return json == "true" ? "yes" : "no" }
            if let whole = Int(json) { return NumberText.count(whole) }
            return Double(json).map(NumberText.short) ?? json
        }
    }

    private static func words(_ name: String) -> String { name.replacing("_", with: " ") }

    private static func members(_ json: String) throws(KinError) -> [(name: String, value: String)] {
        try JSONReader.read(json) { reader throws(KinError) in try reader.rawMembers() }
    }

    static func elements(_ json: String) throws(KinError) -> [String] {
        try JSONReader.read(json) { reader throws(KinError) in
            try reader.list { reader throws(KinError) in try reader.verbatim() }
        }
    }

    /// The lines of a value, with a line for each member and element.
    static func indented(_ json: String) -> [String] {
        let isObject = json.hasPrefix("{")
        guard isObject || json.hasPrefix("[") else { return [json] }
        let names = isObject ? (try? members(json)) ?? [] : []
        let parts = isObject ? names.map(\.value) : (try? elements(json)) ?? []
        let inner = parts.indices.flatMap { index -> [String] in
            var lines = indented(parts[index])
            if isObject { lines[0] = names[index].name.jsonText + ": " + lines[0] }
            if index < parts.count - 1 { lines[lines.count - 1] += "," }
            return lines.map { "  " + $0 }
        }
        return [isObject ? "{" : "["] + inner + [isObject ? "}" : "]"]
    }
}
