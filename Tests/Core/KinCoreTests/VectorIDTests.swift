import KinCore
import Testing

@Suite struct VectorIDTests {
    @Test func idsAreOrderedAndPrintedAsNumbers() {
        #expect(VectorID(2) < VectorID(10) && !(VectorID(10) < 10))
        #expect(VectorID(rawValue: 1 << 63) > 1)
        #expect(VectorID(42).description == "42" && VectorID.none.description == "18446744073709551615")
        #expect(VectorID(7) == 7 && Set<VectorID>([1, 2, 1]).count == 2)
    }

    @Test func theReservedIDIsTheLargest() {
        #expect(VectorID.none.rawValue == .max && VectorID(.max - 1) < .none)
    }
}
