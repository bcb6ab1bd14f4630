import Foundation
import KinEngineTrials

// As many generated requests to an engine as wanted, over all methods, valid and not:
//
//     KinEngineTrial [--calls 1000000] [--seed 1] [--folder /dev/shm/kin-engine-trial]
//
// No call may end the process or not end, answer with what is no JSON or with an instant without time and zone, or write when it only
// asks. The request under way is in `last-request` in the folder.

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
    // Lines come at once, also in a file.
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
