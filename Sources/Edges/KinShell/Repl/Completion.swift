import Foundation
import Kin

/// The candidates that Tab offers: a pure function of the text before the cursor.
struct Completion: Equatable {
    /// The number of characters before the cursor that the candidates replace.
    let typed: Int
    /// The whole words that may stand there, sorted.
    let candidates: [String]

    /// The text that every candidate adds to what was typed.
    var addition: String {
        guard let first = candidates.first else { return "" }
        let shared = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        return String(shared.dropFirst(typed))
    }

    /// Finds the candidates for the end of a line.
    ///
    /// - Parameters:
    ///   - text: the line up to the cursor.
    ///   - names: the names of the index's dimensions.
    ///   - attributes: those of its attributes.
    ///   - ids: the first ids of the index that begin with some digits.
    static func at(
        _ text: String, names: [String], attributes: [String] = [], ids: (String) -> [String] = { _ in [] }
    ) -> Completion {
        let word = String(text.reversed().prefix { !$0.isWhitespace && !",=[(".contains($0) }.reversed())
        let before = text.dropLast(word.count).split { $0.isWhitespace }.map { $0.lowercased() }
        if before.first == "filter" || ["near", "within"].contains(before.first ?? "") && before.contains("where") {
            let choices = (attributes + ["id"]).map { $0 + " " }
            return Completion(typed: word.count, candidates: choices.filter { $0.hasPrefix(word) }.sorted())
        }
        if !word.isEmpty, word.allSatisfy(\.isNumber), takesID(before) {
            return Completion(typed: word.count, candidates: ids(word))
        }
        let choices = choices(after: before, isValue: text.dropLast(word.count).last == "=", names: names)
        return Completion(typed: word.count, candidates: choices.filter { $0.hasPrefix(word) }.sorted())
    }

    /// Whether an id may stand behind these words.
    private static func takesID(_ before: [String]) -> Bool {
        switch before.first {
        case "near", "get", "remove", "plan", "upsert": before.count == 1
        case "within": before.count == 3
        default: false
        }
    }

    private static func choices(after before: [String], isValue: Bool, names: [String]) -> [String] {
        guard let command = before.first else { return CommandGuide.all.map { $0.name + ($0.takesMore ? " " : "") } }
        if isValue { return [] }
        let named = names.map { $0 + "=" }
        switch (command, before.count) {
        case ("near", 1): return named
        case ("near", _): return named + ["k ", "among ", "where "]
        case ("within", 2): return ["of "]
        case ("within", 3): return named
        case ("within", 4...): return named + ["among ", "where "]
        case ("upsert", 2...): return named
        case ("set", 1): return CommandGuide.settings.map { $0 + " " }
        case ("set", 2) where before[1] == "metric": return ["cosine", "ip", "l2"]
        case ("set", 2) where before[1] == "mode": return SearchMode.words.map { $0 == "exact" ? $0 : $0 + " " }
        case ("plan", 1...): return named + ["k "]
        case ("recall", 1...): return before.contains("from") ? [] : ["from "]
        case (":timing", 1), (":explain", 1), (":json", 1): return ["off", "on"]
        case ("help", 1): return CommandGuide.all.map(\.name)
        default: return []
        }
    }
}

extension CommandGuide {
    /// Commands that are complete without what may follow.
    private static let aloneToo: Set = ["help", "save", "plan", "recall"]

    /// Whether Tab leaves a blank for what follows the command's name.
    var takesMore: Bool { usage != name && !CommandGuide.aloneToo.contains(name) }
}
