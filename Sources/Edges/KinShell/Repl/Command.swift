import Kin

/// One thing the REPL can be asked to do. Text becomes a command in ``CommandParser``, and nothing else happens there.
enum Command: Equatable {
    /// The nearest vectors to a target.
    case near(Target, k: Int?, among: IDList?, where: FilterExpression? = nil)
    /// Every vector within a distance of a target.
    case within(radius: Double, Target, among: IDList?, where: FilterExpression? = nil)
    case get(VectorID)
    case upsert(VectorID, VectorText)
    case remove(IDList)
    /// Writes the index, to its own file where no path is given.
    case save(path: String?)
    case info
    /// The distribution of the vectors over the lists.
    case lists
    /// The plan of a search: for a target, or the last one that was searched for.
    case plan(Target?, k: Int?)
    /// Measures the present mode against the exact one.
    case recall(queries: Int, file: String?)
    case set(Setting)
    case showSettings
    /// The filter of every later search; nil for none.
    case filter(FilterExpression?)
    case showFilter
    /// Draws the index and what was last found.
    case plot(path: String)
    case turn(Switch, isOn: Bool)
    case help(topic: String?)
    /// Leaves; a forced quit does not mind unsaved changes.
    case quit(isForced: Bool)

    /// The query that a search starts from.
    enum Target: Equatable {
        case id(VectorID)
        case vector(VectorText)
    }

    /// A vector as it was typed, in the units of the data and not yet scaled.
    enum VectorText: Equatable {
        /// Every coordinate in order.
        case numbers([Double])
        /// Some coordinates by their place; the others are at their neutral value.
        case named([NamedValue])
    }

    struct NamedValue: Equatable {
        var dimension: Int
        var value: Double
    }

    enum Setting: Equatable {
        case k(Int)
        case metric(Metric)
        case mode(SearchMode)
        case threads(Int)
    }

    /// The settings that are on or off.
    enum Switch: String, CaseIterable {
        case timing, explain, json
    }
}

/// Text that is no command: what is wrong, where, and what might have been meant.
struct CommandError: Error, Equatable {
    let message: String
    /// The characters at fault, counted from the start of the line.
    let range: Range<Int>
    var hint: String?

    /// The line with a caret under the fault, and the hint.
    func report(line: String, style: Style) -> String {
        // Tabs are kept in the margin so that the caret stands where the terminal puts the character.
        let margin = line.prefix(range.lowerBound).map { $0 == "\t" ? "\t" : " " }.joined()
        let caret = String(repeating: "^", count: max(1, range.count))
        var text = "  \(line)\n  \(margin)\(style.bad(caret))\n\(message)"
        if let hint { text += "; \(hint)" }
        return text
    }
}
