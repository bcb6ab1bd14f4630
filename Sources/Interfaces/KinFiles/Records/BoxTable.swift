public import Kin

/// The boxes in a data set of images, read from two CSV files: image by image in the order of the file.
public struct BoxTable: Sendable {
    /// An image and its boxes.
    public struct Image: Sendable {
        /// The id of the image.
        public let id: String
        /// The boxes in the order of the file, in pixels, each with the category of its object.
        public fileprivate(set) var boxes: [(category: BoxConverter.Category, box: DetectedObject.BoundingBox)]
    }

    /// The images, in the order of their first boxes.
    public private(set) var images: [Image] = []

    /// Reads boxes and their categories.
    ///
    /// - Parameters:
    ///   - boxes: A CSV file with the columns image_id, category_id, x, y, w and h; `-` is standard input.
    ///   - categories: A CSV file with the columns category_id, category and supercategory.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.unknownID` for an unknown category, `.malformedInput`
    ///   with line and column.
    public init(reading boxes: String, categories: String) throws(KinError) {
        var known: [String: BoxConverter.Category] = [:]
        try Self.forEachRow(of: categories, columns: ["category_id", "category", "supercategory"]) { row in
            known[row[0]] = BoxConverter.Category(name: row[1], group: row[2])
        }
        var places: [String: Int] = [:]
        let columns = ["image_id", "category_id", "x", "y", "w", "h"]
        try Self.forEachRow(of: boxes, columns: columns) { row throws(KinError) in
            guard let category = known[row[1]] else {
                throw KinError(.unknownID, "category \(row[1]) is not in \(categories)")
            }
            var sides: [Float] = []
            for place in 2..<6 {
                guard let side = Float(row[place]) else {
                    throw CSVTable.notANumber(row[place], column: columns[place])
                }
                sides.append(side)
            }
            let box = try DetectedObject.BoundingBox(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
            let place = places[row[0], default: images.count]
            if place == images.count {
                places[row[0]] = place
                images.append(Image(id: row[0], boxes: []))
            }
            images[place].boxes.append((category, box))
        }
    }

    /// Passes the fields of some columns to the body, row by row; errors of the body get line and file.
    private static func forEachRow(
        of path: String, columns: [String], _ body: ([String]) throws(KinError) -> Void
    ) throws(KinError) {
        try ByteReader.read(path) { text throws(KinError) in
            let table = try CSVTable(text, columns: columns.joined(separator: ","))
            let places = try columns.map(table.column)
            for row in table.rows {
                do throws(KinError) { try body(places.map { row.fields[$0] }) } catch {
                    throw error.within("line", row.line)
                }
            }
        }
    }
}
