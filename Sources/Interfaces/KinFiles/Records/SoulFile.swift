/// Files of souls: JSON lines, also those of a store's export (`{"soul": …}`), an array, or an object with a list `souls`.
public enum SoulFile {
    /// Reads all souls of a file.
    ///
    /// - Parameter path: The file; `-` is standard input.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with line and field.
    public static func read(_ path: String) throws(KinError) -> [Soul] {
        var souls: [Soul] = []
        try ByteReader(path: path).forEachJSONLine { reader throws(KinError) in
            souls += try Self.souls(&reader)
        }
        return souls
    }

    private static func souls(_ reader: inout JSONReader) throws(KinError) -> [Soul] {
        let start = reader
        let failure: KinError
        do throws(KinError) { return [try Soul(from: &reader)] } catch { failure = error }
        reader = start
        var members = reader.isAtObject() ? try reader.rawMembers() : []
        if let inner = members.first(where: { $0.name == "soul" || $0.name == "souls" }) {
            return try JSONReader.read(inner.value) { reader throws(KinError) in
                reader.isAtArray() ? try reader.list(souls).flatMap(\.self) : try souls(&reader)
            }
        }
        // Apps name the person in different ways.
        let names: Set = ["user_id", "userId", "userID"]
        guard let place = members.firstIndex(where: { names.contains($0.name) }),
            !members.contains(where: { $0.name == "uid" })
        else { throw failure }
        members[place].name = "uid"
        let text = "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
        do throws(KinError) {
            return [try JSONReader.read(text) { reader throws(KinError) in try Soul(from: &reader) }]
        } catch {
            throw failure.code == .malformedInput && error.names("field") ? error.without(["line", "column"]) : failure
        }
    }
}
