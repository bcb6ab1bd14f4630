import KinJSON

/// Reads bytes as a record, which is written and read again if it is accepted, and must be the same.
@discardableResult
func tryRecord<Record: JSONRecord & Equatable>(_: Record.Type, _ input: UnsafeBufferPointer<UInt8>) -> Record? {
    guard let record = unsafe try? Record(parsing: input) else { return nil }
    guard let again = try? Record(parsing: record.jsonText) else {
        preconditionFailure("a record that was written is refused: \(record.jsonText)")
    }
    precondition(again == record, "a record that was written is another: \(record.jsonText)")
    return record
}
