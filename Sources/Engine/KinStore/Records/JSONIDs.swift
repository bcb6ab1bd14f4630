/// Rewrites the ids in a record's JSON and leaves all other bytes unchanged.
enum JSONIDs {
    /// Applies a change to each text at some paths.
    ///
    /// - Parameters:
    ///   - paths: As ``StoredRecord/idPaths``.
    ///   - change: The change of an id.
    /// - Returns: nil if nothing has changed.
    /// - Throws: `.malformedInput`.
    static func changed(
        _ json: [UInt8], at paths: [[String]], _ change: (String) -> String
    ) throws(KinError) -> [UInt8]? {
        let text = String(decoding: json, as: UTF8.self)
        let result = try changed(text, at: paths[...], change)
        return result.map { Array($0.utf8) }
    }

    private static func changed(
        _ json: String, at paths: ArraySlice<[String]>, _ change: (String) -> String
    ) throws(KinError) -> String? {
        try JSONReader.read(json) { reader throws(KinError) -> String? in
            if paths.contains([]), reader.isAtString() {
                let id = try reader.string()
                let other = change(id)
                if Array(other.utf8) == Array(id.utf8) { return nil }
                var writer = JSONWriter()
                writer.string(other)
                return writer.text
            }
            if reader.isAtObject() { return try changedObject(&reader, at: paths, change) }
            guard json.utf8.first == UInt8(ascii: "[") else {
                try reader.skip()
                return nil
            }
            var elements: [String] = []
            var hasChanged = false
            try reader.array { reader throws(KinError) in
                let element = try reader.verbatim()
                let other = try changed(element, at: paths, change)
                hasChanged = hasChanged || other != nil
                elements.append(other ?? element)
            }
            return hasChanged ? "[\(elements.joined(separator: ","))]" : nil
        }
    }

    private static func changedObject(
        _ reader: inout JSONReader, at paths: ArraySlice<[String]>, _ change: (String) -> String
    ) throws(KinError) -> String? {
        var writer = JSONWriter()
        var hasChanged = false
        var members = try reader.rawMembers()
        for index in members.indices {
            let inner = paths.filter { $0.first == members[index].name }.map { Array($0.dropFirst()) }
            guard !inner.isEmpty, let other = try changed(members[index].value, at: inner[...], change) else {
                continue
            }
            members[index].value = other
            hasChanged = true
        }
        writer.object { writer in
            for (name, value) in members { writer.member(name) { $0.raw(value) } }
        }
        return hasChanged ? writer.text : nil
    }

    /// Converts the ids to their normal form; nil if they have it already.
    static func repaired(_ json: [UInt8], at paths: [[String]]) throws(KinError) -> [UInt8]? {
        // A short text of ASCII without escapes has nothing to repair.
        if json.count <= RecordID.maximumBytes, json.allSatisfy({ $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
            return nil
        }
        return try changed(json, at: paths, RecordID.repaired)
    }
}
