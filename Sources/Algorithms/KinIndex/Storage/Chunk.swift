package import KinCore
package import KinLinearAlgebra
import Synchronization

/// Up to ``RowLayout/chunkRows`` rows with their ids and codes, in memory of its own or in a mapped file.
///
/// Invariants:
/// - rows, codes and ids exist for `capacity` places, a multiple of 64; the first `count` are in use and the rest of the
///   floats are zero;
/// - when `coding` is there, every row in use is coded on its grid, within its errors or listed as an outlier.
///
/// A chunk is shared between an index and its snapshots. It is changed only by an index that holds the only reference
/// (``RowStore`` copies it first otherwise), which is what makes `@unchecked Sendable` true: a chunk that two
/// threads can see is never written. It is also why the compiler's checks for overlapping access are switched off for its
/// variables: they cost a call into the run time at every row that a search reads, and a writer is alone by construction.
@safe
package final class Chunk: BlockedRows, @unchecked Sendable {
    package let layout: RowLayout
    package let capacity: Int
    package internal(set) var count: Int {
        get { unsafe uncheckedCount }
        set { unsafe uncheckedCount = newValue }
    }
    package internal(set) var coding: RowCoding? {
        get { unsafe uncheckedCoding }
        set { unsafe uncheckedCoding = newValue }
    }
    @exclusivity(unchecked) private var uncheckedCount = 0
    @exclusivity(unchecked) private var uncheckedCoding: RowCoding?
    /// The number of rows at which the last attempt to code them failed, or 0.
    var uncodable = 0

    /// The codes along principal axes, made by a search after enough scans. A new cell replaces this one after too many rows have changed.
    @exclusivity(unchecked) private var lazyPrincipal: LazyPrincipalCodes?

    /// capacity × stride floats, 64-byte aligned.
    package let rows: UnsafeMutablePointer<Float>
    /// capacity ∕ 64 code blocks, 64-byte aligned.
    package let codes: UnsafeMutablePointer<UInt8>
    /// The ids of the rows, `capacity` of them.
    package let ids: UnsafeMutablePointer<VectorID>

    /// Keeps the mapped file alive that rows, codes and ids point into; nil when the chunk owns them.
    private let mapping: FileImage?

    /// Keeps the memory of the codes alive when it is part of a slab; nil when the chunk owns it.
    private let slab: CodeSlab?

    /// Lets go of memory that was just written to a file, if it is that of a scratch file.
    func releasePages(_ bytes: UnsafeRawBufferPointer) { unsafe mapping?.release(bytes) }

    /// Whether the memory is a read-only mapping.
    var isMapped: Bool { mapping != nil }

    /// An empty chunk with room for at least `minimumCapacity` rows, its codes in a slab if there is room in that.
    convenience init(layout: RowLayout, minimumCapacity: Int, codesIn slab: CodeSlab? = nil) {
        self.init(layout: layout, minimumCapacity: minimumCapacity, codesIn: slab, copying: nil)
    }

    /// A chunk with the rows, codes and ids of another of the same layout, and zeros behind them.
    private init(layout: RowLayout, minimumCapacity: Int, codesIn slab: CodeSlab?, copying other: Chunk?) {
        self.layout = layout
        capacity = max(Kernels.blockRows, (minimumCapacity + Kernels.blockRows - 1) & ~(Kernels.blockRows - 1))
        mapping = nil
        unsafe lazyPrincipal = LazyPrincipalCodes(for: layout)
        unsafe rows = Self.allocate(Float.self, capacity * layout.stride)
        let codeBytes = capacity * 4 * layout.groups
        if let slab, let piece = unsafe slab.take(codeBytes) {
            self.slab = slab
            unsafe codes = piece.bindMemory(to: UInt8.self, capacity: codeBytes)
        } else {
            self.slab = nil
            unsafe codes = Self.allocate(UInt8.self, codeBytes)
        }
        unsafe ids = Self.allocate(VectorID.self, capacity)
        let taken = other?.count ?? 0
        let floats = taken * layout.stride
        let coded = other?.coding == nil ? 0 : (taken + Kernels.blockRows - 1) / Kernels.blockRows * layout.blockBytes
        if let other {
            unsafe rows.initialize(from: other.rows, count: floats)
            unsafe codes.initialize(from: other.codes, count: coded)
            unsafe ids.initialize(from: other.ids, count: taken)
            count = taken
            coding = other.coding
            uncodable = other.uncodable
        }
        unsafe (rows + floats).initialize(repeating: 0, count: capacity * layout.stride - floats)
        unsafe (codes + coded).initialize(repeating: 0, count: codeBytes - coded)
        unsafe (ids + taken).initialize(repeating: .none, count: capacity - taken)
    }

    /// A chunk whose memory lies in a mapped file.
    ///
    /// The caller has checked that each section is long enough for `count` rows.
    ///
    /// - Parameter codes: The codes; nil exactly when the chunk is not coded.
    init(layout: RowLayout, count: Int, coding: RowCoding?, rows: SectionView, codes: SectionView?, ids: SectionView) {
        precondition(coding == nil || codes != nil, "a coded chunk has codes")
        self.layout = layout
        capacity = count
        unsafe self.rows = rows.start(of: Float.self)
        // Never read while the chunk has no coding.
        unsafe self.codes = (codes ?? rows).start(of: UInt8.self)
        unsafe self.ids = ids.start(of: VectorID.self)
        mapping = rows.image
        slab = nil
        unsafe lazyPrincipal = LazyPrincipalCodes(for: layout)
        self.count = count
        self.coding = coding
    }

    deinit {
        guard mapping == nil else { return }
        unsafe UnsafeMutableRawPointer(rows).deallocate()
        if slab == nil { unsafe UnsafeMutableRawPointer(codes).deallocate() }
        unsafe UnsafeMutableRawPointer(ids).deallocate()
    }

    private static func allocate<T>(_ type: T.Type, _ n: Int) -> UnsafeMutablePointer<T> {
        unsafe UnsafeMutableRawPointer
            .allocate(byteCount: max(n, 1) * MemoryLayout<T>.stride, alignment: 64)
            .bindMemory(to: T.self, capacity: max(n, 1))
    }

    /// The same rows in memory of their own, with room for at least `minimumCapacity`.
    func copy(minimumCapacity: Int) -> Chunk {
        Chunk(layout: layout, minimumCapacity: max(minimumCapacity, count), codesIn: nil, copying: self)
    }

    /// Makes a chunk uniquely referenced, in memory of its own with room for at least `capacity` rows.
    ///
    /// Full memory is doubled, up to a whole chunk, so that a row's share of all the copying stays constant.
    ///
    /// - Parameter capacity: At most ``RowLayout/chunkRows``.
    static func makeWritable(_ chunk: inout Chunk, capacity: Int) {
        let isFull = chunk.capacity < capacity
        guard isFull || chunk.isMapped || !isKnownUniquelyReferenced(&chunk) else { return }
        let doubled = isFull ? min(2 * chunk.capacity, chunk.layout.chunkRows) : 0
        chunk = chunk.copy(minimumCapacity: max(doubled, capacity))
    }

    /// Changes the coding in place, if there is one.
    func updateCoding(_ change: (inout RowCoding) -> Void) {
        guard unsafe uncheckedCoding != nil else { return }
        unsafe change(&uncheckedCoding!)
    }

    /// The `stride` floats of a row below `capacity`, zeros behind the dimension.
    func row(_ r: Int) -> UnsafeMutablePointer<Float> { unsafe rows + r * layout.stride }

    /// The codes along principal axes, once a ``PrincipalCodeMaker`` has made them.
    var principalCodes: PrincipalCodes? { unsafe lazyPrincipal?.codes.load() }

    /// Gives the chunk codes along principal axes; of two searches that do so at a time one keeps its own.
    func take(_ codes: PrincipalCodes) -> PrincipalCodes { unsafe lazyPrincipal?.codes.storeIfNil(codes) ?? codes }

    /// Counts a scan by a single query; returns the number of all since the chunk may have got codes along principal axes.
    func countPrincipalScan() -> Int { unsafe lazyPrincipal?.scans.wrappingAdd(1, ordering: .relaxed).newValue ?? 0 }

    /// Erases the codes along principal axes of rows that were changed or removed; all, when too little can be left out by what remains.
    func forgetPrincipalCodes(of rows: Range<Int>) {
        guard let codes = principalCodes else { return }
        for row in rows { codes.forget(row) }
        if codes.isStale(in: self) { unsafe lazyPrincipal = LazyPrincipalCodes(for: layout) }
    }

    /// The size of the chunk in bytes, in memory or mapped.
    var bytes: Int {
        capacity * (layout.stride * 4 + layout.groups * 4 + MemoryLayout<VectorID>.stride)
            + (principalCodes?.bytes ?? 0)
    }
}

/// Codes along principal axes that some search makes, and the scans until then.
private final class LazyPrincipalCodes: Sendable {
    let codes = AtomicLazyReference<PrincipalCodes>()
    let scans = Atomic<Int>(0)

    /// Room for the codes of a chunk, if its rows are long enough to have some.
    init?(for layout: RowLayout) { guard PrincipalCodeMaker.dimensions.contains(layout.dimension) else { return nil } }
}
