/// Addresses of a list's rows, which stay when the rows are put in another order.
///
/// The map of ids holds addresses. Where a list is rebuilt, only these few bytes change; to update thousands of rows in
/// the map of a large index would take several times as long as the building.
///
/// Invariant: each of the numbers 0 ..< `capacity` is the address of one row number, those past the last row included, so
/// that a row which is added has an address already.
struct RowAddresses: Sendable {
    /// Stands for the address of a row that has none yet.
    static let none = UInt16.max

    private var rows: [UInt16]
    private var addresses: [UInt16]

    /// Addresses in the order of the rows; those that have none get the free ones, ascending.
    ///
    /// - Parameters:
    ///   - known: The address of each row, or ``none``; no two the same.
    ///   - capacity: At most 4,096. O(capacity).
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

    /// Lets two rows change places, each with its address.
    mutating func swapRows(_ a: Int, _ b: Int) {
        addresses.swapAt(a, b)
        rows[Int(addresses[a])] = UInt16(a)
        rows[Int(addresses[b])] = UInt16(b)
    }
}
