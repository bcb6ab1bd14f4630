import Foundation

/// The vectors of one block of CSV records, parsed independently of the blocks before it.
struct CSVBlock: Sendable {
    var elements: [Float] = []
    var remainders: [Float] = []
    var ids: [VectorID] = []
    /// The ids of a file whose ids are texts.
    var names: [String] = []
    var labels: [String] = []
    /// For each attribute, a value for each row.
    var attributes: [[AttributeValue?]] = []
    /// The first line of each row, counted from the start of the block.
    var rowLines: [Int] = []
    /// The number of lines of the block, up to its problem if there is one.
    var lines = 0
    /// The first error, found after ``lines`` whole lines; nil if all rows were read.
    var problem: KinError?
}

/// Parses blocks of CSV records into numbers.
struct CSVBlockParser: Sendable {
    let separator: UInt8
    let columns: ResolvedColumns

    /// Parses a block of whole records.
    ///
    /// - Parameters:
    ///   - bytes: The block, UTF-8.
    ///   - skipping: The number of records at the start that are not data: a header, and blank lines before it.
    func parse(_ bytes: [UInt8], skipping: Int = 0) -> CSVBlock {
        var block = CSVBlock()
        block.attributes = columns.attributes.map { _ in [] }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            block.problem = KinError(
                .malformedInput, "here or later the text is not UTF-8: convert the file to UTF-8 first")
            return block
        }
        var text = DelimitedText(bytes, separator: separator)
        do throws(KinError) {
            while let row = try text.next() {
                guard row.number >= skipping else { continue }
                do throws(KinError) { try add(row, to: &block) } catch {
                    (block.problem, block.lines) = (error, row.line - 1)
                    return block
                }
            }
        } catch {
            block.problem = error
        }
        block.lines = text.line - 1
        return block
    }

    private func add(_ row: CSVTable.Row, to block: inout CSVBlock) throws(KinError) {
        let fields = row.fields
        guard fields.count == columns.names.count else {
            let separator = DelimitedText.name(of: separator)
            throw CSVTable.wrongCount(fields.count, expected: columns.names.count, separator)
        }
        if let length = columns.listLength {
            let column = columns.features[0]
            guard let numbers = CSVField.list(fields[column]) else {
                throw wrong(fields[column], column, "a list of numbers such as [0.1, 0.2]")
            }
            guard numbers.count == length else {
                let count = Plural.count(numbers.count, "number")
                throw located(
                    KinError(.dimensionMismatch, "the list has \(count), and the first one has \(length)"), column)
            }
            for number in numbers { try append(number, column, to: &block) }
        } else {
            for column in columns.features { try append(fields[column], column, to: &block) }
        }
        if let column = columns.id {
            if columns.hasNames {
                block.names.append(try name(fields[column], column))
            } else {
                guard let id = CSVField.id(fields[column]) else {
                    throw wrong(
                        fields[column], column,
                        "an id; the ids of this file are whole numbers from 0 to 2^64 - 2")
                }
                block.ids.append(id)
            }
        }
        if let column = columns.label { block.labels.append(fields[column]) }
        for (index, attribute) in columns.attributes.enumerated() {
            do throws(KinError) {
                block.attributes[index].append(try attribute.choice.value(attribute.columns.map { fields[$0] }))
            } catch {
                throw located(KinError(error.code, error.message), attribute.columns[0])
            }
        }
        block.rowLines.append(row.line - 1)
    }

    private func append(_ field: String, _ column: Int, to block: inout CSVBlock) throws(KinError) {
        let value = try coordinate(field, column)
        block.elements.append(value)
        guard columns.isScaled else { return }
        let exact = CSVField.number(field, decimalComma: separator != DelimitedText.comma) ?? Double(value)
        block.remainders.append(Float(exact - Double(value)))
    }

    private func coordinate(_ field: String, _ column: Int) throws(KinError) -> Float {
        if let value = Float(field.trimmed), value.isFinite, !CSVField.isHexadecimal(field) { return value }
        let number = CSVField.number(field, decimalComma: separator != DelimitedText.comma)
        guard let value = number ?? CSVField.truth(field) else { throw wrong(field, column, "a number") }
        if Float(value).isFinite { return Float(value) }
        let reason = value.isFinite ? "is too large for a 32-bit float" : "is not a finite number"
        let message = "'\(CSVField.shown(field))' \(reason); correct it or remove the line"
        throw located(KinError(.notFinite, message), column)
    }

    private func name(_ field: String, _ column: Int) throws(KinError) -> String {
        let name = field.trimmingCharacters(in: .whitespaces)
        guard let problem = NameFormat.problem(name) else { return name }
        let message = "the id '\(CSVField.shown(name))' is invalid: \(problem)"
        throw located(KinError(.malformedInput, message), column)
    }

    private func wrong(_ field: String, _ column: Int, _ what: String) -> KinError {
        let message =
            field.allSatisfy(\.isWhitespace)
            ? "the field is empty; fill it in or remove the line" : "'\(CSVField.shown(field))' is not \(what)"
        return located(KinError(.malformedInput, message), column)
    }

    private func located(_ error: KinError, _ column: Int) -> KinError {
        error.within("column", columns.names[column])
    }
}

extension CSVField {
    /// The number of a Boolean as programs write it, in any case: 1 for true, 0 for false; nil for other fields.
    static func truth(_ field: String) -> Double? {
        guard (4...8).contains(field.utf8.count) else { return nil }
        switch field.trimmed.lowercased() {
        case "true": return 1
        case "false": return 0
        default: return nil
        }
    }

    /// The id in a field; nil if it is not a number that can be an id.
    static func id(_ field: String) -> VectorID? {
        if isCode(field) { return nil }
        if let value = UInt64(field), VectorID(value) != .none { return VectorID(value) }
        let trimmed = field.trimmingCharacters(in: .whitespaces)
        if let value = UInt64(trimmed), VectorID(value) != .none { return VectorID(value) }
        // Spreadsheets and pandas write 42 as 42.0; such a number is exact below 2^53.
        if let value = Double(trimmed), value < 0x1p53, let whole = UInt64(exactly: value) { return VectorID(whole) }
        return nil
    }

    /// Whether a field has a digit after a leading zero, which a number would lose: `007`.
    static func isCode(_ field: String) -> Bool {
        let digits = field.utf8.drop { $0 == 0x20 }.prefix(2)
        return digits.count == 2 && digits.first == 0x30 && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
