/// The agreement of two labellings beyond chance: 1 if they are equal, about 0 if they are unrelated (Hubert and Arabie
/// 1985, doi:10.1007/BF01908075).
package func adjustedRand(_ a: [Int], _ b: [Int]) -> Double {
    func pairs(_ counts: some Sequence<Int>) -> Double { counts.reduce(0) { $0 + Double($1) * Double($1 - 1) / 2 } }
    let both = pairs(Dictionary(grouping: zip(a, b).map { $0 * 1_000_003 + $1 }) { $0 }.values.map(\.count))
    let (inA, inB) = (
        pairs(Dictionary(grouping: a) { $0 }.values.map(\.count)),
        pairs(Dictionary(grouping: b) { $0 }.values.map(\.count))
    )
    let all = Double(a.count) * Double(a.count - 1) / 2
    let expected = inA * inB / all
    return (both - expected) / ((inA + inB) / 2 - expected)
}
