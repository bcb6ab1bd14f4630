// module: KinRealms
// seeds: Tests/Fuzz/Seeds/RealmFiles

// Reads arbitrary bytes as a file with one analysis, an array or lines of them, as lines of analyses, as clusters, as a realm
// index and as a world. Accepted values are written and read again, and must be the same. Every line must be counted.

import KinRealms

@c(LLVMFuzzerTestOneInput)
public func fuzzRealmFiles(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    var reader = ImageCollectionReader(keepsAnalyses: true)
    reader.read(input, image: "image", file: "file")
    let counted = reader.report.images + reader.report.brokenImages + reader.report.otherRecords
    let filled = input.split(separator: 0x0A).count { !$0.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
    // An array counts its elements, and one more if it breaks off. A file of lines counts each line.
    let first = input.prefix(64).filter { $0 > 0x20 }
    let isArray = first.first == UInt8(ascii: "[") || first.starts(with: Array("{\"images\":[".utf8))
    precondition(isArray ? counted >= 1 : counted == 1 || counted == filled, "a file was lost")
    if let analysis = reader.analyses.first {
        guard let again = try? ImageAnalysis(json: analysis.json) else {
            preconditionFailure("an analysis that was written is refused: \(analysis.json)")
        }
        // Places in the file are renumbered if objects were left out.
        precondition(again.id == analysis.id && again.objects.map(\.name) == analysis.objects.map(\.name))
        precondition(again.values == analysis.values && again.realmTypes == analysis.realmTypes)
    }
    var lines = ImageCollectionReader()
    lines.readLines(input, file: "file")
    precondition(
        lines.report.images + lines.report.brokenImages + lines.report.otherRecords == filled, "a line was lost")
    precondition(lines.collection.count == lines.report.images && lines.collection.objectCount == lines.report.objects)
    if lines.collection.count > 0 {
        guard
            let clustered = try? ClusteredImages(lines.collection, options: ClusterOptions(k: .exactly(1), restarts: 1))
        else {
            preconditionFailure("a collection that was read cannot be clustered")
        }
        let library = RealmLibrary(of: clustered)
        guard let clusters = try? RealmClusters(json: library.clusters.json),
            let index = try? RealmIndex(json: library.index.json)
        else { preconditionFailure("files that were written are refused") }
        precondition(clusters == library.clusters && index == library.index)
        _ = try? library.world(WorldRequest(name: "W"))
    }
    let text = String(decoding: input, as: UTF8.self)
    _ = try? RealmClusters(json: text)
    _ = try? RealmIndex(json: text)
    if let world = try? RealmWorld(json: text) { _ = world.json }
    return 0
}
