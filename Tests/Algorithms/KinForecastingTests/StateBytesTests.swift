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
