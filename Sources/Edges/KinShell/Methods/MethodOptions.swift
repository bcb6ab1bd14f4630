import Foundation
import Kin
import KinEngine

/// Options of all methods on the command line, beside their parameters.
struct MethodOptions {
    /// The path of the store; nil for the default one.
    private(set) var store: String?
    private(set) var namingKey: String?
    private(set) var isJSON = false
    private(set) var wantsHelp = false
    /// The file to draw the answer in.
    private(set) var plot: String?
    /// Whether the reasons of an answer are shown.
    private(set) var isExplaining = false

    var path: String { store ?? StoreOptions.defaultPath }

    /// Takes the options out of the words of a request.
    ///
    /// - Parameters:
    ///   - words: The words, of which the others stay.
    ///   - method: The method; only some answers can be drawn or explained.
    ///   - isJSON: Whether the answer is printed as JSON without the option, too.
    init(takingFrom words: inout [Word], for method: EngineMethod, isJSON: Bool = false) throws(CommandError) {
        self.isJSON = isJSON
        var rest: [Word] = []
        var index = 0
        func value(_ name: String) throws(CommandError) -> String? {
            if words[index].text == name {
                guard index + 1 < words.count else {
                    throw CommandError(message: "\(name) needs a file", range: words[index].range)
                }
                index += 1
                return words[index].text
            }
            return words[index].text.hasPrefix(name + "=") ? String(words[index].text.dropFirst(name.count + 1)) : nil
        }
        while index < words.count {
            defer { index += 1 }
            let word = words[index]
            if word.isQuoted {
                rest.append(word)
            } else if word.text == "--json" {
                self.isJSON = true
            } else if word.text == "--help" || word.text == "-h" {
                wantsHelp = true
            } else if word.text == "--explain", method.name == "suggest" {
                isExplaining = true
            } else if let path = try value("--store") {
                store = path
            } else if let path = try value("--naming-key") {
                namingKey = path
            } else if method.name == "map", let path = try value("--plot") {
                plot = path
            } else {
                rest.append(word)
            }
        }
        words = rest
    }

    /// The options with their help.
    static func help(of method: EngineMethod) -> [(option: String, text: String)] {
        var options = [
            ("--store FILE", "The store's database file (default \(StoreOptions.defaultPath))."),
            ("--naming-key FILE", "The key of anonymous names, when it is kept outside of the store."),
            ("--json", "Print the answer as JSON, as programs get it."),
        ]
        if method.name == "map" { options.append(("--plot FILE", "Draw the map, as SVG.")) }
        if method.name == "suggest" { options.append(("--explain", "Show what speaks for and against each.")) }
        return options
    }
}
