/// Words by number, in the order in which they came.
struct WordTable: Sendable {
    private(set) var words: [String] = []
    private var numbers: [String: UInt32] = [:]

    /// The number of a word, which is added when it is new.
    mutating func number(of word: String) -> UInt32 {
        if let known = numbers[word] { return known }
        let number = UInt32(words.count)
        words.append(word)
        numbers[word] = number
        return number
    }

    /// The number of a word that is there.
    func find(_ word: String) -> UInt32? { numbers[word] }

    subscript(number: UInt32) -> String { words[Int(number)] }

    var count: Int { words.count }
}
