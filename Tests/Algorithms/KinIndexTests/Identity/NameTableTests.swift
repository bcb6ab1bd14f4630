import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Table of names")
struct NameTableTests {
    /// With few keys, most names share a key with another name.
    @Test("random changes of copies leave the same contents as dictionaries", arguments: [255, .max >> 1] as [UInt64])
    func changes(largestKey: UInt64) {
        var random = TestSeed().generator
        var pairs: [(table: NameTable, ids: [String: VectorID])] = [(NameTable(largestKey: largestKey), [:])]
        for step in 0..<20_000 {
            let p = random.below(pairs.count)
            let name = "name \(random.below(250))"
            // Grows for a while, then shrinks.
            let isGrowing = step / 5_000 % 2 == 0
            if let id = pairs[p].ids[name] {
                if random.below(10) < (isGrowing ? 2 : 8) {
                    pairs[p].table.remove(id)
                    pairs[p].ids[name] = nil
                }
            } else if random.below(10) < (isGrowing ? 8 : 2) {
                let id = VectorID(UInt64(step))
                pairs[p].table.insert(name, for: id)
                pairs[p].ids[name] = id
            }
            if random.below(500) == 0 {
                if pairs.count < 4 { pairs.append(pairs[p]) } else { pairs.remove(at: p) }
            }
            if step % 500 == 0 {
                for (table, ids) in pairs {
                    #expect(table.entries.count == ids.count, "\(step)")
                    for name in (0..<250).map({ "name \($0)" }) {
                        #expect(table.laterID(of: name) == ids[name], "\(step)")
                        if let id = ids[name] { #expect(table.name(of: id) == name, "\(step)") }
                    }
                    let bytes = ids.keys.reduce(0) { $0 + $1.utf8.count }
                    #expect(table.byteCount == bytes + NameTable.entryBytes * ids.count, "\(step)")
                }
            }
        }
    }

    @Test("a bulk load finds its names and reports a repeated name", arguments: [255, .max >> 1] as [UInt64])
    func load(largestKey: UInt64) {
        let names = (0..<200).map { "name \($0)" }
        let ids = (0..<200).map { VectorID(UInt64($0) + 7) }
        var table = NameTable(largestKey: largestKey)
        #expect(table.load(TextList(names), ids: ids) == nil)
        #expect(names.indices.allSatisfy { table.laterID(of: names[$0]) == ids[$0] })
        #expect(names.indices.allSatisfy { table.name(of: ids[$0]) == names[$0] })
        #expect(table.laterID(of: "name 200") == nil)
        for row in stride(from: 0, to: 200, by: 3) { table.remove(ids[row]) }
        #expect(names.indices.allSatisfy { table.laterID(of: names[$0]) == ($0 % 3 == 0 ? nil : ids[$0]) })
        var twice = NameTable(largestKey: largestKey)
        #expect(twice.load(TextList(names + ["name 3"]), ids: ids + [900]) == 200)
    }

    @Test("names are compared byte for byte, not by Unicode equivalence")
    func bytes() {
        var table = NameTable()
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        for (name, id) in [(composed, 1), (decomposed, 2)] as [(String, VectorID)] {
            table.insert(name, for: id)
        }
        #expect(table.laterID(of: composed) == 1 && table.laterID(of: decomposed) == 2)
        table.remove(1)
        #expect(table.laterID(of: composed) == nil && table.laterID(of: decomposed) == 2)
    }
}

extension NameTable {
    fileprivate mutating func insert(_ name: String, for id: VectorID) {
        var name = name
        name.withUTF8 { unsafe insert($0, for: id, at: place(of: $0)) }
    }

    fileprivate func name(of id: VectorID) -> String? {
        unsafe laterName(of: id).map { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
