import Foundation
import KinClustering
import KinCore
import KinRealms
import KinTestSupport
import Testing

/// Real images: COCO's boxes, whose names, categories and places are what people saw; values, moods and realm types are from the
/// converter's table.
@Suite struct RealImageTests {
    private static let folder =
        (ProcessInfo.processInfo.environment["KIN_DATA"].map { URL(fileURLWithPath: $0) }
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../shared/data").standardizedFileURL)
        .appendingPathComponent("coco-val2017-boxes")

    /// The images in a seeded order; nil without the data.
    private func images() throws -> [ImageAnalysis]? {
        guard FileManager.default.fileExists(atPath: Self.folder.path) else {
            print("skipped: no data")
            return nil
        }
        let categories = try String(contentsOf: Self.folder.appendingPathComponent("categories.csv"), encoding: .utf8)
            .split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
            .map { BoxConverter.Category(name: $0[1], group: $0[2]) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", Self.folder.appendingPathComponent("boxes.csv.gz").path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        var boxes: [String: [(category: BoxConverter.Category, box: BoundingBox)]] = [:]
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",").map(String.init)
            let sides = fields[2...].map { Float($0)! }
            let box = try BoundingBox(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
            boxes[fields[0], default: []].append((categories[Int(fields[1])!], box))
        }
        var random = SeededGenerator(seed: 11)
        return try boxes.keys.sorted().map { try BoxConverter().analysis(image: $0, boxes: boxes[$0]!) }
            .shuffled(using: &random)
    }

    private func library(_ images: [ImageAnalysis]) throws -> RealmLibrary {
        var album = Album()
        for image in images { try album.append(image) }
        return try RealmLibrary(
            of: ClusteredAlbum(album, options: ClusterOptions(k: 16, restarts: 1, maximumIterations: 10)))
    }

    /// With the suggestions of a model, and for uploads without any.
    @Test(arguments: [true, false]) func heldOutImagesFallWhereARefitPutsThem(_ isSuggesting: Bool) throws {
        guard var images = try images() else { return }
        #expect(images.count == 3_344)
        let split = images.count - 400
        if !isSuggesting {
            for i in split..<images.count {
                images[i] = try ImageAnalysis(
                    id: images[i].id, objects: images[i].objects, mood: images[i].mood, values: images[i].values)
            }
        }
        let (part, whole) = try (library(Array(images[..<split])), library(images))
        let same = try images[split...].count { image in
            try part.place(image).realm.realm == whole.place(image).realm.realm
        }
        #expect(Double(same) >= 0.95 * 400, "\(same) of 400")
    }
}
