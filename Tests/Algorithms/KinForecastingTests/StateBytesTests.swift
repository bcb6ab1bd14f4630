import KinCore
import KinTestSupport
import Testing

@testable import KinForecasting

@Suite("States as bytes")
struct StateBytesTests {
    private func refuses(_ bytes: [UInt8], _ read: (inout LittleEndianReader) throws -> Void) -> Bool {
        var reader = LittleEndianReader(state: bytes)
        return errorCode { try read(&reader) } == .corruptFile
    }

    @Test("numbers survive a round trip")
    func roundTrip() throws {
        var writer = LittleEndianWriter()
        writer.write(UInt16(0xABCD))
        writer.write(Int32(-5))
        writer.write(Float(-1.5))
        writer.write(2.25)
        writer.write(Double.nan)
        #expect(Array(writer.bytes.prefix(2)) == [0xCD, 0xAB])
        var reader = LittleEndianReader(state: writer.bytes)
        #expect(try reader.read(UInt16.self) == 0xABCD)
        #expect(try reader.read(Int32.self) == -5)
        #expect(try reader.readFloat() == -1.5)
        #expect(try reader.readDouble() == 2.25)
        #expect(try reader.readDouble(allowsNaN: true).isNaN && reader.rest == 0)
    }

    @Test("an excessive count, an out-of-range number and an early end are refused")
    func damage() {
        var writer = LittleEndianWriter()
        writer.write(UInt16(25))
        #expect(!refuses(writer.bytes) { _ = try $0.readCount(limit: 25) })
        #expect(refuses(writer.bytes) { _ = try $0.readCount(limit: 24) })
        #expect(refuses([1]) { _ = try $0.readCount(limit: 24) })
        for wrong in [Double.nan, Double.infinity, -6e9] {
            var writer = LittleEndianWriter()
            writer.write(wrong)
            #expect(refuses(writer.bytes) { _ = try $0.readDouble() }, "\(wrong)")
        }
        for wrong in [Float.nan, -Float.infinity, 2e9] {
            var writer = LittleEndianWriter()
            writer.write(wrong)
            #expect(refuses(writer.bytes) { _ = try $0.readFloat() }, "\(wrong)")
        }
    }
}
