import Foundation

extension IndexFile {
    /// Facts about an index in JSON.
    ///
    /// - Parameter path: The path of its file.
    func record(_ path: String) -> Record {
        let ids = index.hasNames ? [] : index.ids
        let schema = index.attributes.schema
        return [
            "file": path, "file_bytes": Self.bytes(of: path), "kind": index.layout.word, "vectors": index.count,
            "dimension": index.dimension, "metric": index.metric.rawValue, "smallest_id": ids.min()?.rawValue,
            "largest_id": ids.max()?.rawValue, "has_text_ids": index.hasNames, "memory_bytes": index.byteCount,
            "columns": space.names.isEmpty ? nil : space.names,
            "attributes": schema.isEmpty
                ? nil
                : schema.attributes.map {
                    [
                        "name": $0.name, "kind": $0.kind.rawValue,
                        "values": try? index.attributes.categoryCount(of: $0.name),
                    ] as Record
                }, "scale": space.scaling?.kind.rawValue, "lists": index.listReport?.record,
            "recall": index.layout.isFlat ? nil : index.recallReport.record,
        ]
    }

    static func bytes(of path: String) -> Int? {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue
    }
}

extension Console {
    /// Prints facts about an index as a table.
    func print(_ file: IndexFile, path: String) {
        let index = file.index
        let ids = index.hasNames ? [] : index.ids
        var rows = [
            ["file", path + (IndexFile.bytes(of: path).map { ", \(NumberText.bytes($0))" } ?? "")],
            ["vectors", NumberText.count(index.count)], ["dimensions", NumberText.count(index.dimension)],
            ["kind", index.layout.inWords], ["metric", index.metric.summary],
        ]
        if let least = ids.min(), let most = ids.max() { rows.append(["ids", "\(least) to \(most)"]) }
        if index.hasNames { rows.append(["ids", "texts"]) }
        rows.append(["vectors and codes", NumberText.bytes(index.byteCount)])
        for (number, attribute) in index.attributes.schema.attributes.enumerated() {
            let count = try? index.attributes.categoryCount(of: attribute.name)
            let values = count.map { ", \($0, "value")" } ?? ""
            rows.append([number == 0 ? "attributes" : "", "\(attribute.name)  \(attribute.kind.rawValue)\(values)"])
        }
        if let scaling = file.space.scaling { rows.append(["scaling", "\(scaling.kind.rawValue), per column"]) }
        for (number, name) in file.space.names.enumerated() {
            if number > 0, let line = rows.last?[1], line.count + name.count < 70 {
                rows[rows.count - 1][1] = line + " " + name
            } else {
                rows.append([number == 0 ? "names" : "", name])
            }
        }
        rows += index.listReport?.lines ?? []
        print(TextTable(["", ""], rows))
        if !index.layout.isFlat { print(index.recallReport) }
    }
}
