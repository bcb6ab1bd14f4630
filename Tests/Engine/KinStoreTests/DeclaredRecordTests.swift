import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// Every declared record of the store reads the members in its declaration, and no others.
@Suite("Declared records") struct DeclaredRecordTests {
    @Test func membersAreReadInAnyOrderAndCamelCase() async throws {
        var generator = TestSeed().generator
        let every = try await EveryKind()
        var tried = 0
        for (type, line) in try EveryKind.lines(every.store) {
            guard let type = type as? any (DeclaredRecord & StoredRecord).Type else { continue }
            tried += 1
            let members = try body(of: line)
            for _ in 0..<5 {
                let shuffled = members.shuffled(using: &generator).map { name, value in
                    (name: Bool.random(using: &generator) ? camelCase(name) : name, value: value)
                }
                #expect(try text(type, shuffled) == text(type, members), "\(type.kind.name)")
            }
        }
        #expect(tried >= 15)
    }

    @Test func onlyRequiredFieldsMustBePresent() async throws {
        let every = try await EveryKind()
        for (type, line) in try EveryKind.lines(every.store) {
            guard let type = type as? any (DeclaredRecord & StoredRecord).Type else { continue }
            let members = try body(of: line)
            for field in fields(of: type) {
                let others = members.filter { $0.name != field.name }
                if field.presence == .required {
                    #expect(kinError { try text(type, others) }.says("field \(field.name)"), "\(type.kind.name)")
                } else {
                    let missing = Result { try text(type, others) }
                    let null = Result { try text(type, others + [(name: field.name, value: "null")]) }
                    #expect((try? missing.get()) == (try? null.get()), "\(type.kind.name) \(field.name)")
                }
            }
            let unknown = #expect(throws: KinError.self) { try text(type, members + [(name: "surprise", value: "1")]) }
            #expect(unknown?.description.contains("surprise") == true, "\(type.kind.name)")
        }
    }

    /// The members of the record of a line.
    private func body(of line: String) throws -> [(name: String, value: String)] {
        let record = try #require(JSONReader.read(line) { reader throws(KinError) in try reader.rawMembers() }.first)
        return try JSONReader.read(record.value) { reader throws(KinError) in try reader.rawMembers() }
    }

    /// The record of some members, as it is written.
    private func text(_ type: any DeclaredRecord.Type, _ members: [(name: String, value: String)]) throws -> String {
        try type.init(parsing: "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}").jsonText
    }

    private func fields<Record: DeclaredRecord>(of type: Record.Type) -> [FieldDescription] { type.form.fields }

    private func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
