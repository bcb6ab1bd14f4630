/// The eigenvalues and eigenvectors of a symmetric matrix, for builds without a system's LAPACK.
///
/// Householder's reduction A = Q T Qᵀ to a tridiagonal T, then the implicit QR iteration on T with Wilkinson's shift;
/// its rotations turn the rows of Qᵀ into the eigenvectors (Golub and Van Loan, "Matrix Computations", 4th edition,
/// 8.3). Backward stable. O(n³).
@safe
struct PortableEigen {
    private typealias Vectors = PortableBLAS

    /// The number of rows and of columns.
    private let n: Int
    /// The matrix; at the end its eigenvectors, one per row.
    private let a: UnsafeMutablePointer<Double>
    /// The diagonal of T; at the end the eigenvalues.
    private let diagonal: UnsafeMutablePointer<Double>
    /// The subdiagonal of T; its last number is 0.
    private var beside: [Double]

    /// Writes the eigenvalues of a row-major matrix, ascending, to `values`, and its eigenvectors to its rows.
    ///
    /// - Parameters:
    ///   - n: The order, 1 or more.
    ///   - a: n × n finite numbers; the lower triangle is read.
    ///   - values: Memory for n numbers.
    /// - Returns: Whether the iteration converged, within 30 steps per eigenvalue.
    static func decompose(
        order n: Int, _ a: UnsafeMutablePointer<Double>, values: UnsafeMutablePointer<Double>
    ) -> Bool {
        var largest = 0.0
        for i in 0..<n {
            for j in 0...i {
                unsafe a[j * n + i] = a[i * n + j]
                unsafe largest = max(largest, a[i * n + j].magnitude)
            }
        }
        // Scaled by a power of two, so that squares neither overflow nor underflow, and no digit is lost.
        let scale = largest == 0 ? 1 : largest.binade
        for i in 0..<n * n { unsafe a[i] /= scale }
        var solver = unsafe PortableEigen(
            n: n, a: a, diagonal: values, beside: [Double](repeating: 0, count: n))
        solver.reduce()
        guard solver.iterate() else { return false }
        solver.sort()
        for i in 0..<n { unsafe values[i] *= scale }
        return true
    }

    /// Reduces the matrix to T, and replaces it by Qᵀ.
    ///
    /// Step k applies the reflection H = I − β v vᵀ, which clears column k below its subdiagonal element. With p = β A
    /// v and w = p − ½ β (pᵀ v) v, the rest of the matrix becomes A − v wᵀ − w vᵀ. Because Q = H₀ H₁ …, its transpose
    /// is the identity multiplied by the reflections from the last to the first; each reflection changes only the rows
    /// and columns after k.
    private mutating func reduce() {
        var betas = [Double](repeating: 0, count: n)
        var (v, w) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
        for k in 0..<max(0, n - 2) {
            let (first, count) = (k + 1, n - k - 1)
            for i in 0..<count { unsafe v[i] = a[(first + i) * n + k] }
            let (beta, beside) = Self.reflection(&v, count: count)
            betas[k] = beta
            self.beside[k] = beside
            if beta != 0 { update(from: first, count: count, v, &w, beta: beta) }
            // The reflection is stored in the column that it cleared.
            for i in 0..<count { unsafe a[(first + i) * n + k] = v[i] }
        }
        if n > 1 { unsafe beside[n - 2] = a[(n - 1) * n + n - 2] }
        for i in 0..<n { unsafe diagonal[i] = a[i * n + i] }
        accumulate(betas, &v)
    }

    /// Replaces x by the vector v of a reflection that maps x to a multiple of the first unit vector, with v₀ = 1.
    ///
    /// - Returns: β, or 0 if x is already such a multiple, and the multiple.
    private static func reflection(_ x: inout [Double], count: Int) -> (beta: Double, multiple: Double) {
        var rest = 0.0
        for i in 1..<count { rest += x[i] * x[i] }
        let head = x[0]
        x[0] = 1
        guard rest > 0 else { return (0, head) }
        let norm = (head * head + rest).squareRoot()
        // The form without cancellation.
        let first = head <= 0 ? head - norm : -rest / (head + norm)
        for i in 1..<count { x[i] /= first }
        return (2 * first * first / (rest + first * first), norm)
    }

    /// Applies a reflection to the rows and columns from `first` on, from both sides.
    private func update(from first: Int, count: Int, _ v: [Double], _ w: inout [Double], beta: Double) {
        unsafe v.withUnsafeBufferPointer { v in
            unsafe w.withUnsafeMutableBufferPointer { w in
                let (v, w) = (v.baseAddress!, w.baseAddress!)
                for i in 0..<count { unsafe w[i] = beta * Vectors.dot(a + (first + i) * n + first, v, count: count) }
                let half = unsafe -beta / 2 * Vectors.dot(w, v, count: count)
                unsafe Vectors.add(half, times: v, to: w, count: count)
                for i in 0..<count {
                    let row = unsafe a + (first + i) * n + first
                    unsafe Vectors.add(-v[i], times: w, to: row, count: count)
                    unsafe Vectors.add(-w[i], times: v, to: row, count: count)
                }
            }
        }
    }

    /// Replaces the reflections, which are stored below the diagonal, by Qᵀ = … H₁ H₀.
    private func accumulate(_ betas: [Double], _ v: inout [Double]) {
        var sums = [Double](repeating: 0, count: n)
        for k in (0..<n).reversed() {
            let (first, count) = (k + 1, n - k - 1)
            if k < n - 2 {
                for i in 0..<count { unsafe v[i] = a[(first + i) * n + k] }
            }
            for i in k..<n { unsafe (a[k * n + i], a[i * n + k]) = (i == k ? 1 : 0, i == k ? 1 : 0) }
            guard k < n - 2, betas[k] != 0 else { continue }
            unsafe v.withUnsafeBufferPointer { v in
                unsafe sums.withUnsafeMutableBufferPointer { sums in
                    let (v, sums) = (v.baseAddress!, sums.baseAddress!)
                    // Z ← Z − β (Z v) vᵀ in the rows and columns after k.
                    for i in 0..<count { unsafe sums[i] = Vectors.dot(a + (first + i) * n + first, v, count: count) }
                    for i in 0..<count {
                        unsafe Vectors.add(-betas[k] * sums[i], times: v, to: a + (first + i) * n + first, count: count)
                    }
                }
            }
        }
    }

    /// Diagonalises T in steps. Each step works on the block between two zeros of the subdiagonal; the block's last
    /// subdiagonal element converges cubically to 0.
    private mutating func iterate() -> Bool {
        var (last, steps) = (n - 1, 0)
        while last > 0 {
            if isNegligible(last - 1) {
                beside[last - 1] = 0
                last -= 1
                continue
            }
            var first = last - 1
            while first > 0 && !isNegligible(first - 1) { first -= 1 }
            guard steps < 30 * n else { return false }
            steps += 1
            turn(first, last)
        }
        return true
    }

    private func isNegligible(_ k: Int) -> Bool {
        unsafe beside[k].magnitude <= .ulpOfOne * (diagonal[k].magnitude + diagonal[k + 1].magnitude)
    }

    /// One implicit QR step on a block.
    private mutating func turn(_ first: Int, _ last: Int) {
        let half = unsafe (diagonal[last - 1] - diagonal[last]) / 2
        let corner = beside[last - 1]
        let root = (half * half + corner * corner).squareRoot()
        let shift = unsafe diagonal[last] - corner * (corner / (half + (half < 0 ? -root : root)))
        var (x, bulge) = unsafe (diagonal[first] - shift, beside[first])
        for k in first..<last {
            let length = (x * x + bulge * bulge).squareRoot()
            // Both vanish if T has split since: no rotation is left.
            let (c, s) = length == 0 ? (1, 0) : (x / length, bulge / length)
            if k > first { beside[k - 1] = length }
            let (p, q, e) = unsafe (diagonal[k], diagonal[k + 1], beside[k])
            unsafe diagonal[k] = c * c * p + 2 * c * s * e + s * s * q
            unsafe diagonal[k + 1] = s * s * p - 2 * c * s * e + c * c * q
            beside[k] = c * s * (q - p) + (c * c - s * s) * e
            if k + 1 < last {
                x = beside[k]
                bulge = s * beside[k + 1]
                beside[k + 1] *= c
            }
            rotate(k, c, s)
        }
    }

    /// Rotates rows k and k + 1 of the vectors.
    private func rotate(_ k: Int, _ c: Double, _ s: Double) {
        let (upper, lower) = unsafe (a + k * n, a + (k + 1) * n)
        for j in 0..<n {
            let (p, q) = unsafe (upper[j], lower[j])
            unsafe upper[j] = c * p + s * q
            unsafe lower[j] = c * q - s * p
        }
    }

    /// Sorts values and vectors by ascending value.
    private func sort() {
        for i in 0..<n {
            var least = i
            for j in i + 1..<max(n, i + 1) where unsafe diagonal[j] < diagonal[least] { least = j }
            guard least != i else { continue }
            unsafe swap(&diagonal[i], &diagonal[least])
            for j in 0..<n { unsafe swap(&a[i * n + j], &a[least * n + j]) }
        }
    }
}
