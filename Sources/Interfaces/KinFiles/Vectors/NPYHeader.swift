/// The dictionary at the head of a `.npy` file: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 16), }`.
struct NPYHeader: Equatable {
    let number: NPYNumber
    let isColumnMajor: Bool
    let rows: Int
    let columns: Int

    init(_ text: String) throws(KinError) {
        let descr = NPYHeader.value(of: "descr", in: text) ?? ""
        let code = descr.hasPrefix("'") ? String(descr.dropFirst().prefix { $0 != "'" }) : "structured"
        guard let number = NPYNumber(code: code) else {
            throw KinError(
                .unsupportedFormat,
                "the array's number type, \(code), is not read; save floats of 2, 4 or 8 bytes, integers or booleans")
        }
        guard let order = NPYHeader.value(of: "fortran_order", in: text),
            let shape = NPYHeader.value(of: "shape", in: text), shape.hasPrefix("("),
            let end = shape.firstIndex(of: ")")
        else {
            throw KinError(.malformedInput, "the NumPy header lacks its shape or its order")
        }
        let sizes = shape[shape.index(after: shape.startIndex)..<end].split(separator: ",")
            .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
        guard sizes.count == 2, let rows = Int(sizes[0]), let columns = Int(sizes[1]), rows >= 0, columns > 0 else {
            throw KinError(
                .malformedInput,
                "the array's shape is (\(sizes.joined(separator: ", "))); vectors need two dimensions, "
                    + "(rows, numbers per row): use array.reshape(rows, -1)"
            )
        }
        self.number = number
        isColumnMajor = order.hasPrefix("True")
        self.rows = rows
        self.columns = columns
    }

    /// The text after `'key':`, without leading spaces.
    private static func value(of key: String, in text: String) -> Substring? {
        guard let range = text.firstRange(of: "'\(key)'") else { return nil }
        let rest = text[range.upperBound...].drop { $0.isWhitespace }
        guard rest.first == ":" else { return nil }
        return rest.dropFirst().drop { $0.isWhitespace }
    }

    /// Converts column-major numbers to row-major order.
    func transposed(_ elements: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: elements.count)
        for column in 0..<columns {
            for row in 0..<rows { result[row * columns + column] = elements[column * rows + row] }
        }
        return result
    }
}
