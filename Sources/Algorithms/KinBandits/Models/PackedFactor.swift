/// The lower triangular factor L of a symmetric positive definite A = L Lᵀ, packed column after column.
///
/// It has n (n + 1) ∕ 2 numbers, in memory and in files. Every inner loop runs down one column of consecutive numbers,
/// which the compiler vectorizes. Sums are computed in a fixed order in double precision, so the same numbers give the
/// same bits on every machine.
///
/// The update A ← A + x xᵀ applies orthogonal rotations to L (Gill, Golub, Murray and Saunders 1974, "Methods for
/// modifying matrix factorizations", doi:10.2307/2005923). Each adds an error of the order of n ε ‖A‖ and magnifies no
/// earlier error. So a million updates need no refresh, unlike the inverse by the Sherman–Morrison formula.
package struct PackedFactor: Sendable, Hashable {
    /// The order n of A.
    let order: Int
    /// The columns of L from their diagonal elements down, one after the other.
    private(set) var elements: [Double]

    /// The number of elements of a factor of order n, n (n + 1) ∕ 2.
    static func count(order: Int) -> Int { order * (order + 1) / 2 }

    /// Creates the factor of a diagonal matrix.
    ///
    /// - Precondition: The diagonal is positive.
    package init(diagonal: [Double]) {
        order = diagonal.count
        elements = [Double](repeating: 0, count: Self.count(order: order))
        for k in 0..<order { elements[start(ofColumn: k)] = diagonal[k].squareRoot() }
    }

    /// Creates a factor from its packed elements.
    ///
    /// - Returns: nil unless the number of elements is correct, all are finite and the diagonal is positive.
    init?(order: Int, elements: [Double]) {
        guard elements.count == Self.count(order: order), elements.allSatisfy(\.isFinite) else { return nil }
        self.order = order
        self.elements = elements
        for k in 0..<order where !(elements[start(ofColumn: k)] > 0) { return nil }
    }

    /// Whether no element exceeds a magnitude and no diagonal element is below its inverse.
    func isWithin(_ magnitude: Double) -> Bool {
        elements.allSatisfy { abs($0) <= magnitude }
            && (0..<order).allSatisfy { elements[start(ofColumn: $0)] >= 1 / magnitude }
    }

    private func start(ofColumn k: Int) -> Int { k * order - k * (k - 1) / 2 }

    /// Adds a rank-one term, A ← A + x xᵀ, in O(n²); leading zeros of x cost nothing.
    ///
    /// - Parameter x: n numbers, overwritten.
    package mutating func add(_ x: UnsafeMutablePointer<Double>) {
        let n = order
        unsafe elements.withUnsafeMutableBufferPointer { buffer in
            guard var column = buffer.baseAddress else { return }
            for k in 0..<n {
                let length = n - k
                let rest = unsafe x[k]
                if rest != 0 {
                    let diagonal = unsafe column[0]
                    let radius = (diagonal * diagonal + rest * rest).squareRoot()
                    unsafe column[0] = radius
                    unsafe rotate(column + 1, x + k + 1, count: length - 1, c: diagonal / radius, s: rest / radius)
                }
                unsafe column += length
            }
        }
    }

    /// Solves with the factor in place, x ← L⁻¹ x, in O(n²).
    package func solve(_ x: UnsafeMutablePointer<Double>) {
        let n = order
        unsafe elements.withUnsafeBufferPointer { buffer in
            guard var column = buffer.baseAddress else { return }
            for k in 0..<n {
                let length = n - k
                let value = unsafe x[k] / column[0]
                unsafe x[k] = value
                if value != 0 { unsafe subtract(column + 1, times: value, from: x + k + 1, count: length - 1) }
                unsafe column += length
            }
        }
    }

    /// Solves with the transposed factor in place, x ← L⁻ᵀ x, in O(n²).
    package func solveTransposed(_ x: UnsafeMutablePointer<Double>) {
        let n = order
        unsafe elements.withUnsafeBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return }
            var column = unsafe first + buffer.count
            for k in stride(from: n - 1, through: 0, by: -1) {
                unsafe column -= n - k
                let sum = unsafe dot(column + 1, x + k + 1, count: n - k - 1)
                unsafe x[k] = unsafe (x[k] - sum) / column[0]
            }
        }
    }

    /// The upper triangle L⁻ᵀ, n × n, in O(n³ ∕ 6): row k is L⁻¹ eₖ.
    ///
    /// The rows of X L⁻ᵀ are L⁻¹ x for the rows x of X, computed in one product instead of one ``solve(_:)`` per row.
    /// Eight unit vectors are solved at once, since each step of a solution waits for the previous one. Each number
    /// equals the result of ``solve(_:)``.
    func inverseTransposed() -> Matrix<Double> {
        let n = order
        var inverse = Matrix<Double>(rows: n, columns: n)
        unsafe inverse.withUnsafeMutableBufferPointer { rows in
            unsafe withUnsafeTemporaryAllocation(of: SIMD8<Double>.self, capacity: n) { y in
                guard let y = y.baseAddress else { return }
                for first in stride(from: 0, to: n, by: 8) {
                    unsafe solveUnits(first, into: y)
                    for k in first..<min(n, first + 8) {
                        for i in k..<n { unsafe rows[k * n + i] = y[i][k - first] }
                    }
                }
            }
        }
        return inverse
    }

    /// Solves for eight unit vectors starting at `first`, with L⁻¹ eₖ in lane k − first. Elements before `first` are
    /// not written.
    private func solveUnits(_ first: Int, into y: UnsafeMutablePointer<SIMD8<Double>>) {
        let n = order
        for i in first..<n { unsafe y[i] = .zero }
        for k in first..<min(n, first + 8) { unsafe y[k][k - first] = 1 }
        unsafe elements.withUnsafeBufferPointer { buffer in
            guard let packed = buffer.baseAddress else { return }
            var column = unsafe packed + start(ofColumn: first)
            for k in first..<n {
                let values = unsafe y[k] / column[0]
                unsafe y[k] = values
                for i in (k + 1)..<max(k + 1, n) { unsafe y[i] -= values * column[i - k] }
                unsafe column += n - k
            }
        }
    }

    /// Scales and adds a diagonal, A ← g A + diag(δ), and factors the result in O(n³).
    ///
    /// - Throws: `.numericalFailure` if the sum is not positive definite; the factor is unchanged then.
    mutating func scale(by g: Double, addingDiagonal delta: [Double]) throws(KinError) {
        var product = self.product(times: g)
        for k in 0..<order { product[start(ofColumn: k)] += delta[k] }
        guard let factored = Self.factoring(product, order: order) else {
            throw KinError(.numericalFailure, "the precision is no longer positive definite; make the prior stronger")
        }
        elements = factored
    }

    /// The lower triangle of g L Lᵀ, packed.
    func product(times g: Double = 1) -> [Double] {
        var product = [Double](repeating: 0, count: elements.count)
        for k in 0..<order {
            let column = start(ofColumn: k)
            // Column k of L contributes to the columns j ≥ k of the product.
            for j in k..<order {
                let factor = g * elements[column + j - k]
                let target = start(ofColumn: j)
                for i in j..<order { product[target + i - j] += factor * elements[column + i - k] }
            }
        }
        return product
    }

    /// The factor of a packed triangle, column by column; nil if the matrix is not positive definite.
    static func factoring(_ triangle: [Double], order: Int) -> [Double]? {
        var l = triangle
        var column = 0
        for k in 0..<order {
            let length = order - k
            guard l[column] > 0, l[column].isFinite else { return nil }
            let diagonal = l[column].squareRoot()
            l[column] = diagonal
            for i in 1..<max(1, length) { l[column + i] /= diagonal }
            var target = column + length
            for j in 1..<max(1, length) {
                let factor = l[column + j]
                for i in j..<length { l[target + i - j] -= factor * l[column + i] }
                target += length - j
            }
            column += length
        }
        return l
    }
}

/// Rotates two vectors, (a, x) ← (c a + s x, c x − s a).
@inline(__always)
private func rotate(
    _ a: UnsafeMutablePointer<Double>, _ x: UnsafeMutablePointer<Double>, count: Int, c: Double, s: Double
) {
    for i in 0..<max(0, count) {
        let (element, rest) = unsafe (a[i], x[i])
        unsafe a[i] = c * element + s * rest
        unsafe x[i] = c * rest - s * element
    }
}

/// Subtracts a multiple of a vector, x ← x − value · a.
@inline(__always)
private func subtract(
    _ a: UnsafePointer<Double>, times value: Double, from x: UnsafeMutablePointer<Double>, count: Int
) {
    for i in 0..<max(0, count) { unsafe x[i] -= value * a[i] }
}

/// The dot product Σ aᵢ bᵢ, in eight partial sums in a fixed order.
@inline(__always)
func dot(_ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, count: Int) -> Double {
    var (low, high) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    let (left, right) = unsafe (UnsafeRawPointer(a), UnsafeRawPointer(b))
    var i = 0
    while i &+ 8 <= count {
        let offset = i &* 8
        unsafe low +=
            left.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            * right.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
        unsafe high +=
            left.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD4<Double>.self)
            * right.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD4<Double>.self)
        i &+= 8
    }
    let sums = low + high
    var sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
    while i < count {
        unsafe sum += a[i] * b[i]
        i &+= 1
    }
    return sum
}
