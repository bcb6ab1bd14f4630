import Synchronization

/// The posting lists of sorted sets of tags: for each tag, the codes of the sets that contain it, ascending.
///
/// They are made when a filter first needs them, in about 0.3 µs per set, and take 4 bytes per tag of a set.
final class TagLists: Sendable {
    private let sets: SortedStrings
    private let lists = Mutex<[ExactString: [UInt32]]?>(nil)

    init(_ sets: SortedStrings) { self.sets = sets }

    /// The codes of the sets with a tag.
    func codes(containing tag: ExactString) -> [UInt32] { whole[tag] ?? [] }

    /// The lists by tag.
    var whole: [ExactString: [UInt32]] {
        lists.withLock { lists in
            if let lists { return lists }
            var made: [ExactString: [UInt32]] = [:]
            for index in 0..<sets.count {
                let tags = unsafe sets.utf8(at: index).split(separator: TagSet.separator).map {
                    unsafe ExactString(string: String(decoding: $0, as: UTF8.self))
                }
                for tag in tags { made[tag, default: []].append(UInt32(index + 1)) }
            }
            lists = made
            return made
        }
    }
}
