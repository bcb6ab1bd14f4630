import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Bitmaps of ids")
struct IDBitmapTests {
    @Test("a bitmap behaves like a set of ids")
    func bitmap() {
        var random = TestSeed().generator
        let ids = Set((0..<500).map { _ in VectorID(UInt64(random.below(5_000))) })
        var bitmap = IDBitmap(ids)
        #expect(bitmap.count == ids.count)
        #expect(Array(bitmap) == ids.sorted())
        #expect((0..<5_100).allSatisfy { bitmap.contains(VectorID($0)) == ids.contains(VectorID($0)) })
        #expect(!bitmap.contains(.none))
        let first = ids.min()!
        bitmap.remove(first)
        bitmap.remove(first)
        #expect(bitmap.count == ids.count - 1 && !bitmap.contains(first))
        #expect(bitmap == IDBitmap(ids.subtracting([first])) && bitmap != IDBitmap(ids))
        let last = ids.max()!
        bitmap.remove(last)
        let rest = IDBitmap(ids.subtracting([first, last]))
        #expect(bitmap == rest && bitmap.hashValue == rest.hashValue, "equal sets, of bitmaps that are not as large")
        #expect(Array(IDBitmap(words: [0b101, 0, 1 << 63])) == [0, 2, 191])
        #expect(IDBitmap(words: [1, 2, 0]) == IDBitmap(words: [1, 2]) && IDBitmap(words: [1]) != IDBitmap(words: [2]))
        #expect(Array(IDBitmap()).isEmpty)
    }
}
