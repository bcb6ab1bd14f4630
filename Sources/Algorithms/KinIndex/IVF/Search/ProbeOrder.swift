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

    /// Sorts keys in ascending order.
    ///
    /// If there are many, they are first distributed over buckets with equal ranges of bounds. The bounds of candidates
    /// are spread rather evenly between the bound of the nearest list and a limit. So few share a bucket, and the
    /// insertion sort that follows moves each key by few places.
    ///
    /// - Parameters:
    ///   - candidates: The keys; no two are equal.
    ///   - ordered: Receives the sorted keys.
    /// - Complexity: O(count) for evenly spread bounds, O(count log count) in the worst case.
    static func sort(_ candidates: UnsafeMutablePointer<UInt64>, count: Int, into ordered: UnsafeMutablePointer<UInt64>)
    {
        guard count > few else {
            unsafe ordered.update(from: candidates, count: count)
            unsafe insertionSort(ordered, count: count)
            return
        }
        let largest = unsafe distribute(candidates, count: count, into: ordered)
        if largest <= few {
            unsafe insertionSort(ordered, count: count)
        } else {
            var keys = unsafe UnsafeMutableBufferPointer(start: ordered, count: count)
            unsafe keys.sort()
        }
    }

    /// The largest number of keys for insertion sort, which is the fastest for few keys.
    private static let few = 32
    private static let buckets = 256

    /// Writes keys bucket by bucket.
    ///
    /// - Returns: The number of keys in the fullest bucket.
    private static func distribute(
        _ candidates: UnsafeMutablePointer<UInt64>, count: Int, into ordered: UnsafeMutablePointer<UInt64>
    ) -> Int {
        var (least, most) = unsafe (candidates[0] >> 32, candidates[0] >> 32)
        for i in 1..<count {
            let bound = unsafe candidates[i] >> 32
            (least, most) = (min(least, bound), max(most, bound))
        }
        let first = least
        let shift = UInt64(max(0, 64 - (most - least).leadingZeroBitCount - buckets.trailingZeroBitCount))
        func bucket(of key: UInt64) -> Int { Int(truncatingIfNeeded: (key >> 32 - first) >> shift) }
        return unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: buckets + 1) { starts in
            unsafe starts.initialize(repeating: 0)
            for i in 0..<count { unsafe starts[bucket(of: candidates[i]) + 1] += 1 }
            var largest: Int32 = 0
            for bucket in 0..<buckets {
                unsafe largest = max(largest, starts[bucket + 1])
                unsafe starts[bucket + 1] += starts[bucket]
            }
            for i in 0..<count {
                let bucket = unsafe bucket(of: candidates[i])
                unsafe ordered[Int(starts[bucket])] = candidates[i]
                unsafe starts[bucket] += 1
            }
            return Int(largest)
        }
    }

    private static func insertionSort(_ keys: UnsafeMutablePointer<UInt64>, count: Int) {
        for i in 0..<count {
            let key = unsafe keys[i]
            var position = i
            while unsafe position > 0 && keys[position - 1] > key {
                unsafe keys[position] = keys[position - 1]
                position -= 1
            }
            unsafe keys[position] = key
        }
    }
}
