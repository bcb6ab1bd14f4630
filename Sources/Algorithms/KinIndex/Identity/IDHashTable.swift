/// A hash table from ids to slots. Copies share its pages until one of them writes.
///
/// The table uses linear hashing (Litwin 1980, "Linear hashing: a new tool for file and table addressing"), so it never
/// grows as a whole. For every ``pageMean`` ids added, one page is split. When the mean falls to a quarter of that, the
/// last page is merged into the page it was split from. So no call takes longer than splitting one page, and only about
/// one in ten allocates. The first write after a copy copies one page, about 2 KB.
///
/// A lookup takes O(1) and does not allocate. An id takes about 25 bytes.
struct IDHashTable: Sendable {
    /// The number of ids in the table.
    private(set) var count = 0
    /// Page p holds the ids whose hash is p modulo the largest power of two up to the number of pages, or modulo twice
    /// that power if a page with that number exists.
    private var pages = PagedArray<IDPage>()

    /// The mean number of ids per page above which a page is split.
    private static let pageMean = 80

    /// The slot of an id; nil if absent. Assigning nil removes the id.
    subscript(id: VectorID) -> UInt32? {
        get {
            guard count > 0 else { return nil }
            let hash = id.tableHash
            // Without counting a reference, so that lookups of several ids read memory at the same time.
            return unsafe Unmanaged.passUnretained(pages[page(of: hash)])._withUnsafeGuaranteedRef {
                $0.slot(of: id, hash: hash)
            }
        }
        set {
            guard let newValue else { return remove(id) }
            _ = put(id, in: newValue, replacing: true)
        }
    }

    /// Creates the pages for a number of ids, so that none is split while they are added to an empty table.
    mutating func reserve(_ n: Int) {
        guard count == 0 else { return }
        var size = 1
        while size * Self.pageMean < n { size *= 2 }
        pages = PagedArray((0..<size).lazy.map { _ in IDPage(forCount: Self.pageMean) })
    }

    /// Ids and their places in an array, in the order of the ids' pages.
    func sortedByPage(_ ids: [VectorID]) -> [(id: VectorID, place: UInt32)] {
        var starts = [Int](repeating: 0, count: pages.count + 1)
        for id in ids { starts[page(of: id.tableHash) + 1] += 1 }
        for p in pages.indices { starts[p + 1] += starts[p] }
        var sorted = [(id: VectorID, place: UInt32)](repeating: (.none, 0), count: ids.count)
        for (place, id) in ids.enumerated() {
            let page = page(of: id.tableHash)
            sorted[starts[page]] = (id, UInt32(place))
            starts[page] += 1
        }
        return sorted
    }

    private func page(of hash: UInt) -> Int {
        let page = Int(hash & (2 * half - 1))
        return page < pages.count ? page : page & Int(half - 1)
    }

    /// The largest power of two up to the number of pages, which is not 0.
    private var half: UInt { 1 << UInt(Int.bitWidth - 1 - pages.count.leadingZeroBitCount) }

    /// Adds an id unless the table has it.
    ///
    /// - Returns: The slot of the id if the table has it.
    mutating func insert(_ id: VectorID, in slot: UInt32) -> UInt32? { put(id, in: slot, replacing: false) }

    private mutating func put(_ id: VectorID, in slot: UInt32, replacing isReplacing: Bool) -> UInt32? {
        let hash = id.tableHash
        if pages.isEmpty { pages.append(IDPage(forCount: 1)) }
        let p = page(of: hash)
        let old = pages[p].slot(of: id, hash: hash)
        guard old == nil || (isReplacing && old != slot) else { return old }
        makeWritable(p, for: pages[p].count + (old == nil ? 1 : 0))
        pages[p].put(id, hash: hash, slot: slot)
        guard old == nil else { return old }
        count += 1
        if count > pages.count * Self.pageMean { split() }
        return nil
    }

    private mutating func remove(_ id: VectorID) {
        guard count > 0 else { return }
        let hash = id.tableHash
        let p = page(of: hash)
        guard pages[p].slot(of: id, hash: hash) != nil else { return }
        makeWritable(p, for: pages[p].count)
        pages[p].remove(id, hash: hash)
        count -= 1
        if pages.count > 1, count < pages.count * Self.pageMean / 4 { merge() }
    }

    /// Ensures that a page belongs to this table alone and has room for a number of ids.
    private mutating func makeWritable(_ p: Int, for count: Int) {
        guard pages[p].hasRoom(for: count), isKnownUniquelyReferenced(&pages[p]) else {
            let copy = IDPage(forCount: count)
            pages[p].forEach { id, slot in copy.put(id, hash: id.tableHash, slot: slot) }
            pages[p] = copy
            return
        }
    }

    /// Moves about half of a page's ids to a new page.
    private mutating func split() {
        let (bit, source) = (half, pages.count - Int(half))
        let old = pages[source]
        var moved = 0
        old.forEach { id, _ in moved += id.tableHash & bit != 0 ? 1 : 0 }
        let (kept, new) = (IDPage(forCount: old.count - moved), IDPage(forCount: moved))
        old.forEach { id, slot in
            let hash = id.tableHash
            (hash & bit != 0 ? new : kept).put(id, hash: hash, slot: slot)
        }
        pages[source] = kept
        pages.append(new)
    }

    /// Merges the last page into the page that it was split from.
    private mutating func merge() {
        let last = pages.removeLast()
        let target = pages.count - Int(half)
        makeWritable(target, for: pages[target].count + last.count)
        let page = pages[target]
        last.forEach { id, slot in page.put(id, hash: id.tableHash, slot: slot) }
    }
}

extension VectorID {
    /// A random seed, different in every process, so that an attacker cannot choose ids that all fall into one page.
    private static let tableSeed = UInt64.random(in: .min ... .max)

    /// The hash for ``IDHashTable`` and ``IDSet``: SplitMix64's finalizer, which takes a tenth of the time of
    /// `hashValue`.
    var tableHash: UInt {
        var bits = rawValue ^ Self.tableSeed
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt(bits ^ (bits >> 31))
    }
}

/// One page of an ``IDHashTable``: open addressing with linear probing, at most seven eighths full.
///
/// A page that two tables share is never written, which makes `@unchecked Sendable` true.
@safe
private final class IDPage: @unchecked Sendable {
    private(set) var count = 0
    /// A power of two.
    private let capacity: Int
    /// `capacity` ids, with `.none` at free positions, and `capacity` slots.
    private let ids: UnsafeMutablePointer<VectorID>
    private let slots: UnsafeMutablePointer<UInt32>

    init(forCount count: Int) {
        var capacity = 16
        while count * 8 > capacity * 7 { capacity *= 2 }
        self.capacity = capacity
        unsafe ids = .allocate(capacity: capacity)
        unsafe ids.initialize(repeating: .none, count: capacity)
        unsafe slots = .allocate(capacity: capacity)
    }

    deinit {
        unsafe ids.deallocate()
        unsafe slots.deallocate()
    }

    func hasRoom(for count: Int) -> Bool { count * 8 <= capacity * 7 }

    /// The position of an id or, if it is absent, the free position for it.
    private func position(of id: VectorID, hash: UInt) -> Int {
        var position = home(hash)
        while unsafe ids[position] != id && ids[position] != .none { position = (position + 1) & (capacity - 1) }
        return position
    }

    /// The first position of the probe for an id. The lower half of the hash has already chosen the page.
    private func home(_ hash: UInt) -> Int { Int(hash >> 32) & (capacity - 1) }

    func slot(of id: VectorID, hash: UInt) -> UInt32? {
        let position = position(of: id, hash: hash)
        // A free position has the id `.none`.
        return unsafe ids[position] == id && id != .none ? slots[position] : nil
    }

    /// Sets the slot of an id. The page must have room for it.
    func put(_ id: VectorID, hash: UInt, slot: UInt32) {
        let position = position(of: id, hash: hash)
        if unsafe ids[position] == .none {
            unsafe ids[position] = id
            count += 1
        }
        unsafe slots[position] = slot
    }

    /// Removes an id of the page. Moves later ids back if a probe would no longer reach them across the gap.
    func remove(_ id: VectorID, hash: UInt) {
        var gap = position(of: id, hash: hash)
        var next = (gap + 1) & (capacity - 1)
        while unsafe ids[next] != .none {
            let distance = unsafe (next - home(ids[next].tableHash)) & (capacity - 1)
            if distance >= (next - gap) & (capacity - 1) {
                unsafe ids[gap] = ids[next]
                unsafe slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & (capacity - 1)
        }
        unsafe ids[gap] = .none
        count -= 1
    }

    func forEach(_ body: (VectorID, UInt32) -> Void) {
        for i in 0..<capacity where unsafe ids[i] != .none { unsafe body(ids[i], slots[i]) }
    }
}
