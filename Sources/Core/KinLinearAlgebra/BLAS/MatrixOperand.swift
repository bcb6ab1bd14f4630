/// A matrix on raw memory, as stored or transposed: element (i, j) is at `i · rowStep + j · columnStep`.
@safe
struct MatrixOperand {
    let elements: UnsafePointer<Double>
    let rows: Int
    let columns: Int
    /// The operation between the stored matrix and this matrix.
    let operation: MatrixOperation
    private let rowStep: Int
    private let columnStep: Int

    /// The number of scalars from one stored row to the next.
    var stride: Int { operation == .none ? rowStep : columnStep }

    /// Views op(A) of row-major rows that are `stride` numbers apart; the shape is that of op(A).
    init(_ operation: MatrixOperation, _ elements: UnsafePointer<Double>, rows: Int, columns: Int, stride: Int) {
        unsafe self.elements = elements
        (self.operation, self.rows, self.columns) = (operation, rows, columns)
        (rowStep, columnStep) = operation == .none ? (stride, 1) : (1, stride)
    }

    subscript(i: Int, j: Int) -> Double { unsafe elements[i * rowStep + j * columnStep] }

    /// The part of the matrix from a row and a column on.
    func from(row: Int, column: Int) -> MatrixOperand {
        unsafe MatrixOperand(
            operation, elements + row * rowStep + column * columnStep, rows: rows - row, columns: columns - column,
            stride: stride)
    }

    /// The transposed matrix on the same memory.
    var transposed: MatrixOperand {
        unsafe MatrixOperand(
            operation == .none ? .transposed : .none, elements, rows: columns, columns: rows, stride: stride)
    }

    /// The numbers of a row from a column on, followed by zeros beyond the matrix.
    func lanes(row: Int, column: Int) -> PortableBLAS.Lanes {
        let place = unsafe elements + row * rowStep + column * columnStep
        let count = min(PortableBLAS.Lanes.scalarCount, columns - column)
        if columnStep == 1 && count == PortableBLAS.Lanes.scalarCount {
            return unsafe UnsafeRawPointer(place).loadUnaligned(as: PortableBLAS.Lanes.self)
        }
        var lanes = PortableBLAS.Lanes()
        for lane in 0..<count { unsafe lanes[lane] = place[lane * columnStep] }
        return lanes
    }
}

/// A writable matrix on raw memory, with rows that are `stride` numbers apart.
@safe
struct MatrixTarget {
    let elements: UnsafeMutablePointer<Double>
    let rows: Int
    let columns: Int
    let stride: Int

    /// The part of the matrix from a row and a column on, with a limit on its rows.
    func from(row: Int, column: Int, rows most: Int) -> MatrixTarget {
        unsafe MatrixTarget(
            elements: elements + row * stride + column, rows: min(most, rows - row), columns: columns - column,
            stride: stride)
    }

    /// Writes β times an element plus a number; for β = 0 the element is not read.
    func update(_ i: Int, _ j: Int, beta: Double, adding sum: Double) {
        let place = unsafe elements + i * stride + j
        unsafe place.pointee = beta == 0 ? sum : beta * place.pointee + sum
    }
}

extension Matrix<Double> {
    /// Runs a body on op(A) of the matrix, which is not empty.
    func withOperand(_ operation: MatrixOperation = .none, _ body: (MatrixOperand) -> Void) {
        let (rows, columns) = operation.shape(of: self)
        unsafe withUnsafeBufferPointer {
            body(unsafe MatrixOperand(operation, $0.baseAddress!, rows: rows, columns: columns, stride: self.columns))
        }
    }

    /// Runs a body that writes to the matrix, which is not empty.
    mutating func withTarget(_ body: (MatrixTarget) -> Void) {
        let (rows, columns) = (rows, columns)
        unsafe withUnsafeMutableBufferPointer {
            body(unsafe MatrixTarget(elements: $0.baseAddress!, rows: rows, columns: columns, stride: columns))
        }
    }
}
