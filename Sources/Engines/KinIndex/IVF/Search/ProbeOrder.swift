/// The order in which lists or blocks are probed: ascending bounds.
enum ProbeOrder {
    /// A bound, its sign bit turned over for the order of unsigned numbers, above a number.
    @inline(__always)
    static func key(_ bound: Int32, _ number: Int) -> UInt64 {
        UInt64(UInt32(bitPattern: bound ^ .min)) << 32 | UInt64(number)
    }

    @inline(__always)
    static func number(_ key: UInt64) -> Int { Int(key & 0xFFFF_FFFF) }

    @inline(__always)
    static func bound(_ key: UInt64) -> Int32 { Int32(bitPattern: UInt32(key >> 32)) ^ .min }

    /// Sorts keys in ascending order.
    ///
    /// - Parameters:
    ///   - candidates: The keys.
    ///   - ordered: Receives the sorted keys.
    static func sort(_ candidates: UnsafeMutablePointer<UInt64>, count: Int, into ordered: UnsafeMutablePointer<UInt64>)
    {
        guard count > 32 else {
            unsafe insertionSort(candidates, count: count, into: ordered)
            return
        }
        var keys = unsafe UnsafeMutableBufferPointer(start: ordered, count: count)
        unsafe keys.baseAddress!.update(from: candidates, count: count)
        unsafe keys.sort()
    }

    private static func insertionSort(
        _ candidates: UnsafeMutablePointer<UInt64>, count: Int, into ordered: UnsafeMutablePointer<UInt64>
    ) {
        for i in 0..<count {
            let key = unsafe candidates[i]
            var position = i
            while unsafe position > 0 && ordered[position - 1] > key {
                unsafe ordered[position] = ordered[position - 1]
                position -= 1
            }
            unsafe ordered[position] = key
        }
    }
}
