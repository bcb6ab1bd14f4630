import Foundation

/// The REPL on an index, without its terminal: commands in, text out.
final class ReplSession: Conversation {
    private(set) var file: IndexFile
    private(set) var path: String
    /// The file that was opened or saved last; nil if there was none.
    private var identity: FileIdentity?
    /// The number of changes since the last save.
    private(set) var unsavedChanges = 0

    let console: Console
    private let isInteractive: Bool
    private(set) var k = 10
    private(set) var threads: Int
    var switches: Set<Switch> = []
    /// The filter that applies to every search.
    private(set) var filter: FilterExpression?
    /// The same filter in the index's form, prepared once.
    private(set) var prepared: SearchFilter?
    /// The search mode of an inverted file.
    private(set) var mode = SearchMode.exact
    /// The query of the last search, for `plan`.
    var lastTarget: Target?
    /// The results of the last search, for `:plot`, and its query if that is a vector of all dimensions.
    var lastFound: (neighbors: [Neighbor], query: (vector: [Float], name: String)?)?
    /// Whether the last command was a quit that was refused because of unsaved changes.
    private var hasWarned = false

    init(
        _ file: IndexFile, path: String, threads: Int, isInteractive: Bool = false, mode: SearchMode = .exact,
        console: Console
    ) {
        self.file = file
        self.path = path
        identity = FileIdentity(of: path)
        self.threads = threads
        self.isInteractive = isInteractive
        self.mode = mode
        self.console = console
    }

    var prompt: String { unsavedChanges == 0 ? "kin> " : "kin*> " }
    var greeting: String {
        let index = file.index
        return "\(path): \(file.size), metric \(index.metric.rawValue). `help` lists the commands."
    }
    var forms: [any CommandSpec] { IndexCommands.all }
    var dimensions: [String] { file.space.names }
    var attributes: [String] { file.index.attributes.schema.attributes.map(\.name) + ["id"] }

    func perform(_ request: MethodRequest) throws {
        do {
            try (request.form as? Command<ReplSession>)?.run(self, request)
            try (request.form as? Command<any Conversation>)?.run(self, request)
        } catch let error as KinError {
            throw request.located(error)
        }
    }

    func forgetWarning() { hasWarned = false }

    /// At a terminal, the first quit with unsaved changes is refused.
    func mayEnd() -> Bool {
        guard unsavedChanges > 0 else { return true }
        let changes = NumberText.count(unsavedChanges, "change")
        guard isInteractive, !hasWarned else {
            hasWarned = false
            console.note(isInteractive ? "\(changes) discarded" : "\(changes) not saved; add `save` at the end")
            return true
        }
        console.note("\(changes) not saved; `save` saves, `quit` again discards")
        hasWarned = true
        return false
    }

    /// The first ids that start with some digits: the number itself, then ids with one more digit, and so on, at most
    /// 40.
    func values(of parameter: ParameterDescription, beginningWith digits: String) -> [String] {
        guard parameter.type == .object("vector") || ["id", "ids"].contains(parameter.name), !file.index.hasNames,
            let number = UInt64(digits),
            String(number) == digits
        else { return [] }
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

    // MARK: - Changes

    func upsert(_ request: MethodRequest) throws {
        guard let text = try request.vector("vector") else {
            throw request.refusal("vector", "a vector is [0.1, 0.2, …], or some dimensions by name")
        }
        let (id, vector, before) = (request.word("id"), try file.space.stored(text, field: "vector"), file.index.count)
        if file.index.hasNames || file.index.isEmpty && UInt64(id) == nil {
            try file.index.upsert(vector, name: id)
        } else {
            try file.index.upsert(vector, id: request.number(ofID: "id"))
        }
        unsavedChanges += 1
        let change = file.index.count > before ? "added" : "replaced"
        print([change: file.index.hasNames ? id : UInt64(id)]) { say("\(change) \(id)") }
    }

    func remove(_ list: IDList) throws(KinError) {
        let ids = list.members(of: file.index)
        guard !ids.isEmpty else { throw KinError(.unknownID, "none of these ids is in the index") }
        let removed = file.index.remove(ids)
        unsavedChanges += removed
        print(["removed": removed]) { say("removed \(removed, "vector")") }
    }

    func save(to destination: String?) throws {
        let destination = destination ?? path
        let isReplaced = FileIdentity(of: path).map { identity ?? $0 != $0 } ?? false
        guard destination != path || !isReplaced || Overwriting.isAllowed else {
            throw KinError(.busy, "the file was replaced after it was opened; save to a different name, or add --force")
                .within("file", path)
        }
        let time = try ContinuousClock().measure { try file.write(to: destination) }
        (path, identity) = (destination, FileIdentity(of: destination))
        unsavedChanges = 0
        print(["saved": file.index.count, "file": destination]) {
            say("saved \(file.index.count, "vector") to \(destination) in \(NumberText.duration(time))")
        }
    }

    // MARK: - Settings

    func set(_ request: MethodRequest) throws(KinError) {
        k = request.optionalInt("k") ?? k
        threads = request.optionalInt("threads") ?? threads
        if request.isGiven("metric"), request.metric != file.index.metric {
            file.index = try file.index.rebuilt(under: request.metric, threads: threads)
            prepared = try preparing(filter)
            unsavedChanges += 1
        }
        if request.isGiven("mode") {
            try file.index.require(request.mode)
            mode = request.mode
        }
        let modeText = file.index.layout.isFlat ? nil : mode.text
        print(["k": k, "metric": file.index.metric.rawValue, "mode": modeText, "threads": threads]) {
            say(
                "k \(k), metric \(file.index.metric.rawValue)\(modeText.map { ", mode \($0)" } ?? ""), threads \(threads)"
            )
        }
    }

    /// Sets or clears the filter of later searches, and shows it.
    func set(filter text: String?) throws(KinError) {
        if text?.lowercased() == "off" {
            (prepared, filter) = (nil, nil)
        } else if let text {
            let expression = try FilterExpression(parsing: text)
            prepared = try preparing(expression)
            file.noteUnknownCategories(in: expression, on: console)
            filter = expression
        }
        let count = try prepared.map { (filter) throws(KinError) in try file.index.ids(where: filter).count }
        print(["filter": filter.map { "\($0)" }, "vectors_allowed": count]) {
            guard let filter else { return say("no filter: every vector is searched") }
            let share = count.map { ": \(NumberText.count($0)) of \(file.index.count, "vector")" }
            say("filter \(filter)\(share ?? "")")
        }
    }

    private func preparing(_ expression: FilterExpression?) throws(KinError) -> SearchFilter? {
        guard let expression else { return nil }
        return try file.index.prepare(.matching(expression), threads: threads)
    }

    // MARK: - Drawings

    /// Draws the index with the results of the last search.
    func plot(to path: String) throws {
        // Some of the results may have been removed.
        let found = lastFound?.neighbors.filter { file.index.contains($0.id) } ?? []
        let title = "\(file.index.count, "vector") of \(self.path)"
        try NeighborhoodPlot(
            file.index.ids, vector: file.index.storedVector(for:), name: file.index.text(of:), title: title,
            target: lastFound?.query, found: found
        ).drawing.write(to: path)
        print(["drawn": path]) {
            say("drawn: \(path)" + (lastFound == nil ? "; search for something first to see its neighbours" : ""))
        }
    }
}
