import Foundation
import Kin
import SwiftCSV

/// The vectors of one block of CSV records, parsed independently of the blocks before it.
struct CSVBlock: Sendable {
    var elements: [Float] = []
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

/// Parses blocks of CSV records into numbers; SwiftCSV splits the fields.
struct CSVBlockParser: Sendable {
    let delimiter: Character
    let columns: ResolvedColumns

    /// Parses a block of whole records.
    ///
    /// - Parameters:
    ///   - bytes: The block, UTF-8.
    ///   - skipping: The number of records at the start that are not data: a header, and blank lines before it.
    func parse(_ bytes: [UInt8], skipping: Int = 0) -> CSVBlock {
        let builder = Builder(columns: columns, delimiter: delimiter, skipping: skipping)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            builder.fail(
                KinError(.malformedInput, "here or later the text is not UTF-8: convert the file to UTF-8 first"))
            return builder.block
        }
        do {
            let csv = try CSV<RecordsOnDemand>(string: text, delimiter: CSVDelimiter(unicodeScalarLiteral: delimiter))
            try csv.enumerateAsArray(startAt: 0, rowLimit: nil) { builder.take($0) }
        } catch {
            builder.fail(KinError(.malformedInput, CSVField.strayQuote))
        }
        return builder.block
    }

    /// The first record from an offset that is not blank, and the number of records before it.
    static func firstRecord(
        of bytes: [UInt8], delimiter: Character, from start: Int = 0
    ) -> (fields: [String], index: Int)? {
        let text = String(decoding: bytes, as: UTF8.self)
        let csv = try? CSV<RecordsOnDemand>(string: text, delimiter: CSVDelimiter(unicodeScalarLiteral: delimiter))
        // The limit grows, so that many blank lines cost little more than one pass over them.
        var limit = 2
        while true {
            var records: [[String]] = []
            try? csv?.enumerateAsArray(startAt: start, rowLimit: limit) { records.append($0) }
            if let offset = records.firstIndex(where: { !CSVField.areBlank($0) }) {
                return (records[offset], start + offset)
            }
            if records.count < limit { return nil }
            limit *= 4
        }
    }

    /// Collects the records of one block; a class, because SwiftCSV passes them to an escaping closure.
    private final class Builder {
        private(set) var block = CSVBlock()
        private let columns: ResolvedColumns
        private let delimiter: Character
        private var skipping: Int

        init(columns: ResolvedColumns, delimiter: Character, skipping: Int) {
            self.columns = columns
            self.delimiter = delimiter
            self.skipping = skipping
            block.attributes = columns.attributes.map { _ in [] }
        }

        func fail(_ error: KinError, column: Int? = nil) {
            guard block.problem == nil else { return }
            block.problem = column.map { error.within("column", columns.names[$0]) } ?? error
        }

        /// Adds one record, unless an earlier record was invalid: the parser cannot be stopped half-way.
        func take(_ fields: [String]) {
            guard block.problem == nil else { return }
            if skipping > 0 {
                skipping -= 1
            } else if !CSVField.areBlank(fields) {
                use(fields)
                if block.problem != nil { return }
            }
            block.lines += 1
            for field in fields { block.lines += CSVField.lineEnds(in: field) }
        }

        private func use(_ fields: [String]) {
            guard fields.count == columns.names.count else {
                let separator = DelimitedText.name(of: delimiter.asciiValue ?? 0)
                return fail(CSVTable.wrongCount(fields.count, expected: columns.names.count, separator))
            }
            for column in columns.features {
                guard let value = coordinate(fields[column], column: column) else { return }
                block.elements.append(value)
            }
            if let column = columns.id {
                if columns.hasNames {
                    guard let name = name(fields[column], column: column) else { return }
                    block.names.append(name)
                } else {
                    guard let id = CSVField.id(fields[column]) else {
                        return refuse(
                            fields[column], column: column,
                            what: "an id; ids are whole numbers from 0 to 2^64 - 2, as at the start of the file")
                    }
                    block.ids.append(id)
                }
            }
            if let column = columns.label { block.labels.append(fields[column]) }
            for (index, attribute) in columns.attributes.enumerated() {
                do {
                    block.attributes[index].append(try attribute.choice.value(attribute.columns.map { fields[$0] }))
                } catch {
                    return fail(KinError(error.code, error.message), column: attribute.columns[0])
                }
            }
            block.rowLines.append(block.lines)
        }

        private func coordinate(_ field: String, column: Int) -> Float? {
            if let value = Float(field), value.isFinite { return value }
            if let value = Float(field.trimmingCharacters(in: .whitespaces)), value.isFinite { return value }
            guard let value = CSVField.number(field, decimalComma: delimiter != ",") else {
                refuse(field, column: column, what: "a number")
                return nil
            }
            if Float(value).isFinite { return Float(value) }
            let reason = value.isFinite ? "is too large for a 32-bit float" : "is not a finite number"
            let message = "'\(CSVField.shown(field))' \(reason); correct it or remove the line"
            fail(KinError(.notFinite, message), column: column)
            return nil
        }

        private func name(_ field: String, column: Int) -> String? {
            let name = field.trimmingCharacters(in: .whitespaces)
            guard let problem = NameFormat.problem(name) else { return name }
            fail(KinError(.malformedInput, "the id '\(CSVField.shown(name))' is invalid: \(problem)"), column: column)
            return nil
        }

        private func refuse(_ field: String, column: Int, what: String) {
            let isEmpty = field.allSatisfy(\.isWhitespace)
            let message =
                isEmpty
                ? "the field is empty; fill it in or remove the line"
                : "'\(CSVField.shown(field))' is not \(what)"
            fail(KinError(.malformedInput, message), column: column)
        }
    }
}

extension CSVField {
    /// The id in a field; nil if it is not a number that can be an id.
    static func id(_ field: String) -> VectorID? {
        if let value = UInt64(field), VectorID(value) != .none { return VectorID(value) }
        let trimmed = field.trimmingCharacters(in: .whitespaces)
        if let value = UInt64(trimmed), VectorID(value) != .none { return VectorID(value) }
        // Spreadsheets and pandas write 42 as 42.0; such a number is exact below 2^53.
        if let value = Double(trimmed), value < 0x1p53, let whole = UInt64(exactly: value) { return VectorID(whole) }
        return nil
    }
}
