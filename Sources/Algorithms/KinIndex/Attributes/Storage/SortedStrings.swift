/// An immutable list of different strings in ascending order of their bytes, in memory or in a mapped file.
///
/// A lookup is a binary search in O(log n), without allocation. A damaged file causes wrong strings, never an access
/// out of bounds.
@safe
final class SortedStrings: @unchecked Sendable {
    let count: Int
    /// For each string, the offset of the byte after its last.
    let ends: UnsafePointer<UInt64>
    let bytes: UnsafePointer<UInt8>
    let byteCount: Int
    private let mapping: (any AnyObject & Sendable)?

    /// Creates a list in memory.
    ///
    /// - Parameter strings: Different strings, in ascending order of their UTF-8 bytes.
    init(_ strings: [String]) {
        count = strings.count
        byteCount = strings.reduce(0) { $0 + $1.utf8.count }
        let ends = UnsafeMutablePointer<UInt64>.allocate(capacity: max(count, 1))
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(byteCount, 1))
        var end = 0
        for (i, var string) in strings.enumerated() {
            string.withUTF8 { utf8 in
                guard let start = utf8.baseAddress else { return }
                unsafe (bytes + end).initialize(from: start, count: utf8.count)
                end += utf8.count
            }
            unsafe ends[i] = UInt64(end)
        }
        unsafe self.ends = UnsafePointer(ends)
        unsafe self.bytes = UnsafePointer(bytes)
        mapping = nil
    }

    /// Creates a list whose memory is in a mapped file.
    init(
        count: Int, ends: UnsafePointer<UInt64>, bytes: UnsafePointer<UInt8>, byteCount: Int,
        mapping: any AnyObject & Sendable
    ) {
        self.count = count
        unsafe self.ends = ends
        unsafe self.bytes = bytes
        self.byteCount = byteCount
        self.mapping = mapping
    }

    deinit {
        guard mapping == nil else { return }
        unsafe ends.deallocate()
        unsafe bytes.deallocate()
    }

    /// The bytes of a string; empty if a damaged file has invalid ends.
    func utf8(at index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = unsafe index == 0 ? 0 : ends[index - 1]
        let end = unsafe ends[index]
        guard start <= end, end <= UInt64(byteCount) else { return unsafe UnsafeBufferPointer(start: bytes, count: 0) }
        return unsafe UnsafeBufferPointer(start: bytes + Int(start), count: Int(end - start))
    }

    subscript(index: Int) -> String { unsafe String(decoding: utf8(at: index), as: UTF8.self) }

    /// The index of a string; nil if it is not in the list.
    func firstIndex(of string: String) -> Int? {
        var string = string
        return string.withUTF8 { wanted in
            let place = (0..<count).partition { unsafe utf8(at: $0).lexicographicallyPrecedes(wanted) }
            return unsafe place < count && utf8(at: place).elementsEqual(wanted) ? place : nil
        }
    }
}
