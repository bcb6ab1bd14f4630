/// Different texts, numbered from 0, with a hash table of their numbers. Two texts are the same if their bytes are
/// equal. Copies share pages until one of them writes.
struct NumberedTexts: Sendable {
    private var texts = TextList()
    /// The number of each text, by its ``key(of:)``, or by one of the following keys if texts share a key.
    private var table = IDHashTable()
    /// The largest key, 2ⁿ − 1; texts have keys from 0 on.
    private let largestKey: UInt64

    /// Creates an empty table.
    ///
    /// - Parameter largestKey: A small number makes many texts share a key, for tests.
    init(largestKey: UInt64 = .max >> 1) { self.largestKey = largestKey }

    var count: Int { texts.count }

    /// The bytes of a text, which are valid until the table changes.
    @inline(__always)
    func utf8(at number: Int) -> UnsafeBufferPointer<UInt8> { unsafe texts.utf8(at: number) }

    subscript(number: Int) -> String { texts[number] }

    /// The number of a text; nil if it is not in the table.
    func number(of text: String) -> Int? {
        var text = text
        return text.withUTF8 { unsafe find($0).number }
    }

    /// The number of a text, which is added if it is new.
    mutating func insert(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { text in
            let (key, number) = unsafe find(text)
            if let number { return number }
            unsafe append(text, at: key)
            return count - 1
        }
    }

    /// The key and the number of a text; for a new text, the key that it would get, and nil.
    func find(_ text: UnsafeBufferPointer<UInt8>) -> (key: VectorID, number: Int?) {
        var key = unsafe key(of: text)
        while let number = table[key].map(Int.init) {
            if unsafe utf8(at: number).elementsEqual(text) { return (key, number) }
            key = next(key)
        }
        return (key, nil)
    }

    /// Adds a text that is not in the table.
    ///
    /// - Parameter key: The key that the text gets.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>, at key: VectorID) {
        table[key] = UInt32(count)
        unsafe texts.append(text)
    }

    /// Fills an empty table, in the order of the hash table's pages, so that each page is read once.
    ///
    /// - Returns: The number of a text that has an earlier number, too; nil if all texts differ. The table is invalid
    ///   then.
    mutating func load(_ new: TextList) -> Int? {
        precondition(count == 0, "the first load")
        texts = new
        table.reserve(count)
        for case (var key, let number) in table.sortedByPage((0..<count).map { unsafe key(of: utf8(at: $0)) }) {
            while let earlier = table.insert(key, in: number) {
                if unsafe utf8(at: Int(earlier)).elementsEqual(utf8(at: Int(number))) {
                    return Int(max(earlier, number))
                }
                key = next(key)
            }
        }
        return nil
    }

    /// Removes a text; the last one gets its number.
    mutating func remove(at number: Int) {
        let last = count - 1
        var key = unsafe find(utf8(at: number)).key
        table[key] = nil
        // A text after the gap moves to the key at which a search for it now ends.
        key = next(key)
        while let other = table[key] {
            table[key] = nil
            unsafe table[find(utf8(at: Int(other))).key] = other
            key = next(key)
        }
        if number < last { unsafe table[find(utf8(at: last)).key] = UInt32(number) }
        texts.remove(at: number)
    }

    /// A hash with a random seed, different in every process, so that an attacker cannot choose texts that share a key.
    private func key(of text: UnsafeBufferPointer<UInt8>) -> VectorID {
        var hasher = Hasher()
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(text))
        return VectorID(UInt64(truncatingIfNeeded: hasher.finalize()) & largestKey)
    }

    /// The key that follows a key.
    private func next(_ key: VectorID) -> VectorID { VectorID((key.rawValue + 1) & largestKey) }

    /// The approximate number of bytes of the texts and their table.
    var byteCount: Int { texts.byteCount + 32 * count }
}
