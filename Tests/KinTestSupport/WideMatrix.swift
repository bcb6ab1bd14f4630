package import KinLinearAlgebra

/// The widest floating-point type of the machine, for reference results: 64 significant bits on x86, otherwise 53.
#if arch(x86_64) || arch(i386)
    package typealias Wide = Float80
#else
    package typealias Wide = Double
#endif

/// A matrix of the widest numbers with plain algebra, as a reference for the library's results.
package struct WideMatrix: Sendable {
    package let rows: Int
    package let columns: Int
    private var elements: [Wide]

    package init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        elements = Array(repeating: 0, count: rows * columns)
    }

    package init<Scalar>(_ matrix: Matrix<Scalar>) {
        rows = matrix.rows
        columns = matrix.columns
        elements = matrix.elements.map { Wide($0) }
    }

    package subscript(i: Int, j: Int) -> Wide {
        get { elements[i * columns + j] }
        set { elements[i * columns + j] = newValue }
    }

    package var transposed: WideMatrix {
        var result = WideMatrix(rows: columns, columns: rows)
        for i in 0..<rows {
            for j in 0..<columns { result[j, i] = self[i, j] }
        }
        return result
    }

    /// Every element's magnitude.
    package var magnitude: WideMatrix {
        var result = self
        for i in elements.indices { result.elements[i] = elements[i].magnitude }
        return result
    }

    package static func * (a: WideMatrix, b: WideMatrix) -> WideMatrix {
        precondition(a.columns == b.rows)
        var result = WideMatrix(rows: a.rows, columns: b.columns)
        for i in 0..<a.rows {
            for j in 0..<b.columns {
                for k in 0..<a.columns { result[i, j] += a[i, k] * b[k, j] }
            }
        }
        return result
    }

    package static func * (factor: Wide, a: WideMatrix) -> WideMatrix {
        var result = a
        for i in a.elements.indices { result.elements[i] *= factor }
        return result
    }

    package static func + (a: WideMatrix, b: WideMatrix) -> WideMatrix {
        precondition(a.rows == b.rows && a.columns == b.columns)
        var result = a
        for i in a.elements.indices { result.elements[i] += b.elements[i] }
        return result
    }

    /// The largest |aᵢⱼ − bᵢⱼ|.
    package func distance<Scalar>(to matrix: Matrix<Scalar>) -> Wide {
        precondition(rows == matrix.rows && columns == matrix.columns)
        return zip(elements, matrix.elements).reduce(0) { max($0, ($1.0 - Wide($1.1)).magnitude) }
    }

    /// The largest magnitude of an element.
    package var largest: Wide { elements.reduce(0) { max($0, $1.magnitude) } }
}
