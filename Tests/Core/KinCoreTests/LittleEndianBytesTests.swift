import KinTestSupport
import Testing

@testable import KinCore

@Suite("Little-endian numbers")
struct LittleEndianBytesTests {
    @Test("the lowest byte comes first")
    func order() {
        var writer = LittleEndianWriter()
        writer.write(UInt8(1))
        writer.write(UInt16(0xABCD))
        writer.write(Int32(-2))
        writer.write(Float(1))
        writer.write(1.0)
        writer.write(bytes: [7, 8])
        let expected: [UInt8] = [
            1, 0xCD, 0xAB, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 7, 8,
        ]
        #expect(writer.bytes == expected)
    }

    @Test("numbers survive a round trip bit for bit, and truncated bytes are refused")
    func roundTrip() throws {
        var random = TestSeed().generator
        for round in 0..<300 {
            let words = (0..<random.below(6)).map { _ in random.next() }
            let doubles = words.map { Double(bitPattern: $0) }
            var writer = LittleEndianWriter()
            for word in words {
                writer.write(word)
                writer.write(Int64(bitPattern: word))
                writer.write(UInt32(truncatingIfNeeded: word))
                writer.write(Int16(truncatingIfNeeded: word))
                writer.write(UInt8(truncatingIfNeeded: word))
                writer.write(Double(bitPattern: word))
                writer.write(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
            }
            writer.write(doubles)
            writer.write(bytes: [1, 2, 3])
            func read(_ bytes: [UInt8]) throws(KinError) -> Bool {
                var reader = LittleEndianReader(bytes, of: "a test")
                var isEqual = true
                for word in words {
                    isEqual = try reader.read(UInt64.self) == word && isEqual
                    isEqual = try reader.read(Int64.self) == Int64(bitPattern: word) && isEqual
                    isEqual = try reader.read(UInt32.self) == UInt32(truncatingIfNeeded: word) && isEqual
                    isEqual = try reader.read(Int16.self) == Int16(truncatingIfNeeded: word) && isEqual
                    isEqual = try reader.read(UInt8.self) == UInt8(truncatingIfNeeded: word) && isEqual
                    isEqual = try reader.read(Double.self).bitPattern == word && isEqual
                    isEqual = try reader.read(Float.self).bitPattern == UInt32(truncatingIfNeeded: word) && isEqual
                }
                let back = try reader.readDoubles(count: words.count)
                let last = try reader.readBytes(count: 3)
                return isEqual && back.map(\.bitPattern) == words && Array(last) == [1, 2, 3] && reader.rest == 0
            }
            #expect(try read(writer.bytes), "round \(round)")
            let short = Array(writer.bytes.prefix(random.below(writer.bytes.count)))
            #expect(errorCode { try read(short) } == .corruptFile)
        }
    }

    @Test("negative and excessive counts are refused, with the type and advice")
    func counts() {
        for count in [-1, 2, .max] {
            var reader = LittleEndianReader([UInt8](repeating: 0, count: 15), of: "a test", advice: "try again")
            let error = #expect(throws: KinError.self) { try reader.readDoubles(count: count) }
            #expect(error?.message == "the bytes are not a test: it ends too early; try again")
            #expect(throws: KinError.self) { try reader.readBytes(count: count < 0 ? count : 16) }
            #expect(reader.rest == 15)
        }
    }
}
