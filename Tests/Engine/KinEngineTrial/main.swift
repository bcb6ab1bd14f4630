import Foundation
import KinEngineTrials

// Runs any number of generated requests on an engine, over all methods, valid and invalid:
//
//    KinEngineTrial [--calls 1000000] [--seed 1] [--folder /dev/shm/kin-engine-trial]
//
// No call may end the process, run forever, return invalid JSON, or return an instant without time and zone. No query
// may write. The current request is in `last-request` in the folder.

/// The word after an option.
func option(_ name: String) -> String? {
    let arguments = CommandLine.arguments
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
    return arguments[place + 1]
}

if option("--serve") != nil, let folder = option("--folder") {
    try CommandProcess.serve(folder: folder)
    exit(0)
}
let folder = URL(fileURLWithPath: option("--folder") ?? NSTemporaryDirectory() + "kin-engine-trial-\(getpid())")
let seed = option("--seed").flatMap { UInt64($0) } ?? 1
let start = ContinuousClock.now
let tally = try RequestTrial(seed: seed, folder: folder).run(
    calls: option("--calls").flatMap { Int($0) } ?? 1_000_000
) { tally in
    print("\(tally.calls) calls, \(tally.answered.values.reduce(0, +)) answered, \(tally.faults.count) faults")
    // Writes lines immediately, also to a file.
    fflush(nil)
}
print("| method | answered | refused |\n| --- | --- | --- |")
for method in Set(tally.answered.keys).union(tally.refused.keys).sorted() {
    print("| \(method) | \(tally.answered[method] ?? 0) | \(tally.refused[method] ?? 0) |")
}
print("\n\(tally.calls) calls, seed \(seed), in \(ContinuousClock.now - start)")
print("the slowest call took \(tally.slowest.seconds) s: \(tally.slowest.request)")
for fault in tally.faults { print(fault) }
exit(tally.faults.isEmpty ? 0 : 1)
