import KinTestSupport
import Testing

@testable import KinFiles

@Suite("Tables of boxes")
struct BoxTableTests {
    private let folder = TemporaryFolder()

    /// Boxes in CSV, and in COCO's instances and results; rows with errors are left out.
    @Test func boxesAreReadFromCSVAndJSON() throws {
        func box(_ image: Int, _ category: String, _ side: String, _ score: String? = nil) -> String {
            "{\"id\":5,\"image_id\":\(image),\"category_id\":\(category),\"bbox\":[1.5,2,\(side),4],\"iscrowd\":0"
                + (score.map { ",\"score\":\($0)" } ?? "") + "}"
        }
        func row(_ image: Int, _ category: String, _ side: String, _ score: String? = nil) -> String {
            "\(image),\(category),1.5,2,\(side),4" + (score.map { ",\($0)" } ?? "")
        }
        let bad = [
            ("99", "3", "0.5"), ("17", "NaN", "0.5"), ("17", "-3", "0.5"), ("17", "wide", "0.5"), ("17", "3", "NaN"),
            ("17", "3", "1.5"), ("17", "3", "-0.1"),
            ("17", "1e999", "0.5"), ("17", "", "0.5"),
        ]
        let list = """
            "categories":[{"id":17,"name":"cat","supercategory":"animal"},{"id":2,"name":"car"}]
            """
        let csv = try folder.file("c.csv", "category_id,category,supercategory\n17,cat,animal\n2,car,vehicle\n")
        let instances = try folder.file("categories.json", "{\"info\":{\"mean\":NaN},\(list)}")
        for score in [nil, "0.25"] {
            let good = [(7, "17", "3"), (8, "2", "3"), (7, "2", "0")]
            let wrong = bad.filter { score != nil || $0.2 == "0.5" }
            let header = "image_id,category_id,x,y,w,h" + (score == nil ? "" : ",score")
            let rows =
                good.map { row($0, $1, $2, score) } + wrong.map { row(9, $0, $1, score == nil ? nil : $2) }
            let boxes =
                (good.map { box($0, $1, $2, score) } + wrong.map { box(9, $0, $1, score == nil ? nil : $2) })
                .joined(separator: ",\n")
            let table = try folder.file("b.csv", ([header] + rows).joined(separator: "\n"))
            let whole = try folder.file(
                "i.json", "{\"images\":[{\"id\":7},{\"id\":70}],\"annotations\":[\(boxes)],\(list)}")
            let results = try folder.file("r.json", " [\(boxes)]")
            for (file, categories) in [
                (table, csv), (table, instances), (results, csv), (results, instances), (whole, nil), (whole, csv),
            ] {
                let read = try BoxTable(reading: file, categories: categories)
                #expect(read.images.map(\.id) == ["7", "8"] && read.images.map(\.boxes.count) == [2, 1], "\(file)")
                #expect(read.images[0].boxes.map(\.category.name) == ["cat", "car"], "\(file)")
                #expect(
                    read.images[0].boxes[0].box.x == 1.5
                        && read.images[0].boxes[0].confidence == (score == nil ? 1 : 0.25))
                // Image 9 has boxes with errors only, and no file of results names image 70.
                #expect(read.imagesWithoutBoxes == (file == whole ? 2 : 1), "\(file)")
                #expect(read.problems.count == wrong.count, "\(file): \(read.problems)")
                #expect(read.problems.allSatisfy { $0.fact("file") == file }, "\(read.problems)")
            }
            #expect(errorCode { try BoxTable(reading: table, categories: nil) } == .malformedInput)
            #expect(errorCode { try BoxTable(reading: results, categories: nil) } == .malformedInput)
        }
        // JSON has numbers without quotation marks.
        for wrong in [box(7, "17", "\"3\""), box(7, "17", "3", "\"0.5\"")] {
            let file = try folder.file("q.json", "[\(wrong),\(box(7, "17", "3"))]")
            let read = try BoxTable(reading: file, categories: csv)
            #expect(read.images[0].boxes.count == 1 && read.problems.count == 1, "\(wrong)")
        }
        let empty = try folder.file("e.csv", "image_id,category_id,x,y,w,h\n9,99,1,2,3,4\n")
        #expect(errorCode { try BoxTable(reading: empty, categories: csv) } == .unknownID)
    }

    private static let categories = "category_id,category,supercategory\n1,person,person\n17,cat,animal\n"

    @Test(
        "a score has several names, and other columns are listed",
        arguments: ["score", "confidence", "conf", "probability"])
    func scores(name: String) throws {
        let categories = try folder.file("c.csv", Self.categories)
        let box = "\"image_id\":\"a\",\"category_id\":1,\"bbox\":[10,20,30,40]"
        let table = try folder.file("b.csv", "image_id,category_id,x,y,w,h,\(name),zoom\na,1,10,20,30,40,0.25,7\n")
        let results = try folder.file("b.json", "[{\(box),\"\(name)\":0.25,\"zoom\":7}]")
        let nested = try folder.file("n.json", "[{\"attributes\":{\"\(name)\":0.25,\"x\":1},\(box)}]")
        for file in [table, results, nested] {
            let read = try BoxTable(reading: file, categories: categories)
            #expect(read.images[0].boxes[0].confidence == 0.25 && read.images[0].boxes[0].box.x == 10, "\(file)")
            #expect(read.unusedColumns == (file == table ? ["zoom"] : []), "\(file)")
        }
    }

    @Test("boxes by corners, centres or fractions are refused, and a few wrong ones left out")
    func boxesInOtherForms() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let boxes = (0..<200).map { _ in
            let (width, height) = (20 + random.below(180), 20 + random.below(180))
            let (x, y) = (random.below(640 - width), random.below(480 - height))
            return [x, y, width, height].map(Double.init)
        }
        let forms: [(name: String, message: String?, sides: ([Double]) -> [Double])] = [
            ("sizes", nil, { $0 }), ("corners", "two corners", { [$0[0], $0[1], $0[0] + $0[2], $0[1] + $0[3]] }),
            ("centres", "centre", { [$0[0] + $0[2] / 2, $0[1] + $0[3] / 2, $0[2], $0[3]] }),
            ("fractions", "fractions", { [$0[0] / 640, $0[1] / 480, $0[2] / 640, $0[3] / 480] }),
        ]
        let lists = "\"images\":[{\"id\":1,\"width\":640,\"height\":480}],\"categories\":[{\"id\":1,\"name\":\"cat\"}]"
        func results(_ boxes: [[Double]]) -> String {
            "[" + boxes.map { "{\"image_id\":1,\"category_id\":1,\"bbox\":\($0)}" }.joined(separator: ",") + "]"
        }
        let none = try folder.file("none.json", "{\(lists),\"annotations\":[]}")
        for form in forms {
            let list = results(boxes.map(form.sides))
            let instances = try folder.file("i.json", "{\(lists),\"annotations\":\(list)}")
            for (file, categories) in [(instances, nil), (try folder.file("r.json", list), none)] {
                let error = kinError { _ = try BoxTable(reading: file, categories: categories) }
                #expect((error == nil) == (form.message == nil), "\(form.name), seed \(seed): \(error as Any)")
                #expect(
                    error?.message.contains(form.message ?? "") ?? true, "\(form.name), seed \(seed): \(error as Any)")
            }
        }
        let few = try folder.file("few.json", results(boxes + [[600, 400, 630, 470]]))
        let read = try BoxTable(reading: few, categories: none)
        #expect(read.images[0].boxes.count == 200 && read.problems.count == 1, "seed \(seed): \(read.problems)")
        // Sizes are unknown here.
        let rows = boxes.map { "a,1,\($0[0] / 640),\($0[1] / 480),\($0[2] / 640),\($0[3] / 480)" }
        let table = try folder.file("f.csv", (["image_id,category_id,x,y,w,h"] + rows).joined(separator: "\n"))
        let error = kinError { _ = try BoxTable(reading: table, categories: folder.file("c.csv", Self.categories)) }
        #expect(error?.message.contains("fractions") == true, "seed \(seed): \(error as Any)")
    }

    @Test("categories are named in the boxes or the other file, and counted from one number")
    func categoriesOfBoxes() throws {
        let categories = try folder.file("c.csv", Self.categories)
        func results(_ ids: [Int], _ more: String = "") throws -> String {
            let boxes = ids.map { "{\"image_id\":7,\"category_id\":\($0),\"bbox\":[1,2,3,4]\(more)}" }
            return try folder.file("r.json", "[\(boxes.joined(separator: ","))]")
        }
        let named = ",\"category_name\":\"cat\""
        for file in [nil, categories] {
            let read = try BoxTable(reading: results([0, 1, 17], named), categories: file)
            #expect(read.images[0].boxes.map(\.category.name) == ["cat", "cat", "cat"])
            #expect(read.images[0].boxes.map(\.category.group) == ["", "", file == nil ? "" : "animal"])
        }
        #expect(try BoxTable(reading: results([1, 17, 3]), categories: categories).problems.count == 1)
        let error = kinError { _ = try BoxTable(reading: results([0, 1, 17]), categories: categories) }
        #expect(error?.message.contains("use the same ids") == true, "\(error as Any)")
    }

    @Test("results may be one per line, in a list with a general name, and with names in place of ids")
    func formsOfResults() throws {
        let sides = ["\"bbox\":[10,20,30,40]", "\"bbox\":{\"x\":10,\"y\":20,\"width\":30,\"height\":40}"]
        let names = ["\"category_name\":\"cat\"", "\"label\":\"cat\"", "\"class_name\":\"cat\"", "\"category_id\":17"]
        let categories = try folder.file("c.csv", Self.categories)
        for (place, name) in names.enumerated() {
            for side in sides {
                // The sides of the image are no sides of the box.
                let boxes = ["7", "8"].map { "{\"image_id\":\($0),\"width\":640,\"height\":480,\(name),\(side)}" }
                let list = "[\(boxes.joined(separator: ","))]"
                let forms =
                    ["annotations", "results", "predictions", "detections", "data"].map {
                        "{\"n\":2,\"\($0)\":\(list)}"
                    }
                    + [list, boxes.joined(separator: "\n"), boxes.joined(separator: "\r\n") + "\n"]
                for form in forms {
                    let file = try folder.file("b.json", form)
                    let read = try BoxTable(reading: file, categories: place == 3 ? categories : nil)
                    #expect(read.images.map(\.id) == ["7", "8"] && read.problems.isEmpty, "\(form)")
                    #expect(read.images.flatMap(\.boxes).allSatisfy { $0.category.name == "cat" }, "\(form)")
                    let box = read.images[1].boxes[0].box
                    #expect([box.x, box.y, box.width, box.height] == [10, 20, 30, 40], "\(form)")
                }
            }
        }
        for header in [
            "image_id,label,x,y,width,height", "image_id,class_name,x,y,w,h", "image_id,category_name,x,y,w,h",
        ] {
            let file = try folder.file("b.csv", "\(header)\na,cat,10,20,30,40\n")
            let read = try BoxTable(reading: file, categories: nil)
            #expect(read.images[0].boxes.map(\.category.name) == ["cat"] && read.images[0].boxes[0].box.width == 30)
            #expect(read.unusedColumns.isEmpty)
        }
        // A label may be the number of a category.
        let numbered = try folder.file("n.json", "[{\"image_id\":7,\"label\":17,\"bbox\":[1,2,3,4]}]")
        #expect(try BoxTable(reading: numbered, categories: categories).images[0].boxes[0].category.group == "animal")
        #expect(kinError { _ = try BoxTable(reading: numbered, categories: nil) }.says("give a second file"))
    }

    @Test("boxes of spreadsheets have decimal commas, and a first line that names the separator")
    func spreadsheets() throws {
        let rows = [["image_id", "label", "x", "y", "w", "h", "score"], ["7", "cat", "1.5", "2", "3.25", "4", "0.5"]]
        for separator in [";", "\t", "|", ","] {
            for start in ["", "sep=\(separator)\r\n", "\u{FEFF}sep=\(separator)\n", "SEP=\(separator)\r"] {
                for mark in separator == "," ? ["."] : [".", ","] {
                    let lines = rows.map { row in
                        row.map { $0.replacing(".", with: mark) }.joined(separator: separator)
                    }
                    let text = start + lines.joined(separator: start.hasSuffix("\r") ? "\r" : "\n")
                    let read = try BoxTable(reading: folder.file("b.csv", text), categories: nil)
                    let box = try #require(read.images.first?.boxes.first, "\(text)")
                    #expect([box.box.x, box.box.y, box.box.width, box.box.height] == [1.5, 2, 3.25, 4], "\(text)")
                    #expect(box.confidence == 0.5 && read.problems.isEmpty && read.unusedColumns.isEmpty, "\(text)")
                }
            }
        }
        // A comma between quotation marks may separate thousands.
        let file = try folder.file("b.csv", "image_id,label,x,y,w,h\n7,cat,\"1,500\",2,3,4\n")
        #expect(kinError { _ = try BoxTable(reading: file, categories: nil) }.says("'1,500' is not a number"))
    }

    @Test("every reader of text calls an array of NumPy by its name")
    func arrays() throws {
        var random = SeededGenerator(seed: 5)
        let path = folder.path("a.npy")
        try NPYFile.write((0..<400).map { _ in Float.random(in: -1...1, using: &random) }, columns: 4, to: path)
        let readers: [() throws -> Void] = [
            { _ = try BoxTable(reading: path, categories: nil) }, { _ = try RhythmLogFile.load(path) },
            { _ = try ByteReader(path: path).text() }, { _ = try ByteReader(path: path).lines() },
        ]
        for reader in readers { #expect(kinError { try reader() }.says("an array of NumPy")) }
        #expect(try VectorTable(reading: path).count == 100)
    }

    @Test(
        "files of other formats are refused with the form to make",
        arguments: [
            ("[{\"image_id\":1,\"category_id\":1,\"segmentation\":[]}]", "bbox"),
            ("[{\"id\":1,\"annotations\":[]}]", "image_id"), ("{\"objects\":[]}", "results are [{"),
            ("{\"labels\":[1],\"bboxes\":[[1,2,3,4]]}", "results are [{"), ("", "image_id"),
            ("filename,class,xmin,ymin\na,cat,1,2\n", "needed are image_id, category_id, x, y, w, h"),
            ("0 0.5 0.5 0.2 0.2\n", "needed are image_id, category_id, x, y, w, h"),
            ("{\"images\":[],\"annotations\":[]}", "no list \"annotations\" with boxes"),
            ("<annotation><object><name>cat</name></object></annotation>", "XML or HTML"),
            (" \n<?xml version=\"1.0\"?>\n<annotations></annotations>\n", "XML or HTML"),
        ])
    func otherBoxes(text: String, message: String) throws {
        let (file, categories) = (try folder.file("b.txt", text), try folder.file("c.csv", Self.categories))
        let error = kinError { _ = try BoxTable(reading: file, categories: categories) }
        #expect(error?.description.contains(message) == true, "\(error as Any)")
    }
}
