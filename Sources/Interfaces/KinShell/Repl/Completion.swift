import Foundation

/// The completions that Tab offers for the text before the cursor.
struct Completion: Equatable {
    /// The number of characters before the cursor that the candidates replace.
    let typed: Int
    /// The complete words that are possible here, sorted.
    let candidates: [String]

    /// The text that all candidates add to the typed text.
    var addition: String {
        guard let first = candidates.first else { return "" }
        let shared = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        return String(shared.dropFirst(typed))
    }
}

extension Conversation {
    func completion(of text: String) -> Completion {
        let word = String(text.reversed().prefix { !$0.isWhitespace && $0 != "(" }.reversed())
        let before = text.dropLast(word.count).split { $0.isWhitespace }.map { $0.lowercased() }
        let choices = choices(for: word, after: before)
        let isID = !word.isEmpty && word.allSatisfy(\.isNumber)
        let found = choices.filter { $0.hasPrefix(word) }
        return Completion(typed: word.count, candidates: isID ? found : found.sorted())
    }

    private func choices(for word: String, after before: [String]) -> [String] {
        guard let first = before.first else {
            return forms.map { form in
                // A command that is complete without further words gets no space.
                let takesMore = form.method != nil || form.ordered.contains { $0.presence == .required }
                return form.name + (takesMore || ["filter", "set"].contains(form.name) ? " " : "")
            }
        }
        let found = forms.first { $0.name == first } ?? CommandAliases.method(before).map { MethodCommand($0.method) }
        guard let form = found else { return [] }
        if first == "help" { return forms.map(\.name) }
        if first == "filter" || before.contains("where"), form.parameters.contains(where: { $0.type == .filter }) {
            return attributes.map { $0 + " " }
        }
        let isMethod = form.method != nil
        func words(of name: String) -> [String] {
            let name = CommandAliases.parameter(String(name.drop { $0 == "-" }), of: form.name).name
            return form.parameters.first { $0.name == name }.map { words(of: $0) } ?? []
        }
        func words(of parameter: ParameterDescription) -> [String] {
            switch parameter.type {
            case .choice(let words), .choices(let words): words
            case .boolean: ["yes", "no"]
            case .list("attribute"): attributes.filter { $0 != "id" }
            case .object("mode"): ["exact", "probes ", "recall "]
            default: values(of: parameter, beginningWith: word)
            }
        }
        if let equals = word.firstIndex(of: "=") {
            return words(of: String(word[..<equals])).map { word[...equals] + $0 }
        }
        if let last = before.dropFirst().last {
            let named = words(of: last)
            if !named.isEmpty || form.parameters.contains(where: { $0.name == last && $0.type != .object("vector") }) {
                return named
            }
        }
        let ordered = form.ordered.filter { $0.presence == .required || !isMethod }
        let given = before.count - 1
        let named = isMethod ? form.parameters : form.parameters.filter { !form.ordered.contains($0) }
        if !isMethod, given >= ordered.count,
            let needed = named.first(where: { $0.presence == .required && !before.contains($0.name) })
        {
            return [needed.name + " "]
        }
        var choices = named.filter { $0.type != .filter || isMethod }.flatMap { parameter -> [String] in
            let isBare = form.bareParameters.contains(parameter)
            return isMethod ? (isBare ? [parameter.name + "="] : []) + ["--\(parameter.name) "] : [parameter.name + " "]
        }
        if form.parameters.contains(where: { $0.type == .point || $0.type == .object("vector") }) {
            choices += dimensions.map { $0 + "=" }
        }
        if form.parameters.contains(where: { $0.type == .filter }), form.name != "filter" { choices.append("where ") }
        if given < ordered.count { choices += words(of: ordered[given]) }
        return choices
    }
}
