extension MethodRequest {
    /// Whether the request, or the work that it belongs to, may replace files of different kinds.
    var isOverwriting: Bool { isOn("force") || Overwriting.isAllowed }

    /// Requires that no output is one of the request's input files, and that every output may replace the existing file
    /// (`requireReplaceable`).
    func requireReplaceableOutputs() throws(CommandError) {
        for parameter in form.parameters where parameter.type == .output {
            guard let path = text(parameter.name), path != "-" else { continue }
            let identity = FileIdentity(of: path)
            if identity?.isRegular == true, let input = inputs.first(where: { FileIdentity(of: $0) == identity }) {
                let name = input == path ? "" : " as \(input)"
                throw refusal(parameter.name, "\(path) is read\(name), and would be lost: choose another name")
            }
            do throws(KinError) {
                try withOverwriting(isOverwriting) { () throws(KinError) in
                    try requireReplaceable(path, by: form.replaceable)
                }
            } catch {
                throw refusal(parameter.name, "\(path): \(error.message)")
            }
        }
    }

    /// The files that the request reads, including the files of a library in a folder.
    private var inputs: [String] {
        form.parameters.flatMap { parameter -> [String] in
            switch parameter.type {
            case .path: text(parameter.name).map { [$0] } ?? []
            case .list("path"): texts(parameter.name)
            default: []
            }
        }.flatMap { [$0] + RealmLibraryFolder($0).files }
    }
}

extension CommandSpec {
    /// The file contents that the command's output may replace: the same kind.
    fileprivate var replaceable: [FileContent] {
        switch name {
        case "index build", "save": FileContent.indexes
        case "world": [.json("world")]
        default: []
        }
    }
}
