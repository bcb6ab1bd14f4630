import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinShell

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("kin cluster, world, place, images, colours, convert")
struct RealmsShellTests {
    private let folder = TemporaryFolder()

    /// A library of generated images.
    private func library(_ count: Int = 150) -> String {
        let lines = folder.path("images.jsonl")
        #expect(kin("generate", "images", "--count", "\(count)", "--seed", "3", "-o", lines).status == 0)
        #expect(kin("cluster", lines, "-k", "8", "--restarts", "2", "-o", folder.path("realms")).status == 0)
        return folder.path("realms")
    }

    @Test func imagesBecomeADrawing() throws {
        let realms = library()
        let world = folder.path("world.json")
        let drawing = folder.path("world.svg")
        let made = kin(
            "world", "--in", realms, "--name", "Quiet <hills>", "--goals", "insomnia,grounding", "--seed", "4",
            "--collaborative", "-o", world, "--plot", drawing)
        #expect(made.status == 0, "\(made.notes)")
        #expect(made.results.contains("3 realms, ") && made.results.contains("to gather"), "\(made.results)")
        let written = try RealmWorld(json: String(decoding: folder.bytes("world.json"), as: UTF8.self))
        #expect(written.realms.count == 3 && written.request.goals == [.sleep, .grounding])
        let svg = String(decoding: try folder.bytes("world.svg"), as: UTF8.self)
        #expect(svg.contains("Quiet &lt;hills&gt;") && svg.hasPrefix("<svg"))
        let parser = XMLParser(data: Data(svg.utf8))
        #expect(parser.parse())
        for zone in written.zones { #expect(svg.contains("\(zone.id): ")) }

        let image = try folder.file("upload.json", ImageAnalysisGenerator(seed: 8).image(1).analysis.json)
        let placed = kin("place", image, "--in", realms)
        #expect(placed.status == 0 && placed.results.contains("upload belongs to "), "\(placed.notes)")
        #expect(placed.results.contains("because "))
        let inWorld = try #require(kin("place", image, "--in", realms, "--world", world, "--json").objects.first)
        #expect((inWorld["zone"] as? String)?.hasPrefix("r") == true)
        #expect((inWorld["reasons"] as? [String])?.isEmpty == false)

        let ranked = kin("images", "sleep", "-k", "3", "--in", realms)
        #expect(ranked.status == 0 && ranked.results.split(separator: "\n").count == 4)
        refused(kin("images", "", "--in", realms), 64, "goals must name one goal or more", "sleep")
    }

    @Test func clusterPrintsItsResultAsJSON() throws {
        let lines = folder.path("images.jsonl")
        _ = kin("generate", "images", "--count", "120", "--seed", "3", "-o", lines)
        let result = try kin("cluster", lines, "-k", "2-6", "-o", folder.path("realms"), "--json").object()
        #expect((result["curve"] as? [Any])?.count == 5 && result["criterion"] as? String == "silhouette")
        #expect((result["input"] as? [String: Any])?["images"] as? Int == 120)
        let table = kin("cluster", lines, "-o", folder.path("realms"))
        #expect(table.results.contains("chosen by silhouette") && table.results.contains("realm type"))
        // A second run gives the same bytes.
        let before = try folder.bytes("realms/clusters.json") + folder.bytes("realms/realm_index.json")
        #expect(kin("cluster", lines, "--threads", "2", "-o", folder.path("realms")).status == 0)
        #expect(try folder.bytes("realms/clusters.json") + folder.bytes("realms/realm_index.json") == before)
    }

    @Test func brokenImagesAreReportedAndOthersAreRead() throws {
        let album = folder.path("album")
        try FileManager.default.createDirectory(atPath: album, withIntermediateDirectories: true)
        let generator = ImageAnalysisGenerator(seed: 1)
        for number in 0..<20 { _ = try folder.file("album/i\(number).json", generator.image(number).analysis.json) }
        _ = try folder.file("album/broken.json", "{\"detected_objects\": [")
        _ = try folder.file("album/deep.json", "{\"x\":" + String(repeating: "[", count: 100_000))
        _ = try folder.file("album/latin.json", [0x7B, 0x22, 0xE9, 0x22, 0x3A, 0x31, 0x7D])
        _ = try folder.file("album/note.txt", "not looked at")
        // A sparse file of one gigabyte.
        let large = try folder.file("album/large.json", "")
        let status = unsafe truncate(large, 1 << 30)
        #expect(status == 0)
        let shown = kin("cluster", album, "-k", "3", "-o", folder.path("realms"), "--json")
        let input = try #require(try shown.object()["input"] as? [String: Any])
        #expect(input["images"] as? Int == 20 && input["broken_images"] as? Int == 4)
        for name in ["broken.json", "deep.json", "latin.json", "large.json"] { #expect(shown.notes.contains(name)) }
        // The ids are the files' names.
        #expect(
            String(decoding: try folder.bytes("realms/realm_index.json"), as: UTF8.self).contains("\"image\":\"i7\""))
    }

    /// A file may have a byte order mark, be UTF-16, or have an array of analyses.
    @Test func filesOfOtherProgramsAreRead() throws {
        let album = folder.path("album")
        try FileManager.default.createDirectory(atPath: album, withIntermediateDirectories: true)
        let images = (0..<8).map { ImageAnalysisGenerator(seed: 1).image($0).analysis.json }
        _ = try folder.file("album/mark.json", [0xEF, 0xBB, 0xBF] + Array(images[0].utf8))
        _ = try folder.file(
            "album/wide.json", [0xFF, 0xFE] + images[1].utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        _ = try folder.file("album/array.json", "\u{feff}[\(images[2..<6].joined(separator: ",\n"))]")
        let lines = try folder.file("lines.jsonl", "\u{feff}\(images[6...].joined(separator: "\n"))")
        let shown = kin("cluster", album, lines, "-k", "2", "-o", folder.path("realms"), "--json")
        let input = try #require(try shown.object()["input"] as? [String: Any], "\(shown.notes)")
        #expect(input["images"] as? Int == 8 && input["broken_images"] as? Int == 0, "\(shown.notes)")
    }

    @Test func imagesWithoutReadableObjectsAreAnError() throws {
        let lines = try folder.file(
            "list.jsonl",
            (0..<3).map {
                "{\"image_id\":\"i\($0)\",\"detected_objects\":[{\"name\":\"a\",\"category\":\"b\",\"bounding_box\":[1,2,3,4]}]}\n"
            }.joined())
        let shown = kin("cluster", lines, "-o", folder.path("realms"))
        #expect(shown.status == ProcessStatus.dataError.rawValue, "\(shown.notes)")
        #expect(
            shown.notes.contains("0 of 3 objects") && shown.notes.contains("{x, y, width, height}"), "\(shown.notes)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("realms")))
    }

    /// Subfolders, hidden folders, and the files that clustering writes.
    @Test func foldersInFoldersAreRead() throws {
        let generator = ImageAnalysisGenerator(seed: 1)
        for folder in ["album/a/b", "album/c.json", "album/.thumbs"] {
            try FileManager.default.createDirectory(atPath: self.folder.path(folder), withIntermediateDirectories: true)
        }
        for number in 0..<24 {
            let place = ["album", "album/a", "album/a/b", "album/c.json"][number % 4]
            _ = try folder.file("\(place)/i\(number).json", generator.image(number).analysis.json)
        }
        _ = try folder.file("album/.thumbs/x.json", "{}")
        _ = try folder.file("album/a/clusters.json", generator.image(24).analysis.json)
        func input() throws -> [String: Any] {
            let shown = kin("cluster", folder.path("album"), "-k", "3", "-o", folder.path("album"), "--json")
            return try #require(try shown.object()["input"] as? [String: Any])
        }
        // An image may be named clusters; the two files of a library in one folder are not images.
        for _ in 0..<2 {
            let read = try input()
            #expect(read["images"] as? Int == 25 && read["broken_images"] as? Int == 1, "\(read)")
        }
    }

    @Test func absorbedImagesAreWrittenToTheFiles() throws {
        let realms = library()
        let image = try folder.file("upload.json", ImageAnalysisGenerator(seed: 8).image(1).analysis.json)
        #expect(kin("place", image, "--in", realms, "--absorb").status == 0)
        let index = try RealmIndex(json: String(decoding: folder.bytes("realms/realm_index.json"), as: UTF8.self))
        #expect(index.images.last?.id == "upload" && index.images.count == 151)
        #expect(kin("place", image, "--in", realms, "--absorb").status == ProcessStatus.dataError.rawValue)
    }

    /// Several commands that add images wait for each other, and no image is lost.
    @Test func imagesAbsorbedAtTheSameTimeAreAllWritten() throws {
        let realms = library()
        let images = try (0..<8).map {
            try folder.file("upload-\($0).json", ImageAnalysisGenerator(seed: 8).image($0).analysis.json)
        }
        DispatchQueue.concurrentPerform(iterations: images.count) { number in
            let run = kin("place", images[number], "--in", realms, "--absorb")
            #expect(run.status == 0, "\(run.notes)")
            #expect(kin("images", "sleep", "--in", realms).status == 0)
        }
        let index = try RealmIndex(json: String(decoding: folder.bytes("realms/realm_index.json"), as: UTF8.self))
        #expect(Set(index.images.suffix(8).map(\.id)) == Set((0..<8).map { "upload-\($0)" }))
        #expect(index.images.count == 158)
    }

    @Test func boxesAreConvertedToAnalyses() throws {
        let boxes = try folder.file(
            "boxes.csv", "image_id,category_id,x,y,w,h\n9,16,1,2,30,40\n9,0,5,5,10,20\n12,2,0,0,8,8\n")
        let categories = try folder.file(
            "categories.csv", "category_id,category,supercategory\n0,person,person\n2,car,vehicle\n16,dog,animal\n")
        answered(
            kin("convert", "coco", boxes, categories, "-o", folder.path("album/")), "2 images, 3 objects",
            "Image ids, names, categories and boxes are")
        let analysis = try ImageAnalysis(
            json: String(decoding: folder.bytes("album/9.json"), as: UTF8.self), id: "9")
        #expect(analysis.objects.map(\.category) == ["dog", "person"] && analysis.realmTypes.first == "meadow")
        #expect(analysis.objects[0].box.width == 30 && analysis.objects[0].confidence == 1)
        let wrong = try folder.file("wrong.csv", "image_id,category_id,x,y,w,h\n9,16,1,2,30,40\n9,16,1,2,wide,40\n")
        let shown = kin("convert", "coco", wrong, categories, "-o", folder.path("x.jsonl"), "--json")
        #expect(try shown.object()["left_out"] as? Int == 1 && shown.notes.contains("line 3"), "\(shown.notes)")
        let more = try folder.file("more.csv", "image_id,category_id,x,y,w,h,zoom\n9,16,1,2,30,40,3\n")
        let notes = kin("convert", "coco", more, categories, "-o", folder.path("more.jsonl")).notes
        #expect(notes.contains("column zoom is not used") && !notes.contains("meaning"), "\(notes)")
        let odd = try folder.file("odd.csv", "image_id,label,x,y,w,h\n9,gizmo,1,2,3,4\n9,cat,1,2,3,4\n9,bolt,1,2,3,4\n")
        let remarks = kin("convert", "coco", odd, "-o", folder.path("odd.jsonl")).notes
        #expect(remarks.contains("neither the category nor its supercategory: bolt, gizmo\n"), "\(remarks)")
        let instances = try folder.file(
            "instances.json",
            """
            {"images":[{"id":1}],"annotations":[{"image_id":1,"category_id":17,"bbox":[10,20,100,200],"score":0.5}],
            "categories":[{"id":17,"name":"cat","supercategory":"animal"}]}
            """)
        answered(kin("convert", "coco", instances, "-o", folder.path("coco/")), "1 image, 1 object")
        let cat = try ImageAnalysis(json: String(decoding: folder.bytes("coco/1.json"), as: UTF8.self), id: "1")
        #expect(cat.objects.map(\.category) == ["cat"] && cat.objects[0].confidence == 0.5)
        refused(kin("cluster", instances, "-o", folder.path("r")), ProcessStatus.dataError.rawValue, "kin convert coco")
    }

    @Test func coloursOfAPictureArePrinted() throws {
        let pixels = [UInt8](repeating: 0, count: 300).indices.map { UInt8([220, 40, 30][$0 % 3]) }
        let file = try folder.file("red.ppm", Array("P6\n# made up\n10 10\n255\n".utf8) + pixels)
        answered(kin("colours", file), "#dc281e", "100.00 %")
        let result = try kin("colors", file, "--json").object()
        #expect(result["width"] as? Int == 10 && (result["colours"] as? [Any])?.count == 1)
        let short = try folder.file("short.ppm", "P6 9 9 255 xx")
        #expect(kin("colours", short).status == ProcessStatus.dataError.rawValue)
        let huge = try folder.file("huge.ppm", "P6 999999999 999999999 255 xx")
        #expect(kin("colours", huge).status == ProcessStatus.dataError.rawValue)
    }

    @Test func errorsGiveAdvice() throws {
        refused(kin("world", "--in", folder.path("none")), ProcessStatus.noInput.rawValue, "kin cluster")
        let realms = library(30)
        let few = kin("world", "--in", realms, "--realms", "40")
        #expect(few.status == ProcessStatus.usage.rawValue || few.status == ProcessStatus.dataError.rawValue)
        #expect(few.notes.contains("add 197 images, or ask for fewer realms"), "\(few.notes)")
        refused(kin("world", "--in", realms, "--goals", "slep"), nil, "did you mean")
        #expect(kin("cluster", folder.path("none.jsonl")).status == ProcessStatus.noInput.rawValue)
        #expect(kin("cluster", realms, "-k", "x").status == ProcessStatus.usage.rawValue)
        let damaged = try folder.file("realms/clusters.json", "{\"format\":\"kin clusters\",\"version\":9}")
        #expect(
            damaged.hasSuffix("clusters.json") && kin("images", "sleep", "--in", realms).notes.contains("version 9"))
    }

    /// Every command that reads records of a kind reads an export of a store, and of that kind alone.
    @Test func commandsReadWhatAStoreExports() throws {
        let (store, all, one) = (folder.path("kin.db"), folder.path("all.jsonl"), folder.path("one.jsonl"))
        for kind in ["images", "souls", "people"] {
            let file = folder.path("\(kind).jsonl")
            #expect(kin("generate", kind, "--count", "20", "-o", file).status == 0)
            #expect(kin("store", "import", file, "--store", store).status == 0)
        }
        #expect(kin("store", "export", "--store", store, "-o", all).status == 0)
        let lines = String(decoding: try folder.bytes("all.jsonl"), as: UTF8.self).split(separator: "\n")
        let pairs = try folder.file("pairs.csv", "u0,u1\nu2,u3\nu4,u5\nu6,u7\nu8,u9\n")
        let realms = folder.path("realms")
        for (kind, name, words) in [
            ("image", "images", ["cluster", "FILE", "-k", "3", "-o", realms, "--json"]),
            ("image", "images", ["place", "FILE", "--in", realms]),
            ("soul", "souls", ["match", "FILE", "--user", "u1"]),
            ("soul", "souls", ["fit", "weights", "FILE", "--pairs", pairs, "--json"]),
        ] {
            _ = try folder.file("one.jsonl", lines.filter { $0.hasPrefix("{\"\(kind)\"") }.joined(separator: "\n"))
            let made = [folder.path("\(name).jsonl"), one, all].map { file in
                kin(words.map { $0 == "FILE" ? file : $0 })
            }
            #expect(made.allSatisfy { $0.status == 0 }, "\(words): \(made.map(\.notes))")
            // The export is sorted by id. The durations of clustering differ.
            if words[0] != "cluster" { #expect(made[1].results == made[2].results, "\(words)") }
            #expect(made[2].notes.contains("of other kinds left out") && !made[1].notes.contains("other kinds"))
        }
        _ = try folder.file("one.jsonl", lines.filter { $0.hasPrefix("{\"session\"") }.joined(separator: "\n"))
        refused(kin("match", one), 65, "there are no souls")
        refused(kin("cluster", one, "-o", realms), 65, "there are no analyses")
    }
}
