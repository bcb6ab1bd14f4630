import Kin

/// Something to talk to line by line.
protocol Conversation: AnyObject {
    var console: Console { get }
    /// The prompt that stands before the cursor.
    var prompt: String { get }
    /// The greeting that a terminal shows first.
    var greeting: String { get }

    /// Does what one line says and writes the result, or the error with its place in the line.
    func execute(_ line: String) -> ReplSession.Outcome
    /// Whether the end of the input may end the session.
    func mayEnd() -> Bool
    /// The candidates that Tab offers.
    func completion(of text: String) -> Completion
}

extension ReplSession: Conversation {
    var greeting: String {
        let index = file.index
        let lists = (index as? IVFIndex).map { " in \(NumberText.count($0.listCount, "list"))" } ?? ""
        let size =
            "\(NumberText.count(index.count, "vector")) of \(NumberText.count(index.dimension, "dimension"))\(lists)"
        return "\(path): \(size), metric \(index.metric.rawValue). `help` lists the commands."
    }

    func completion(of text: String) -> Completion {
        Completion.at(
            text, names: file.space.names, attributes: file.index.attributes.schema.attributes.map(\.name), ids: ids)
    }

    /// The first ids that begin with some digits: the number itself, then those with one digit more, and so on, at most 40.
    private func ids(beginningWith digits: String) -> [String] {
        guard let number = UInt64(digits), String(number) == digits else { return [] }
        var found: [String] = []
        var (first, count) = (number, UInt64(1))
        while found.count < 40, count <= 1000 {
            for id in first...first + (count - 1) where found.count < 40 && file.index.contains(VectorID(id)) {
                found.append(String(id))
            }
            let (next, overflow) = first.multipliedReportingOverflow(by: 10)
            guard !overflow, number > 0, next <= .max - 10 * count else { break }
            (first, count) = (next, count * 10)
        }
        return found
    }
}
