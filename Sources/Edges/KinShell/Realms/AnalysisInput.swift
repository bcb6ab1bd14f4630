import Foundation
import Kin
import KinFiles

extension ImageAnalysisFiles {
    /// Reads all of some paths with a bar on the terminal, and notes what was left out.
    mutating func read(_ paths: [String], console: Console) throws(KinError) {
        for path in paths {
            let bar = ProgressBar("reading", on: console)
            defer { bar.finish() }
            var isFolder: ObjCBool = false
            let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            let countsFiles = isThere && isFolder.boolValue
            try read(path) { done, total in
                bar.update(done: done, of: total) {
                    countsFiles ? NumberText.count($0, "file") : NumberText.bytes($0)
                }
            }
        }
        report(on: console)
    }

    /// The first things left out, and the names that nothing is known of, as notes.
    private func report(on console: Console) {
        let (report, shown) = (reader.report, 10)
        for problem in report.problems.prefix(shown) { console.note("left out: \(problem)") }
        if report.problemCount > shown {
            console.note("left out: \(NumberText.count(report.problemCount - shown, "more thing"))")
        }
        let unknown = report.unknownKeys.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !unknown.isEmpty {
            let first = unknown.prefix(5).map { "\($0.key) (\(NumberText.count($0.value)))" }.joined(separator: ", ")
            console.note(
                "unknown names, passed over: \(first)\(unknown.count > 5 ? ", and \(unknown.count - 5) more" : "")")
        }
    }
}

/// The summary of what was read, in JSON.
struct AnalysisReportRecord: Encodable {
    let images: Int
    let brokenImages: Int
    let objects: Int
    let refusedObjects: Int
    let refusedValues: Int
    let unknownKeys: [String: Int]
    let problems: [String]

    init(_ report: AnalysisReport) {
        images = report.images
        brokenImages = report.brokenImages
        objects = report.objects
        refusedObjects = report.refusedObjects
        refusedValues = report.refusedValues
        unknownKeys = report.unknownKeys
        problems = report.problems.map(\.description)
    }
}
