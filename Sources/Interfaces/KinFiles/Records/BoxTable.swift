/// The boxes in a data set of images, read from CSV or COCO's JSON: image by image in the order of the file.
public struct BoxTable: Sendable {
    /// The images in the order of their first boxes, each with its boxes in the order of the file, in pixels.
    public let images: [(id: String, boxes: [BoxConverter.Box])]
    /// The errors of the boxes that were left out.
    public let problems: [KinError]
    /// The number of images that the files name without a box that could be read.
    public let imagesWithoutBoxes: Int
    /// The columns of CSV with boxes that have no meaning here.
    public let unusedColumns: [String]

    private static let scores = ["score", "confidence", "conf", "probability"]
    /// The columns of boxes by the names that other programs give them.
    private static let aliases: KeyValuePairs = [
        "width": "w", "height": "h", "label": "category_name", "class_name": "category_name",
    ]
    /// The names of lists of boxes.
    private static let lists = ["annotations", "results", "predictions", "detections", "data"]

    /// Reads boxes and their categories. A box with an unknown category or a bad number is left out.
    ///
    /// - Parameters:
    ///   - boxes: CSV with the columns image_id, category_id or category_name, x, y, w, h and, if there is one, score or
    ///     confidence. Or JSON: COCO's instances, or a list of results, also one per line. `-` is standard input.
    ///   - categories: CSV with the columns category_id, category and supercategory, or COCO's instances; nil if `boxes`
    ///     are instances, or results with a `category_name`.
    /// - Throws: `.inputOutput` for a file that cannot be read. `.malformedInput` for files without categories or
    ///   columns, and for boxes in fractions. `.invalidArgument` for boxes by corners or centres, and if only the boxes
    ///   count categories from 0. The first error of a box if all boxes are left out.
    public init(reading boxes: String, categories: String?) throws(KinError) {
        var facts: Facts = ([:], [:], [], false)
        var named: Set<String> = []
        if let categories {
            let columns = ["category_id", "category", "supercategory"]
            let errors = try ByteReader.read(categories) { text throws(KinError) in
                try Self.forEachRow(of: text, lists: ["categories"], columns: columns, facts: &facts) {
                    row, facts throws(KinError) in try Self.addCategory(row, to: &facts.categories)
                }
            }
            if let first = errors.first { throw first }
        }
        var (images, places): ([(id: String, boxes: [BoxConverter.Box])], [String: Int]) = ([], [:])
        var (outside, refusal): ([KinError], KinError?) = ([], nil)
        problems = try ByteReader.read(boxes) { text throws(KinError) in
            let columns = ["image_id", "category_id", "x", "y", "w", "h"]
            return try Self.forEachRow(of: text, lists: Self.lists, columns: columns, facts: &facts) {
                row, facts throws(KinError) in
                let (id, known) = (try Self.field(row, "image_id"), facts.categories)
                named.insert(id)
                if row["category_id"] == "0", row["category_name"] == nil, known["0"] == nil, known["1"] != nil {
                    refusal = .field("category_id", "begins at 0 in the boxes, at 1 in categories; use the same ids")
                }
                let box = try Self.box(row, facts)
                let end = SIMD2(box.box.x + box.box.width, box.box.y + box.box.height)
                // Detectors and annotators round to pixels.
                if let size = facts.images[id], any(end .> 1.01 * size + 1) {
                    outside.append(.field("bbox", "ends at \(end.x), \(end.y) of \(size.x), \(size.y); \(Self.sides)"))
                    throw outside[outside.count - 1]
                }
                let place = places[id, default: images.count]
                if place == images.count {
                    places[id] = place
                    images.append((id, []))
                }
                images[place].boxes.append(box)
            }.map { $0.within("file", boxes) }
        }
        let all = images.flatMap { $0.boxes.map(\.box) }
        // A few boxes may be wrong; more have corners or centres in place of sizes.
        if 20 * outside.count > all.count { refusal = outside[0] }
        if let refusal { throw refusal.within("file", boxes) }
        if all.isEmpty, let first = problems.first { throw first }
        try DetectedObject.BoundingBox.requirePixels(all, in: "file", boxes)
        (self.images, unusedColumns) = (images, facts.unusedColumns)
        imagesWithoutBoxes = named.union(facts.images.keys).subtracting(places.keys).count
    }

    /// The width and height of each image that COCO lists, infinite if unknown; its categories; columns of CSV without a
    /// meaning; and whether a comma is the decimal mark.
    private typealias Facts = (
        images: [String: SIMD2<Float>], categories: [String: BoxConverter.Category], unusedColumns: [String],
        hasDecimalComma: Bool
    )

    private static let sides = "write x, y, width, height, clipped to the image, not two corners or a centre"
    private static let form =
        "results are [{\"image_id\": 7, \"category_id\": 1, \"bbox\": [x, y, width, height], \"score\": 0.9}, …]"

    /// The box of a row; its confidence is the score, or 1. A category that the row names is preferred to its id.
    private static func box(_ row: [String: String], _ facts: Facts) throws(KinError) -> BoxConverter.Box {
        let (id, categories) = (try field(row, "category_id", "category_name"), facts.categories)
        // A label may be the number of a category.
        let named = row["category_name"].flatMap { Int($0) == nil ? $0 : nil }
        let (known, name) = (categories[id], named ?? categories[id]?.name)
        guard let category = known?.name == name ? known : name.map({ .init(name: $0, group: "") }) else {
            throw categories.isEmpty
                ? KinError(.malformedInput, "the boxes have no categories; give a second file that has them")
                : KinError(.unknownID, "there is no category \(id)")
        }
        let score = scores.lazy.compactMap { row[$0] }.first ?? "1"
        let numbers = try ["x", "y", "w", "h", "score"].map { column throws(KinError) in
            let text = try column == "score" ? score : field(row, column, "bbox")
            guard let number = CSVField.number(text, decimalComma: facts.hasDecimalComma) else {
                throw CSVTable.notANumber(text, column: column)
            }
            return Float(number)
        }
        guard numbers[4] >= 0, numbers[4] <= 1 else { throw .field("score", "must be from 0 to 1, not \(numbers[4])") }
        let box = try DetectedObject.BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        return (category, box, numbers[4])
    }

    private static func addCategory(
        _ row: [String: String], to categories: inout [String: BoxConverter.Category]
    ) throws(KinError) {
        categories[try field(row, "category_id", "id")] = BoxConverter.Category(
            name: try field(row, "category", "name"), group: row["supercategory"] ?? "")
    }

    /// The text in the first of some columns that the row has.
    private static func field(_ row: [String: String], _ names: String...) throws(KinError) -> String {
        for name in names { if let text = row[name] { return text } }
        throw .field(names.last ?? "", "the field is missing", .malformedInput)
    }

    /// Passes rows, as texts by column, to the body: those of a CSV file with some columns, or those of a list in JSON.
    /// Inserts the images that COCO lists, also those without boxes, and its categories if none are known.
    ///
    /// - Returns: The errors of rows, which do not end the loop.
    private static func forEachRow(
        of text: String, lists: [String], columns: [String], facts: inout Facts,
        _ body: ([String: String], inout Facts) throws(KinError) -> Void
    ) throws(KinError) -> [KinError] {
        var errors: [KinError] = []
        guard LogJSON.begins(text) else {
            let table = try CSVTable(text, columns: columns.joined(separator: ","))
            let header = table.header.map { name in
                aliases.first { $0.key == name && !table.header.contains($0.value) }?.value ?? name
            }
            do throws(KinError) {
                let isNamed = header.contains("category_name")
                for column in columns where !header.contains(column) && !(isNamed && column == "category_id") {
                    _ = try table.column(column)
                }
            } catch {
                throw error.adding("needed are \(columns.joined(separator: ", "))")
            }
            facts.hasDecimalComma = table.separator != "commas"
            facts.unusedColumns = header.filter { !(columns + scores + ["category_name", ""]).contains($0) }
            for row in table.rows {
                do throws(KinError) { try body(Dictionary(zip(header, row.fields)) { $1 }, &facts) } catch {
                    errors.append(error.within("line", row.line))
                }
            }
            return errors
        }
        // Results may be one per line.
        let first = text.utf8.prefix { $0 != 0x0A && $0 != 0x0D }
        let isLines = first.last == UInt8(ascii: "}") && first.count < text.utf8.count - 2
        let lines = try isLines ? JSONText.values(text).map(\.text) : []
        try JSONReader.read(lines.count > 1 ? "[\(lines.joined(separator: ","))]" : text) { reader throws(KinError) in
            var elements = try reader.isAtArray() ? reader.elements() : []
            if elements.isEmpty {
                try reader.members { reader, name throws(KinError) in
                    if elements.isEmpty, lists.contains(name), reader.isAtArray() {
                        elements = try reader.elements()
                    } else if name == "categories", facts.categories.isEmpty, reader.isAtArray() {
                        for var category in try reader.elements() {
                            try addCategory(fields(&category), to: &facts.categories)
                        }
                    } else if name == "images", reader.isAtArray() {
                        for var image in try reader.elements() {
                            guard let image = try? fields(&image), let id = image["id"] else { continue }
                            let sides = ["w", "h"].map { image[$0].flatMap(Float.init) ?? .infinity }
                            facts.images[id] = [sides[0], sides[1]]
                        }
                    } else {
                        try reader.skipElement()
                    }
                }
            }
            if elements.isEmpty { throw reader.error("there is no list \"\(lists[0])\" with boxes").adding(form) }
            for number in elements.indices {
                do throws(KinError) { try body(fields(&elements[number]), &facts) } catch {
                    errors.append(error.inField("[\(number)]"))
                }
            }
        }
        return errors
    }

    /// The members of a JSON object as texts; a `bbox` as its four numbers, and the score among an object's attributes.
    private static func fields(_ reader: inout JSONReader) throws(KinError) -> [String: String] {
        var fields: [String: String] = [:]
        try reader.members { reader, name throws(KinError) in
            if name == "bbox", reader.isAtObject() {
                fields.merge(try Self.fields(&reader)) { $1 }
            } else if name == "bbox" {
                let sides = try reader.list { reader throws(KinError) in try reader.verbatim() }
                for (side, text) in zip(["x", "y", "w", "h"], sides) { fields[side] = text }
            } else if name == "attributes", reader.isAtObject() {
                let attributes = try Self.fields(&reader)
                fields.merge(attributes.filter { scores.contains($0.key) }) { own, _ in own }
            } else {
                fields[name] =
                    try reader.isAtString() && !scores.contains(name) ? reader.string() : reader.verbatim()
            }
        }
        for (other, name) in aliases where fields[name] == nil { fields[name] = fields[other] }
        return fields
    }
}
