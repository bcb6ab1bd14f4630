// module: KinPleasure
// seeds: Tests/Fuzz/Seeds/JSONText

// Reads arbitrary bytes as JSON and as each record. Accepted values are written and read again, and must be the same.

import KinJSON
import KinPleasure

@c(LLVMFuzzerTestOneInput)
public func fuzzJSONText(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
    if let text = unsafe try? JSONReader.read(input, { reader throws(KinError) in try reader.verbatim() }) {
        guard let again = try? JSONReader.read(text, { reader throws(KinError) in try reader.verbatim() }) else {
            preconditionFailure("a value that was accepted is refused")
        }
        precondition(again == text, "a value by itself is another")
    }
    unsafe tryRecord(PleasureSession.self, input)
    unsafe tryRecord(PleasureProfile.self, input)
    unsafe tryRecord(InventoryItem.self, input)
    _ = unsafe try? JSONLines.forEach(in: input) { reader, _ throws(KinError) in try reader.skip() }
    return 0
}
