import KinLibC

// Checks of C's array arguments: a pointer, a count, and the stride of rows.

/// Checks an array argument of C.
///
/// - Throws: `.capacityExceeded` for more bytes than a process can address, `.invalidArgument` for NULL with elements and for
///   an unaligned address.
@inline(__always)
func array<Element>(
    _ pointer: UnsafePointer<Element>?, count: Int, _ name: StaticString
) throws(KinError) -> UnsafeBufferPointer<Element> {
    guard count >= 0, count < addressableBytes / MemoryLayout<Element>.stride else { throw tooMany(name, count) }
    guard let pointer = unsafe pointer else {
        guard count == 0 else { throw missing(name) }
        return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    guard unsafe pointer.isAligned else { throw unaligned(name) }
    return unsafe UnsafeBufferPointer(start: pointer, count: count)
}

/// Checks an output array of C; see ``array(_:count:_:)``.
@inline(__always)
func outputs<Element>(
    _ pointer: UnsafeMutablePointer<Element>?, count: Int, _ name: StaticString
) throws(KinError) -> UnsafeMutableBufferPointer<Element> {
    unsafe UnsafeMutableBufferPointer(mutating: try array(UnsafePointer(pointer), count: count, name))
}

/// The largest address space of a process in bytes: 2⁴⁷ on x86-64 and on Apple's systems.
private let addressableBytes = 1 << 47

@inline(never)
private func tooMany(_ name: StaticString, _ count: Int) -> KinError {
    KinError(.capacityExceeded, "\(UInt(bitPattern: count)) elements of \(name) do not fit in any memory")
}

/// Requires that the system has memory for a copy, because Swift ends the process otherwise.
///
/// Below 1 GiB nothing is tested. Above, addresses are reserved and returned; no page is touched.
///
/// - Throws: `.capacityExceeded`.
@inline(__always)
func requireRoom(for count: Int, elementsOf bytes: Int, _ name: StaticString) throws(KinError) {
    let (total, overflow) = count.multipliedReportingOverflow(by: bytes)
    if overflow || total >= 1 << 30 { try requireLargeRoom(overflow ? .max : total, count, name) }
}

@inline(never)
private func requireLargeRoom(_ bytes: Int, _ count: Int, _ name: StaticString) throws(KinError) {
    guard bytes < addressableBytes else { throw tooMany(name, count) }
    let probe = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard unsafe probe != MAP_FAILED else {
        throw KinError(
            .capacityExceeded,
            "\(name) has \(UInt(bitPattern: count)) elements, and the system has no \(bytes >> 30) GiB for them")
    }
    _ = unsafe munmap(probe, bytes)
}

/// Copies an array argument of C.
///
/// - Throws: As ``array(_:count:_:)``, and `.capacityExceeded` if there is no memory for the copy.
@inline(__always)
func copy<Element>(
    _ pointer: UnsafePointer<Element>?, count: Int, _ name: StaticString
) throws(KinError) -> [Element] {
    let elements = try unsafe array(pointer, count: count, name)
    try requireRoom(for: count, elementsOf: MemoryLayout<Element>.stride, name)
    return unsafe Array(elements)
}

/// Copies an array of ids of C.
///
/// - Throws: As ``copy(_:count:_:)``.
func vectorIDs(_ pointer: UnsafePointer<UInt64>?, count: Int, threads: Int = 1) throws(KinError) -> [VectorID] {
    let ids = try unsafe array(pointer, count: count, "ids")
    try requireRoom(for: count, elementsOf: MemoryLayout<VectorID>.stride, "ids")
    return unsafe [VectorID](unsafeUninitializedCapacity: count) { copy, initialized in
        concurrentMap(threads, rangesOf: count) { range in
            for i in range { unsafe copy.initializeElement(at: i, to: VectorID(ids[i])) }
        }
        initialized = count
    }
}

/// Rows of numbers in C's memory, with a constant stride.
@safe
struct Rows<Scalar: MatrixScalar> {
    private let base: UnsafeMutablePointer<Scalar>?
    let count: Int
    let columns: Int
    /// The stride of the rows, in elements.
    private let stride: Int
    private let name: StaticString

    /// Checks rows for reading.
    ///
    /// - Parameters:
    ///   - columns: The number of columns, 0 or more; without columns the address may be null.
    ///   - stride: The stride of the rows in bytes; 0 for packed rows.
    /// - Throws: As ``array(_:count:_:)``; `.invalidArgument` for a stride that is neither 0 nor a multiple of the
    ///   element's size with room for a row.
    @inline(__always)
    init(
        _ pointer: UnsafePointer<Scalar>?, count: Int, columns: Int, stride: Int, _ name: StaticString
    ) throws(KinError) {
        let size = MemoryLayout<Scalar>.size
        let packed = columns.multipliedReportingOverflow(by: size)
        guard !packed.overflow else { throw tooMany(name, columns) }
        guard stride == 0 || (stride >= packed.partialValue && stride % size == 0) else {
            throw Self.badStride(stride, columns: columns, name)
        }
        let step = stride == 0 ? columns : stride / size
        let elements = count.multipliedReportingOverflow(by: step)
        guard count >= 0, !elements.overflow else { throw tooMany(name, count) }
        unsafe base = UnsafeMutablePointer(mutating: try array(pointer, count: elements.partialValue, name).baseAddress)
        self.count = count
        self.columns = columns
        self.stride = step
        self.name = name
    }

    /// Checks rows for writing.
    @inline(__always)
    init(
        _ pointer: UnsafeMutablePointer<Scalar>?, count: Int, columns: Int, stride: Int, _ name: StaticString
    ) throws(KinError) {
        try unsafe self.init(UnsafePointer(pointer), count: count, columns: columns, stride: stride, name)
    }

    @inline(never)
    private static func badStride(_ stride: Int, columns: Int, _ name: StaticString) -> KinError {
        KinError(
            .invalidArgument,
            "the stride of \(name) is \(UInt(bitPattern: stride)) bytes; it is 0 for packed rows, or a multiple of "
                + "\(MemoryLayout<Scalar>.size) that leaves room for \(columns) columns")
    }

    /// The elements of the first row.
    ///
    /// - Precondition: The row exists.
    var first: UnsafeBufferPointer<Scalar> { unsafe UnsafeBufferPointer(start: base, count: columns) }

    /// The elements of a row.
    ///
    /// - Precondition: The row exists.
    func slice(_ index: Int) -> UnsafeBufferPointer<Scalar> {
        unsafe UnsafeBufferPointer(start: base.map { unsafe $0 + index * stride }, count: columns)
    }

    /// Copies the rows into a matrix.
    ///
    /// - Throws: `.capacityExceeded` if there is no memory for it.
    func matrix(threads: Int = 1) throws(KinError) -> Matrix<Scalar> {
        try requireRoom(for: count, elementsOf: columns * MemoryLayout<Scalar>.size, name)
        // An array, because it is specialised here; a matrix filled by a different module takes longer than a short
        // search.
        let elements = unsafe [Scalar](unsafeUninitializedCapacity: count * columns) { elements, initialized in
            // Without columns the address may be null.
            guard let from = unsafe base, let to = elements.baseAddress else { return }
            concurrentMap(threads, rangesOf: stride == columns ? count * columns : count) { range in
                if stride == columns {
                    let first = range.lowerBound
                    return unsafe (to + first).initialize(from: from + first, count: range.count)
                }
                for row in range {
                    unsafe (to + row * columns).initialize(from: from + row * stride, count: columns)
                }
            }
            initialized = count * columns
        }
        return try Matrix(rows: count, columns: columns, elements: elements)
    }

    /// Writes a row of `columns` numbers; the padding after it is unchanged.
    ///
    /// - Parameter index: 0 ..< `count`.
    func write(_ row: some Collection<Scalar>, at index: Int) {
        let target = unsafe UnsafeMutableBufferPointer(start: base.map { unsafe $0 + index * stride }, count: columns)
        unsafe target.write(row)
    }

    /// Writes the rows of a matrix of `count` × `columns`.
    func write(_ matrix: Matrix<Scalar>) {
        for row in 0..<count { write(matrix.row(row), at: row) }
    }
}

/// Writes values to an output array of C.
///
/// - Throws: As ``array(_:count:_:)``.
package func fill<Element>(
    _ pointer: UnsafeMutablePointer<Element>?, with values: some Collection<Element>, _ name: StaticString
) throws(KinError) {
    try unsafe outputs(pointer, count: values.count, name).write(values)
}

/// Writes the bytes of a state if they fit, and their number in any case.
///
/// - Throws: As ``array(_:count:_:)``.
func write(
    _ state: [UInt8], to bytes: UnsafeMutablePointer<UInt8>?, capacity: Int, count: UnsafeMutablePointer<Int>?
) throws(KinError) {
    let needed = try unsafe output(count, "count")
    let room = try unsafe outputs(bytes, count: capacity, "bytes")
    if state.count <= room.count { unsafe room.write(state) }
    unsafe needed.pointee = state.count
}

extension UnsafeMutableBufferPointer {
    /// Copies values to the start of the buffer; without values the address is not used and may be null.
    func write(_ values: some Collection<Element>) {
        if !values.isEmpty { _ = unsafe update(fromContentsOf: values) }
    }
}
