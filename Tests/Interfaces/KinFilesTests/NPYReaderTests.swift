import KinTestSupport
import Testing

@testable import KinFiles

@Suite("Reading NPY and fvecs")
struct NPYReaderTests {
    private let folder = TemporaryFolder()

    private func floats(_ values: [Float]) -> [UInt8] { littleEndian(values.map(\.bitPattern)) }

    private func table(_ content: [UInt8], _ name: String = "x.npy") throws -> VectorTable {
        try VectorTable(reading: folder.file(name, content))
    }

    private func message(_ content: [UInt8], _ name: String = "x.npy") -> String {
        do {
            _ = try table(content, name)
            return "no error"
        } catch { return "\(error)" }
    }

    @Test("NPY versions 1 to 3 are read", arguments: [UInt8(1), 2, 3])
    func versions(version: UInt8) throws {
        let read = try table(npy("<f4", "(2, 3)", floats([1, 2, 3, 4, 5, 6]), version: version))
        #expect(read.elements == [1, 2, 3, 4, 5, 6])
        #expect(read.dimension == 3)
        #expect(read.ids == nil)
    }

    @Test("Fortran order is transposed")
    func columnMajor() throws {
        let read = try table(npy("<f4", "(2, 3)", floats([1, 4, 2, 5, 3, 6]), isColumnMajor: true))
        #expect(read.elements == [1, 2, 3, 4, 5, 6])
    }

    @Test("every number type is read")
    func numbers() throws {
        let shape = "(1, 3)"
        #expect(
            try table(npy("<f8", shape, littleEndian([1.5, -2, 0.1].map(\.bitPattern)))).elements == [1.5, -2, 0.1])
        #expect(try table(npy("|i1", shape, littleEndian([Int8(-128), 0, 127]))).elements == [-128, 0, 127])
        #expect(try table(npy("<i2", shape, littleEndian([Int16(-300), 0, 300]))).elements == [-300, 0, 300])
        #expect(try table(npy("<i4", shape, littleEndian([Int32(-70000), 0, 9]))).elements == [-70000, 0, 9])
        #expect(try table(npy("<i8", shape, littleEndian([Int64(-1), 0, 1 << 40]))).elements == [-1, 0, 0x1p40])
        #expect(try table(npy("|u1", shape, [255, 0, 1])).elements == [255, 0, 1])
        #expect(try table(npy("<u2", shape, littleEndian([UInt16.max, 0, 1]))).elements == [65535, 0, 1])
        #expect(try table(npy("<u4", shape, littleEndian([UInt32(5), 0, 1]))).elements == [5, 0, 1])
        #expect(try table(npy("<u8", shape, littleEndian([UInt64(5), 0, 1]))).elements == [5, 0, 1])
        #expect(try table(npy("|b1", shape, [1, 0, 1])).elements == [1, 0, 1])
        // 1.5, the least number above 0, the largest negative number
        let halves = try table(npy("<f2", shape, littleEndian([UInt16(0x3E00), 0x0001, 0xFBFF])))
        #expect(halves.elements == [1.5, 0x1p-24, -65504])
        #expect(message(npy("<f2", shape, littleEndian([UInt16(0x3E00), 0x7C00, 0]))).contains("column 1"))
    }

    @Test("numbers in big-endian order are read")
    func bigEndian() throws {
        let shape = "(1, 2)"
        func swapped<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
            littleEndian(numbers.map(\.byteSwapped))
        }
        let floats = swapped([Float(1.5), -2].map(\.bitPattern))
        #expect(try table(npy(">f4", shape, floats)).elements == [1.5, -2])
        #expect(try table(npy(">f8", shape, swapped([1.5, -2].map(\.bitPattern)))).elements == [1.5, -2])
        #expect(try table(npy(">f2", shape, swapped([UInt16(0x3E00), 0xC000]))).elements == [1.5, -2])
        #expect(try table(npy(">i2", shape, swapped([Int16(-300), 7]))).elements == [-300, 7])
        #expect(try table(npy(">i8", shape, swapped([Int64(-1), 1 << 40]))).elements == [-1, 0x1p40])
        let merged = try table(npy(">i4", "(2, 1)", swapped([Int32(1 << 24), 1 << 24 + 1])))
        #expect(merged.notes.count == 1, "\(merged.notes)")
    }

    @Test("unreadable arrays are refused with advice")
    func refusals() {
        let body = floats([1, 2, 3, 4, 5, 6])
        for type in ["<c8", "|O", "<U4", "<M8[s]", "<f16"] {
            #expect(
                message(npy(type, "(2, 3)", body)).contains("number type, \(type), is not read; save floats"))
        }
        #expect(message(npy("{'descr': [('a', '<f4')], 'shape': (2,)}", body)).contains("structured, is not read"))
        #expect(message([0x50, 0x4B, 0x03, 0x04, 0, 0], "x.npz").contains("save one array with np.save"))
        #expect(message([1, 2, 3, 4, 5, 6], "x.fbin").contains("kin.bins"))
        #expect(message(npy("<f4", "(6,)", body)).contains("reshape"))
        #expect(message(npy("<f4", "(1, 2, 3)", body)).contains("reshape"))
        #expect(message(npy("<f4", "(2, -3)", body)).contains("shape"))
        #expect(message(npy("<f4", "(0, 3)", [])).contains("no vectors"))
        #expect(message(npy("<f4", "(2, 3)", body, version: 9)).contains("version 9"))
        #expect(message(npy("{}", body)).contains("number type"))
        #expect(message(npy("<f4", "(2, 3)", Array(body.dropLast()))).contains("but 23 follow"))
        #expect(message(npy("<f4", "(2, 3)", body + [0])).contains("but 25 follow"))
        let huge = "(4611686018427387904, 4611686018427387904)"
        #expect(message(npy("<f4", huge, body)).contains("impossible shape"))
        #expect(message(npy("<f4", "(100000000000, 16)", body)).contains("but 24 follow"))
        #expect(message(npy("<f4", "(2, 3)", body, version: 2, claimed: 1 << 31)).contains("claims a length"))
    }

    @Test("non-finite numbers are named by row and column")
    func notFinite() {
        let nan = npy("<f4", "(2, 3)", floats([1, 2, 3, 4, .nan, 6]))
        #expect(message(nan).contains("row 1, column 1"))
        let turned = npy("<f4", "(2, 3)", floats([1, 2, 3, .infinity, 5, 6]), isColumnMajor: true)
        #expect(message(turned).contains("row 1, column 1"))
        let large = npy("<f8", "(1, 1)", littleEndian([1e300.bitPattern]))
        #expect(message(large).contains("row 0, column 0"))
    }

    @Test("any bytes give vectors or an error")
    func fuzz() throws {
        let seedFiles = [
            npy("<f4", "(2, 3)", floats([1, 2, 3, 4, 5, 6])),
            npy("<i8", "(1, 3)", littleEndian([Int64(1), 2, 3]), isColumnMajor: true, version: 2),
        ]
        for seed in UInt64(0)..<400 {
            var generator = SeededGenerator(seed: seed)
            var content = seedFiles[generator.below(2)]
            for _ in 0...generator.below(4) { content[generator.below(content.count)] = UInt8(generator.below(256)) }
            if generator.below(3) == 0 { content.removeLast(generator.below(content.count)) }
            if let read = try? table(content) {
                #expect(read.elements.count == read.count * read.dimension, "seed \(seed)")
                #expect(!read.elements.contains { !$0.isFinite }, "seed \(seed)")
            }
        }
    }

    @Test("fvecs, bvecs and ivecs are read")
    func vecs() throws {
        let two = littleEndian([Int32(2)])
        #expect(
            try table(two + floats([1, 2]) + two + floats([3, 4]), "x.fvecs").elements == [1, 2, 3, 4]
        )
        #expect(try table(two + [7, 255] + two + [0, 1], "x.bvecs").elements == [7, 255, 0, 1])
        #expect(try table(two + littleEndian([Int32(-7), 9]), "x.ivecs").elements == [-7, 9])
    }

    @Test("inconsistent fvecs are refused")
    func badVecs() throws {
        let two = littleEndian([Int32(2)])
        func message(_ content: [UInt8]) -> String { self.message(content, "x.fvecs") }
        let first = two + floats([1, 2])
        #expect(message(first + littleEndian([Int32(1)]) + floats([3, 4])).contains("vector 1 has 1 numbers"))
        #expect(message(first + two + floats([3])).contains("no whole number of such vectors"))
        #expect(message(littleEndian([Int32(-1)]) + floats([3])).contains("length of -1"))
        #expect(message(littleEndian([Int32.max]) + floats([3])).contains("no whole number"))
        #expect(message(first + two + floats([3, .nan])).contains("vector 1, number 1"))
        #expect(message([2, 0]).contains("ends inside its length"))
        #expect(message([]).contains("no vectors"))
    }

    @Test("the pieces of a file together equal the whole in every format", arguments: ["npy", "fvecs", "csv"])
    func pieces(format: String) throws {
        let rows: [[Float]] = (0..<101).map { [Float($0), Float($0) / 2, -1] }
        let content: [UInt8] =
            switch format {
            case "npy": npy("<f4", "(101, 3)", floats(rows.flatMap { $0 }))
            case "fvecs": rows.flatMap { littleEndian([UInt32(3)]) + floats($0) }
            default: Array(rows.map { $0.map { "\($0)" }.joined(separator: ",") }.joined(separator: "\n").utf8)
            }
        let path = try folder.file("x.\(format)", content)
        let whole = try VectorTable(reading: path)
        for size in [1, 7, 100, 101, 500] {
            var (elements, pieces): ([Float], Int) = ([], 0)
            try VectorFile(path).forEachBatch(of: size) { table in
                #expect(table.count > 0 && table.dimension == 3 && table.ids == nil)
                elements += table.elements
                pieces += 1
            }
            #expect(elements == whole.elements, "\(size)")
            #expect(pieces <= (101 + size - 1) / size)
        }
    }
}
