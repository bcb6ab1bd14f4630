/// Splits a stream of bytes into blocks of whole CSV records, so that each block can be parsed on its own.
///
/// A line end inside quotes belongs to a field. The parity of quotes decides (RFC 4180 doubles a quote inside quotes,
/// which does not change the parity).
struct RecordCutter {
    let longestRecord: Int
    private var rest: [UInt8] = []
    private var restIsQuoted = false
    /// The number of line ends so far, including those inside quotes.
    private var lineEnds = 0
    /// The line, from 1, of the last opening quote: if a quote is never closed, it is this one.
    private(set) var lineOfQuote = 1

    init(longestRecord: Int) { self.longestRecord = longestRecord }

    /// The records that are complete once `piece` is added; empty if there are none.
    ///
    /// - Returns: nil if a record exceeds `longestRecord`, or the input ends inside quotes.
    mutating func records(adding piece: [UInt8], isLast: Bool) -> [UInt8]? {
        var isQuoted = restIsQuoted
        var end: Int?
        for (index, byte) in piece.enumerated() {
            if byte == 0x22 {
                isQuoted.toggle()
                if isQuoted { lineOfQuote = lineEnds + 1 }
            } else if byte == 0x0A {
                lineEnds += 1
                if !isQuoted { end = index + 1 }
            }
        }
        if isLast {
            guard !isQuoted else { return nil }
            return rest + piece
        }
        guard let end else {
            rest += piece
            restIsQuoted = isQuoted
            return rest.count > longestRecord ? nil : []
        }
        let block = rest + piece[..<end]
        rest = Array(piece[end...])
        restIsQuoted = isQuoted
        return block
    }
}
