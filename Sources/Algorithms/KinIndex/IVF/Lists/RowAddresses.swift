/// Addresses of a list's rows, which stay the same when the rows are reordered.
///
/// The map of ids stores addresses. When a list is rebuilt, only these few bytes change. Updating thousands of rows in
/// the map of a large index would take several times as long as the build.
///
/// Invariant: addresses are a permutation of 0 ..< `capacity`. Positions after the last row have addresses too, so an
/// added row already has one.
struct RowAddresses: Sendable {
    /// Marks a row without an address.
    static let none = UInt16.max

    private var rows: [UInt16]
    private var addresses: [UInt16]

    /// Creates addresses in the order of the rows. Rows without an address get the free ones, ascending. O(capacity).
    ///
    /// - Parameters:
    ///   - known: The address of each row, or ``none``; all addresses differ.
    ///   - capacity: The number of addresses, at most 4,096.
    init(_ known: [UInt16], capacity: Int) {
        rows = [UInt16](repeating: Self.none, count: capacity)
        addresses = known + [UInt16](repeating: Self.none, count: capacity - known.count)
        for (row, address) in known.enumerated() where address != Self.none { rows[Int(address)] = UInt16(row) }
        var free = 0
        for row in 0..<capacity where addresses[row] == Self.none {
            while rows[free] != Self.none { free += 1 }
            addresses[row] = UInt16(free)
            rows[free] = UInt16(row)
        }
    }

    var bytes: Int { 2 * (rows.count + addresses.count) }

    func row(at address: Int) -> Int { Int(rows[address]) }

    func address(of row: Int) -> Int { Int(addresses[row]) }

    /// Swaps two rows together with their addresses.
    mutating func swapRows(_ a: Int, _ b: Int) {
        addresses.swapAt(a, b)
        rows[Int(addresses[a])] = UInt16(a)
        rows[Int(addresses[b])] = UInt16(b)
    }
}
