import Foundation
import Kin
import KinEngine
import KinTestSupport
import Testing

@testable import KinShell

/// Runs the example in each method's help on a store with the records that it names.
@Suite("Printed examples")
struct ExampleTests {
    @Test("every example of a method works or names a file of the reader")
    func methods() throws {
        let samples = try CommandSamples()
        var (count, files) = (0, 0)
        for method in MethodTable.groups.flatMap(\.methods) {
            guard let words = samples.example(of: method, on: try samples.copy()) else {
                files += 1
                continue
            }
            let run = kin(words)
            let isExcused = CommandSamples.needsMore.contains(method.name)
            #expect(run.status == 0 || isExcused, "\(words): \(run.status) \(run.notes)")
            #expect(!run.results.isEmpty || isExcused, "\(words) prints nothing")
            if method.name == "rank_images" { #expect(!run.results.contains("nothing")) }
            count += 1
        }
        #expect(count > 55 && files < 20, "\(count) \(files)")
    }
}
