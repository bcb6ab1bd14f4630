import Kin
import KinFiles

/// The tour's question of what is near.
extension Tour {
    /// Searches the sample: a profile by its numbers, and its neighbours.
    ///
    /// - Returns: The index of the sample.
    func near() throws -> IndexFile {
        let table = try VectorFileReader().read(data.profiles, console: console)
        let start = ContinuousClock.now
        let file = try IndexFile(table, metric: .squaredL2, scale: nil)
        let time = NumberText.duration(ContinuousClock.now - start)
        chapter(
            "1  What is near?",
            "A profile is sixteen numbers from 0 to 1: how much someone likes order, food, mobility, nature … Here are "
                + "\(NumberText.count(file.index.count)), indexed\nin \(time). The nearest to number 42, to a wish (what is not named is 0), "
                + "and within a distance, which is squared:")
        let session = ReplSession(file, path: indexPath, threads: threads, isInteractive: false, console: console)
        show(session, "near 42 k 5")
        show(session, "near nature_mirror=0.9 mobility=0.7 k 3")
        show(session, "within 0.04 of 42")
        console.print(
            "A search can be held to some of the vectors, and says how it went. Each vector has a copy of a byte or less per number;\n"
                + "these are read first, and a proved bound says which vectors cannot be among the nearest. Nothing is approximate:"
        )
        show(session, ":explain on")
        show(session, "near 42 k 3 among 0-99,500-599")
        try speed()
        next("kin index build \(Tour.quoted(data.profiles)) -o profiles.kin")
        return file
    }

    func show(_ session: any Conversation, _ line: String) {
        console.print("  " + console.style.faint("kin> \(line)"))
        _ = session.execute(line)
    }
}
