/// A method of an ``Engine``: its name, parameters and help, declared once.
///
/// JSON requests, the tool's commands, METHODS.md and the typed methods of the Python package all come from this declaration:
///
///     EngineMethod(
///         "insight", "Compares a session with the person's earlier sessions.",
///         .id("session", "The session's id."), .count("k", default: 5, "The number of similar sessions.")
///     ) { engine, session, k throws(KinError) in try engine.insight(session: session, k: k) }
package final class EngineMethod: Sendable {
    /// The name in snake case.
    package let name: String
    /// One sentence in plain English: the effect of the method.
    package let summary: String
    /// The answer without its fields, in Markdown. Default: its type. It begins with "list of" if the answer is always a
    /// list, with "either" if it is a list or an object, and with "as `method`" if the method's answers are the same.
    package let answerType: String
    /// The fields of the answer's objects, by path: `shifts.value`. Empty if the answer begins with "as `method`".
    package let fields: [FieldDescription]
    /// Whether it may change the store; a query never changes it.
    package let isCommand: Bool
    /// The parameters, in the order of the documentation.
    package let parameters: [ParameterDescription]
    /// Reads the parameters and executes the method.
    let run: @Sendable (Engine, EngineRequest) throws(KinError) -> any JSONWritable & Sendable

    /// The answer with its fields, in Markdown.
    package var answer: String {
        let list = fields.map { "`\($0.name)`" + ($0.meaning.isEmpty ? "" : " (\($0.meaning))") }
        return answerType + (list.isEmpty ? "" : ": " + list.joined(separator: ", "))
    }

    /// Declares a query, which never writes to the store.
    convenience init<each Value: Sendable, Answer: JSONWritable & Sendable>(
        _ name: String, _ summary: String, answer: String? = nil, _ parameters: repeat Parameter<each Value>,
        run: @escaping @Sendable (Engine, repeat each Value) throws(KinError) -> Answer
    ) {
        self.init(name, summary, answer: answer, isCommand: false, repeat each parameters, run: run)
    }

    /// Declares a command, which waits for the store.
    convenience init<each Value: Sendable, Answer: JSONWritable & Sendable>(
        command name: String, _ summary: String, answer: String? = nil, _ parameters: repeat Parameter<each Value>,
        run: @escaping @Sendable (Engine, repeat each Value) async throws -> Answer
    ) {
        self.init(name, summary, answer: answer, isCommand: true, repeat each parameters) {
            (engine, values: repeat each Value) throws(KinError) in
            let values = (repeat each values)
            let scope = CommandScope.current ?? CommandScope()
            return try finishing {
                try await CommandScope.$current.withValue(scope) { try await run(engine, repeat each values) }
            }
        }
    }

    private init<each Value: Sendable, Answer: JSONWritable & Sendable>(
        _ name: String, _ summary: String, answer: String?, isCommand: Bool,
        _ parameters: repeat Parameter<each Value>,
        run: @escaping @Sendable (Engine, repeat each Value) throws(KinError) -> Answer
    ) {
        var all: [ParameterDescription] = []
        for some in repeat (each parameters).descriptions { all += some }
        let descriptions = all
        self.name = name
        self.summary = summary
        answerType = answer ?? Answer.jsonType.name
        fields = answer?.hasPrefix("as `") == true ? [] : FieldDescription.flattened(Answer.jsonType.fields)
        self.isCommand = isCommand
        self.parameters = descriptions
        self.run = { engine, request throws(KinError) in
            try request.requireKnown(descriptions)
            let values = (repeat try (each parameters).read(request))
            return try run(engine, repeat each values)
        }
    }
}

/// Methods that belong together, with the prose above their table in METHODS.md.
package struct MethodGroup: Sendable {
    /// The heading of the section.
    package let title: String
    /// The paragraphs under the heading, in Markdown.
    package let prose: String
    /// The methods, in the order of the documentation.
    package let methods: [EngineMethod]
}
