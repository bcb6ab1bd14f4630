/// A list as JSON: one array, or a line for each element with `--json-lines`.
struct JSONList {
    private let console: Console
    private let isLines: Bool
    private var isEmpty = true

    init(_ request: MethodRequest, on console: Console) {
        self.console = console
        isLines = request.isOn("json_lines")
    }

    /// Writes the next element. An array has a line for each element too, so that it needs no memory.
    mutating func append(_ json: String) {
        console.print(json: isLines ? json : (isEmpty ? "[" : ",") + json)
        isEmpty = false
    }

    /// Writes the end of the list.
    func finish() {
        if !isLines { console.print(json: isEmpty ? "[]" : "]") }
    }
}

extension Console {
    /// Writes a list as JSON, by the options of the request.
    func print(jsonList elements: some Sequence<String>, for request: MethodRequest) {
        var list = JSONList(request, on: self)
        for element in elements { list.append(element) }
        list.finish()
    }
}
