import Foundation
import Kin

/// The tour that `kin demo` gives, chapter by chapter.
struct Tour {
    let console: Console
    /// Profiles in the second half, where speed is shown.
    let count: Int
    /// Where the sample's index is left for the user.
    let indexPath: String
    let threads: Int

    func run(samplePath: String?) throws {
        let file = try loadSample(samplePath)
        try search(file)
        try narrow(file)
        try speed()
        try leave(file)
    }

    func chapter(_ title: String, _ text: String) {
        console.print()
        console.print(console.style.strong(title))
        console.print(text)
    }

    // MARK: - The sample

    private func loadSample(_ path: String?) throws -> IndexFile {
        console.print(console.style.strong("Kin in two minutes"))
        console.print(
            "A profile is sixteen numbers from 0 to 1: how much someone likes order, food, mobility, nature …")
        let table = try SampleProfiles.load(from: path, console: console)
        let source = path == nil ? "made here from seed \(SampleProfiles.seed)" : "read from \(SampleProfiles.fileName)"
        let start = ContinuousClock.now
        let file = try IndexFile(table, metric: .squaredL2, scale: nil)
        let time = NumberText.duration(ContinuousClock.now - start)
        chapter("1  An index", "\(NumberText.count(file.index.count, "profile")), \(source), indexed in \(time).")
        return file
    }

    private func search(_ file: IndexFile) throws {
        let session = session(file)
        chapter("2  Who is near?", "The profiles nearest to number 42, the nearest first:")
        show(session, "near 42 k 5")
        console.print("Or to a wish, where everything not named is 0:")
        show(session, "near nature_mirror=0.9 mobility=0.7 k 3")
        console.print("Or everyone within a distance; distances are squared, so 0.04 is a distance of 0.2:")
        show(session, "within 0.04 of 42")
    }

    private func narrow(_ file: IndexFile) throws {
        let session = session(file)
        chapter("3  Only some of them", "A search can be held to a list of ids. It still finds the nearest of those:")
        show(session, "near 42 k 3 among 0-99,500-599")
        chapter(
            "4  How it was found",
            "Each vector has a copy of a byte or less per number. The copies are read first, and a proved bound says\n"
                + "which vectors cannot be among the nearest; only the rest is compared exactly. Nothing is approximate."
        )
        show(session, ":explain on")
        show(session, "near 42 k 3")
    }

    private func session(_ file: IndexFile) -> ReplSession {
        ReplSession(file, path: indexPath, threads: threads, isInteractive: false, console: console)
    }

    private func show(_ session: ReplSession, _ line: String) {
        console.print("  " + console.style.faint("kin> \(line)"))
        _ = session.execute(line)
    }

    private func leave(_ file: IndexFile) throws {
        try file.save(to: indexPath)
        chapter("Now you", "The index of the \(NumberText.count(file.index.count)) profiles is yours to try:")
        let path = indexPath.contains(" ") ? "'\(indexPath)'" : indexPath
        console.print()
        console.print("  kin repl \(path)")
        console.print()
        console.print(console.style.faint("Built from source, that is: swift run -c release kin repl \(path)"))
    }
}
