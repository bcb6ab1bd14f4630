/// The boxes in a data set of images, read from CSV or COCO's JSON: image by image in the order of the file.
public struct BoxTable: Sendable {
    /// The images in the order of their first boxes, each with its boxes in the order of the file, in pixels.
    public let images: [(id: String, boxes: [BoxConverter.Box])]
    /// The errors of the boxes that were left out.
    public let problems: [KinError]
    /// The number of images that the files name without a box that could be read.
    public let imagesWithoutBoxes: Int

    /// Reads boxes and their categories. A box with an unknown category or a bad number is left out.
    ///
    /// - Parameters:
    ///   - boxes: CSV with the columns image_id, category_id, x, y, w, h and, if there is one, score. Or JSON: COCO's
    ///     instances, or a list of results. `-` is standard input.
    ///   - categories: CSV with the columns category_id, category and supercategory, or COCO's instances; nil if `boxes`
    ///     are instances.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` for files without categories or
    ///   columns; the first error of a box if all boxes are left out.
    public init(reading boxes: String, categories: String?) throws(KinError) {
        var (known, listed): ([String: BoxConverter.Category], Set<String>) = ([:], [])
        var named: Set<String> = []
        func readCategories(_ text: String) throws(KinError) {
            let columns = ["category_id", "category", "supercategory"]
            let errors = try Self.forEachRow(of: text, list: "categories", columns: columns, images: &listed) {
                row throws(KinError) in
                known[try Self.field(row, "category_id", "id")] = BoxConverter.Category(
                    name: try Self.field(row, "category", "name"), group: row["supercategory"] ?? "")
            }
            if let first = errors.first { throw first }
        }
        if let categories { try ByteReader.read(categories, readCategories) }
        var (images, places): ([(id: String, boxes: [BoxConverter.Box])], [String: Int]) = ([], [:])
        problems = try ByteReader.read(boxes) { text throws(KinError) in
            guard categories != nil || text.first(where: { !$0.isWhitespace }) == "{" else {
                throw KinError(.malformedInput, "the boxes have no categories; give a second file that has them")
            }
            if categories == nil { try readCategories(text) }
            let columns = ["image_id", "category_id", "x", "y", "w", "h"]
            return try Self.forEachRow(of: text, list: "annotations", columns: columns, images: &listed) {
                row throws(KinError) in
                let id = try Self.field(row, "image_id")
                named.insert(id)
                let box = try Self.box(row, known)
                let place = places[id, default: images.count]
                if place == images.count {
                    places[id] = place
                    images.append((id, []))
                }
                images[place].boxes.append(box)
            }.map { $0.within("file", boxes) }
        }
        self.images = images
        imagesWithoutBoxes = named.union(listed).subtracting(places.keys).count
        if images.isEmpty, let first = problems.first { throw first }
    }

    /// The box of a row; its confidence is the score, or 1.
    private static func box(
        _ row: [String: String], _ categories: [String: BoxConverter.Category]
    ) throws(KinError) -> BoxConverter.Box {
        let id = try field(row, "category_id")
        guard let category = categories[id] else { throw KinError(.unknownID, "there is no category \(id)") }
        let numbers = try ["x", "y", "w", "h", "score"].map { column throws(KinError) in
            let text = try column == "score" ? row[column] ?? "1" : field(row, column)
            guard let number = Float(text) else { throw CSVTable.notANumber(text, column: column) }
            return number
        }
        guard numbers[4] >= 0, numbers[4] <= 1 else { throw .field("score", "must be from 0 to 1, not \(numbers[4])") }
        let box = try DetectedObject.BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        return (category, box, numbers[4])
    }

    /// The text in the first of some columns that the row has.
    private static func field(_ row: [String: String], _ names: String...) throws(KinError) -> String {
        for name in names { if let text = row[name] { return text } }
        throw .field(names.last ?? "", "the field is missing", .malformedInput)
    }

    /// Passes rows, as texts by column, to the body: those of a CSV file with some columns, or those of a list in JSON.
    /// Inserts the ids of the images that COCO lists, also of those without boxes.
    ///
    /// - Returns: The errors of rows, which do not end the loop.
    private static func forEachRow(
        of text: String, list: String, columns: [String], images: inout Set<String>,
        _ body: ([String: String]) throws(KinError) -> Void
    ) throws(KinError) -> [KinError] {
        var errors: [KinError] = []
        guard LogJSON.begins(text) else {
            let table = try CSVTable(text, columns: columns.joined(separator: ","))
            for column in columns { _ = try table.column(column) }
            for row in table.rows {
                do throws(KinError) { try body(Dictionary(zip(table.header, row.fields)) { $1 }) } catch {
                    errors.append(error.within("line", row.line))
                }
            }
            return errors
        }
        try JSONReader.read(text) { reader throws(KinError) in
            var elements = try reader.isAtArray() ? reader.elements() : []
            if elements.isEmpty {
                try reader.members { reader, name throws(KinError) in
                    if name == list {
                        elements = try reader.elements()
                    } else if name == "images", reader.isAtArray() {
                        for var image in try reader.elements() {
                            if let id = (try? fields(&image))?["id"] { images.insert(id) }
                        }
                    } else {
                        try reader.skipElement()
                    }
                }
            }
            if elements.isEmpty { throw reader.error("there is no list \"\(list)\"") }
            for number in elements.indices {
                do throws(KinError) { try body(fields(&elements[number])) } catch {
                    errors.append(error.inField("[\(number)]"))
                }
            }
        }
        return errors
    }

    /// The members of a JSON object as texts; a `bbox` as its four numbers.
    private static func fields(_ reader: inout JSONReader) throws(KinError) -> [String: String] {
        var fields: [String: String] = [:]
        try reader.members { reader, name throws(KinError) in
            if name == "bbox" {
                let sides = try reader.list { reader throws(KinError) in try reader.verbatim() }
                for (side, text) in zip(["x", "y", "w", "h"], sides) { fields[side] = text }
            } else {
                fields[name] = try reader.isAtString() && name != "score" ? reader.string() : reader.verbatim()
            }
        }
        return fields
    }
}
