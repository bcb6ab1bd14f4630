/// The order for probing lists or blocks: ascending bounds.
enum ProbeOrder {
    /// Packs a bound and a number. The bound is in the upper half, with its sign bit inverted so that keys compare as
    /// unsigned numbers.
    @inline(__always)
    static func key(_ bound: Int32, _ number: Int) -> UInt64 {
        UInt64(UInt32(bitPattern: bound ^ .min)) << 32 | UInt64(number)
    }

    @inline(__always)
    static func number(_ key: UInt64) -> Int { Int(key & 0xFFFF_FFFF) }

    @inline(__always)
    static func bound(_ key: UInt64) -> Int32 { Int32(bitPattern: UInt32(key >> 32)) ^ .min }

    /// Sorts distinct keys in ascending order, by a Shell sort in place.
    static func sort(_ keys: UnsafeMutablePointer<UInt64>, count: Int) {
        var gap = count
        while gap > 1 {
            // The last pass, insertion sort, is the fastest for few keys.
            gap = gap <= 32 ? 1 : gap * 5 / 11
            for i in gap..<count {
                let key = unsafe keys[i]
                var position = i
                while unsafe position >= gap && keys[position - gap] > key {
                    unsafe keys[position] = keys[position - gap]
                    position -= gap
                }
                unsafe keys[position] = key
            }
        }
    }
}
