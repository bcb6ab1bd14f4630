import Foundation
import Kin

/// Facts about an index, in JSON.
struct IndexRecord: Encodable {
    let file: String
    let fileBytes: Int?
    let kind: String
    let vectors: Int
    let dimension: Int
    let metric: String
    let smallestID: UInt64?
    let largestID: UInt64?
    let memoryBytes: Int
    let columns: [String]?
    let attributes: [AttributeRecord]?
    let scale: String?
    /// Only of an inverted file.
    let lists: ListRecord?
    let recall: RecallRecord?

    init(_ file: IndexFile, path: String) {
        let ids = file.index.ids
        self.file = path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        fileBytes = (attributes?[.size] as? NSNumber)?.intValue
        kind = file.index.kind.word
        vectors = file.index.count
        dimension = file.index.dimension
        metric = file.index.metric.rawValue
        smallestID = ids.min()?.rawValue
        largestID = ids.max()?.rawValue
        memoryBytes = file.index.byteCount
        let described = file.index.attributes
        self.attributes = described.schema.isEmpty ? nil : AttributeRecord.all(of: described)
        columns = file.space.names.isEmpty ? nil : file.space.names
        scale = file.space.scaling?.kind.rawValue
        let invertedFile = file.index as? IVFIndex
        lists = invertedFile.map { ListRecord($0.listReport) }
        recall = invertedFile.map { RecallRecord($0.recallReport) }
    }
}

extension Console {
    /// Facts about an index, as a table for people.
    func print(_ file: IndexFile, path: String) {
        let record = IndexRecord(file, path: path)
        var table = TextTable([("", .left), ("", .left)])
        table.append(["file", path + (record.fileBytes.map { ", \(NumberText.bytes($0))" } ?? "")])
        table.append(["vectors", NumberText.count(record.vectors)])
        table.append(["dimensions", NumberText.count(record.dimension)])
        table.append(["kind", file.index.kind.inWords])
        table.append(["metric", file.index.metric.inWords])
        if let least = record.smallestID, let most = record.largestID { table.append(["ids", "\(least) to \(most)"]) }
        table.append(["vectors and codes", NumberText.bytes(record.memoryBytes)])
        for (index, attribute) in (record.attributes ?? []).enumerated() {
            let values = attribute.values.map { ", \(NumberText.count($0, "value"))" } ?? ""
            table.append([index == 0 ? "attributes" : "", "\(attribute.name)  \(attribute.kind)\(values)"])
        }
        if let scale = record.scale { table.append(["scaling", "\(scale), per column"]) }
        for (index, line) in wrapped(file.space.names, width: 70).enumerated() {
            table.append([index == 0 ? "names" : "", line])
        }
        if let lists = record.lists {
            for line in lists.lines { table.append(line) }
        }
        print(table)
        if let index = file.index as? IVFIndex { print(index.recallReport) }
    }

    private func wrapped(_ words: [String], width: Int) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + word.count + 1 <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
