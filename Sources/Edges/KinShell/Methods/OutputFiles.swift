import Kin
import KinEngine
import KinFiles

extension MethodRequest {
    /// Requires of every file that is to be written that nothing is lost by it: it is no store, no index unless an index is written, and
    /// none of the files that the request reads.
    func requireReplaceableOutputs() throws(CommandError) {
        for parameter in form.parameters where parameter.type == .output {
            guard let path = text(parameter.name), path != "-" else { continue }
            do throws(KinError) { try WholeFile.requireReplaceable(path, isIndex: form.writesIndex) } catch {
                throw refusal(parameter.name, "\(path): \(error.message)")
            }
            guard let identity = FileIdentity(of: path), identity.isRegular else { continue }
            if let input = inputs.first(where: { FileIdentity(of: $0) == identity }) {
                let name = input == path ? "" : " as \(input)"
                throw refusal(parameter.name, "\(path) is read\(name), and would be lost: choose another name")
            }
        }
    }

    /// The files that the request reads, those of a library in a folder among them.
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

extension Form {
    /// Whether the file that the command writes is an index.
    fileprivate var writesIndex: Bool { ["index build", "save"].contains(name) }
}
