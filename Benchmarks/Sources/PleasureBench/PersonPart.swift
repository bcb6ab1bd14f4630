import Foundation
import Kin
import KinSamples
import Measuring

/// The benchmarks of computations over all sessions of one person: insight, map, kinds and taste.
struct PersonPart {
    let seed: UInt64

    func run() throws {
        print("\n## One person, milliseconds\n")
        print("| sessions | insight | map | kinds | states | learned | one more learned |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for count in [100, 1_000, 10_000, 200_000] { try row(count) }
    }

    private func row(_ count: Int) throws {
        let sessions = PersonGenerator(seed: seed).person(1, sessions: count).sessions
        func milliseconds(_ work: () throws -> Void) rethrows -> String {
            String(format: "%.3f", try Timing.measure(seconds: 0.3, work).median * 1e3)
        }
        var cells = ["\(count)"]
        cells.append(try milliseconds { _ = try SessionInsight(of: sessions[count - 1], among: sessions) })
        cells.append(try milliseconds { _ = try PleasureMap(of: sessions) })
        cells.append(count > 10_000 ? "" : try milliseconds { _ = try SessionTypes(of: sessions) })
        cells.append(milliseconds { _ = StatePaths(sessions.map(\.stateHistory)) })
        cells.append(milliseconds { _ = TasteHistory(sessions: sessions) })
        var history = TasteHistory(sessions: sessions)
        cells.append(milliseconds { history.upsert(sessions[count - 1]) })
        print("| " + cells.joined(separator: " | ") + " |")
    }
}
