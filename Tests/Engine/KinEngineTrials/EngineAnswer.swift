package import KinCore
import KinJSON

/// The members of an answer that is an object, with their original text.
package struct EngineAnswer: Sendable {
    private let members: [String: String]

    package init(_ json: String) throws(KinError) {
        let all = try JSONReader.read(json) { reader throws(KinError) in try reader.rawMembers() }
        members = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.value) })
    }

    /// A member; `null` if it is missing.
    package subscript(name: String) -> String { members[name] ?? "null" }
}
