import KinCore

/// A hash table from texts to places in the owner's list of texts. Two texts are the same if their bytes are equal.
/// Copies share pages until one of them writes.
struct TextTable: Sendable {
    /// The place of each text, by its ``key(of:)``, or by one of the following keys if texts share a key.
    private var table = IDHashTable()
    /// The largest key, 2ⁿ − 1; texts have keys from 0 on.
    private let largestKey: UInt64

    /// Creates an empty table.
    ///
    /// - Parameter largestKey: A small number makes many texts share a key, for tests.
    init(largestKey: UInt64 = .max >> 1) { self.largestKey = largestKey }

    /// The place with a key.
    subscript(key: VectorID) -> UInt32? {
        get { table[key] }
        set { table[key] = newValue }
    }

    /// The key and the place of a text; for a new text, the key that it would get, and nil.
    ///
    /// - Parameter text: The text at a place.
    func find(_ wanted: String, _ text: (Int) -> String) -> (key: VectorID, place: Int?) {
        var key = key(of: wanted)
        while let place = table[key] {
            if text(Int(place)).utf8.elementsEqual(wanted.utf8) { return (key, Int(place)) }
            key = next(key)
        }
        return (key, nil)
    }

    /// Removes a text of the table.
    mutating func remove(_ removed: String, _ text: (Int) -> String) {
        var key = find(removed, text).key
        table[key] = nil
        // A text after the gap moves to the key at which a search for it now ends.
        key = next(key)
        while let place = table[key] {
            table[key] = nil
            table[find(text(Int(place)), text).key] = place
            key = next(key)
        }
    }

    /// A hash with a random seed, different in every process, so that an attacker cannot choose texts that share a key.
    func key(of text: String) -> VectorID {
        var (text, hasher) = (text, Hasher())
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return VectorID(UInt64(truncatingIfNeeded: hasher.finalize()) & largestKey)
    }

    /// The key that follows a key.
    func next(_ key: VectorID) -> VectorID { VectorID((key.rawValue + 1) & largestKey) }

    /// Creates the pages for a number of texts, so that none is split while they are added to an empty table.
    mutating func reserve(_ n: Int) { table.reserve(n) }

    /// The page of a key, which may change when texts are added.
    func page(of key: VectorID) -> Int { table.page(of: key) }
}

/// Different texts, numbered from 0 in the order of their addition. Copies share pages until one of them writes.
struct NumberedTexts: Sendable {
    private var texts = PagedArray<String>()
    private var table = TextTable()

    var count: Int { texts.count }

    /// All texts, in the order of their numbers.
    var all: some Sequence<String> { texts }

    subscript(number: Int) -> String { texts[number] }

    /// The number of a text; nil if it was never added.
    func number(of text: String) -> Int? { table.find(text) { texts[$0] }.place }

    /// The number of a text, which is added if it is new.
    mutating func insert(_ text: String) -> Int {
        let (key, place) = table.find(text) { texts[$0] }
        if let place { return place }
        table[key] = UInt32(texts.count)
        texts.append(text)
        return texts.count - 1
    }

    /// The approximate number of bytes of the texts and their table.
    var byteCount: Int { texts.reduce(0) { $0 + $1.utf8.count + 41 } }
}
