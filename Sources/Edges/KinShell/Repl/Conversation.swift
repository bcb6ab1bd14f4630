import Kin

/// Something to talk to line by line.
protocol Conversation: AnyObject {
    var console: Console { get }
    /// What stands before the cursor.
    var prompt: String { get }
    /// What is said first at a terminal.
    var greeting: String { get }

    /// Does what one line says and writes the result, or the error with its place in the line.
    func execute(_ line: String) -> ReplSession.Outcome
    /// Whether the end of the input may end the session.
    func mayEnd() -> Bool
    /// What Tab offers.
    func completion(of text: String) -> Completion
}

extension ReplSession: Conversation {
    var greeting: String {
        let index = file.index
        let cells = (index as? IVFIndex).map { " in \(NumberText.count($0.cellCount, "cell"))" } ?? ""
        let size =
            "\(NumberText.count(index.count, "vector")) of \(NumberText.count(index.dimension, "dimension"))\(cells)"
        return "\(path): \(size), metric \(index.metric.rawValue). `help` lists the commands."
    }

    func completion(of text: String) -> Completion {
        Completion.at(
            text, names: file.space.names, attributes: file.index.attributes.schema.attributes.map(\.name))
    }
}
