/// A matrix on raw memory, as it is or transposed: the element (i, j) lies at `i · rowStep + j · columnStep`.
@safe
struct MatrixOperand<Scalar: PortableScalar> {
    let elements: UnsafePointer<Scalar>
    let rows: Int
    let columns: Int
    private let rowStep: Int
    private let columnStep: Int

    /// Views op(A) of row-major rows that lie `stride` numbers apart; the shape is that of op(A).
    init(_ operation: MatrixOperation, _ elements: UnsafePointer<Scalar>, rows: Int, columns: Int, stride: Int) {
        unsafe self.init(
            elements, shape: (rows, columns), steps: operation == .none ? (stride, 1) : (1, stride))
    }

    private init(_ elements: UnsafePointer<Scalar>, shape: (Int, Int), steps: (Int, Int)) {
        unsafe self.elements = elements
        (rows, columns) = shape
        (rowStep, columnStep) = steps
    }

    subscript(i: Int, j: Int) -> Scalar { unsafe elements[i * rowStep + j * columnStep] }

    /// The part of the matrix from a row and a column on.
    func from(row: Int, column: Int) -> MatrixOperand {
        unsafe MatrixOperand(
            elements + row * rowStep + column * columnStep, shape: (rows - row, columns - column),
            steps: (rowStep, columnStep))
    }

    /// The same numbers with rows and columns exchanged.
    var transposed: MatrixOperand {
        unsafe MatrixOperand(elements, shape: (columns, rows), steps: (columnStep, rowStep))
    }

    /// The numbers of a row from a column on, with zeros behind the matrix.
    func lanes(row: Int, column: Int) -> Scalar.Lanes {
        let place = unsafe elements + row * rowStep + column * columnStep
        let count = min(Scalar.Lanes.scalarCount, columns - column)
        if columnStep == 1 && count == Scalar.Lanes.scalarCount {
            return unsafe UnsafeRawPointer(place).loadUnaligned(as: Scalar.Lanes.self)
        }
        var lanes = Scalar.Lanes()
        for lane in 0..<count { unsafe lanes[lane] = place[lane * columnStep] }
        return lanes
    }
}

/// A matrix on raw memory that is written, with rows that lie `stride` numbers apart.
@safe
struct MatrixTarget<Scalar: PortableScalar> {
    let elements: UnsafeMutablePointer<Scalar>
    let rows: Int
    let columns: Int
    let stride: Int

    init(_ elements: UnsafeMutablePointer<Scalar>, rows: Int, columns: Int, stride: Int) {
        unsafe self.elements = elements
        (self.rows, self.columns, self.stride) = (rows, columns, stride)
    }

    /// The part of the matrix from a row and a column on, with so many rows at most.
    func from(row: Int, column: Int, rows most: Int) -> MatrixTarget {
        unsafe MatrixTarget(
            elements + row * stride + column, rows: min(most, rows - row), columns: columns - column, stride: stride)
    }

    /// Writes β times an element and a number; with β = 0 the element is not read.
    func update(_ i: Int, _ j: Int, beta: Scalar, adding sum: Scalar) {
        let place = unsafe elements + i * stride + j
        unsafe place.pointee = beta == 0 ? sum : beta * place.pointee + sum
    }
}
