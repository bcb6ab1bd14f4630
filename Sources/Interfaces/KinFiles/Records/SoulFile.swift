/// Files of souls: JSON lines, also those of a store's export (`{"soul": …}`), an array, or an object with a list `souls`.
public enum SoulFile {
    /// Reads all souls of a file.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - others: Receives the number of records of other kinds, such as sessions, in a store's export.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with line and field.
    public static func read(_ path: String, others: (Int) -> Void = { _ in }) throws(KinError) -> [Soul] {
        var (souls, otherCount): ([Soul], Int) = ([], 0)
        try ByteReader(path: path).forEachJSONLine { reader throws(KinError) in
            souls += try Self.souls(&reader, &otherCount)
        }
        others(otherCount)
        return souls
    }

    /// The names of objects that are souls, or members of one.
    private static let ownNames = Set(Soul.form.fields.map(\.name) + ["soul", "souls"])

    private static func souls(_ reader: inout JSONReader, _ others: inout Int) throws(KinError) -> [Soul] {
        let start = reader
        let failure: KinError
        do throws(KinError) { return [try Soul(from: &reader)] } catch { failure = error }
        reader = start
        if let kind = start.exportedKind(), !ownNames.contains(kind) {
            others += 1
            try reader.skip()
            return []
        }
        let members = reader.isAtObject() ? try reader.rawMembers() : []
        guard let inner = members.first(where: { $0.name == "soul" || $0.name == "souls" }) else { throw failure }
        return try JSONReader.read(inner.value) { reader throws(KinError) in
            guard reader.isAtArray() else { return try souls(&reader, &others) }
            return try reader.list { reader throws(KinError) in try souls(&reader, &others) }.flatMap(\.self)
        }
    }
}
