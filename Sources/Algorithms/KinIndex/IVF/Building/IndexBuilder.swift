/// Builds the file of a ``VectorIndex`` from more vectors than fit in memory.
///
///     var builder = try IndexBuilder(path: "big.kin", dimension: 16)
///     while let batch = try nextBatch() { try builder.append(batch.vectors, ids: batch.ids) }
///     let index = try builder.finish(threads: 2)
///
/// The file is byte-identical to the one that ``VectorIndex/save(to:)`` writes for an index that received all vectors
/// at once. Vectors go to a scratch file as they arrive. A sample of them then divides the space into lists, and one
/// pass writes every vector to the group of lists it belongs to. Groups are read one by one, and their lists are built
/// and written. Finally, recall is measured and the file is assembled.
///
/// In addition to ``memory``, a build takes about 12 bytes per vector: 2 for the sample (while it is in use), 2 for
/// boxes and the table of lists, and 4 for the table of ids. While that table is built from ids that are not nearly
/// consecutive, it takes 28. Comparing ids that are not ascending takes 8. Each list of nearly equal vectors must fit
/// in memory. The disk temporarily needs twice the size of the file.
public struct IndexBuilder: ~Copyable, Sendable {
    /// The path of the file, from the root: a later change of the process's folder does not matter.
    public let path: String
    /// The number of dimensions of every vector.
    public var dimension: Int { layout.dimension }
    /// The distance between vectors.
    public var metric: Metric { layout.metric }
    /// The number of vectors so far.
    public private(set) var count = 0
    /// The approximate number of bytes of vectors in memory at a time.
    public let memory: Int

    private let division: IndexLayout
    private let layout: RowLayout
    private let files: any FileOperations
    /// Whether the file may replace a file of a different kind.
    private let isOverwriting = Overwriting.isAllowed
    private var input: Input
    /// The largest id, and whether the ids arrived in ascending order.
    private var largest: VectorID?
    private var isAscending = true
    /// The names of the vectors; empty if the caller chooses the ids.
    private var names = NameTable()

    /// The rows and ids as received.
    private struct Input: ~Copyable, Sendable {
        let rows: ScratchFile
        let ids: ScratchFile
    }

    /// The smallest ``memory``: 16 MB.
    public static let leastMemory = 16 << 20
    /// The default ``memory``: 1 GB.
    public static let defaultMemory = 1 << 30

    /// Begins to build a file.
    ///
    /// - Parameters:
    ///   - path: The file to write. It is unchanged until ``finish(threads:)``; scratch files are on the same disk.
    ///   - dimension: The number of dimensions of every vector.
    ///   - metric: The distance between vectors.
    ///   - layout: The lists of the index; not ``IndexLayout/flat``, since a flat index scans vectors that fit in
    ///     memory.
    ///   - memory: The number of bytes of vectors in memory at a time, at least ``leastMemory``.
    /// - Throws: `.invalidArgument`, also for a file of a different kind outside of `withOverwriting`; `.inputOutput`
    ///   if no file can be created at the path.
    public init(
        path: String, dimension: Int, metric: Metric = .squaredL2, layout: IndexLayout = .lists,
        memory: Int = IndexBuilder.defaultMemory
    ) throws(KinError) {
        guard (1...RowLayout.largestDimension).contains(dimension) else {
            throw KinError(.invalidArgument, "dimension must be 1 to \(RowLayout.largestDimension), not \(dimension)")
        }
        guard memory >= Self.leastMemory else {
            throw KinError(.invalidArgument, "memory must be at least \(Self.leastMemory) bytes, not \(memory)")
        }
        guard !layout.isFlat else {
            throw KinError(.invalidArgument, "a flat index is not built in pieces; choose lists, or build it in memory")
        }
        try self.init(
            path: path, layout: RowLayout(listsOf: dimension, metric: metric), division: layout, memory: memory,
            files: SystemFiles())
    }

    /// Begins a build with lists of any size.
    init(
        path: String, layout: RowLayout, division: IndexLayout, memory: Int, files: some FileOperations
    ) throws(KinError) {
        try requireReplaceable(path, by: FileContent.indexes, files: files)
        let rows = try ScratchFile(beside: path, files: files)
        let ids = try ScratchFile(beside: path, files: files)
        self.path = path.hasPrefix("/") ? path : try SystemFiles.currentFolder() + "/" + path
        self.layout = layout
        self.memory = memory
        self.files = files
        self.division = division
        input = Input(rows: rows, ids: ids)
    }

    private var validation: InputValidation { InputValidation(dimension: dimension, metric: metric) }

    /// Adds vectors to the build.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``. A call with several thousand vectors is faster than one call per vector.
    ///   - ids: n ids that no other vector has. Default: nil, which numbers the vectors starting at ``count``.
    /// - Throws: As ``VectorIndex/upsert(_:ids:threads:)``, and `.inputOutput` if the disk is full; none of these
    ///   vectors is added then. ``finish(threads:)`` detects an id that an earlier call has added.
    /// - Complexity: O(n · dimension).
    public mutating func append(_ vectors: Matrix<Float>, ids: [VectorID]? = nil) throws(KinError) {
        guard names.isEmpty else { throw VectorIndex.idsAreTexts }
        try write(vectors, ids: ids ?? (count..<count + vectors.rows).map { VectorID(UInt64($0)) })
    }

    /// Adds vectors with names, as ``VectorIndex/upsert(_:names:attributes:threads:)`` does. The names are in memory:
    /// about 40 bytes each in addition to the text.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - names: n names that no other vector of the build has.
    /// - Throws: As ``append(_:ids:)``, `.duplicateID` for a name that the build already has, and `.invalidArgument`
    ///   for a text that is not a name, or if the build has vectors without names.
    /// - Complexity: O(n · dimension).
    public mutating func append(_ vectors: Matrix<Float>, names: [String]) throws(KinError) {
        try append(vectors, names: TextList(names))
    }

    /// Adds vectors with names; see ``append(_:names:)``.
    package mutating func append(_ vectors: Matrix<Float>, names: TextList) throws(KinError) {
        guard count == 0 || !self.names.isEmpty else { throw VectorIndex.idsAreNumbers }
        try VectorIndex.requireNames(names)
        let ids = (count..<count + names.count).map { VectorID(UInt64($0)) }
        var added = 0
        do throws(KinError) {
            for row in 0..<names.count {
                let place = unsafe self.names.place(of: names.utf8(at: row))
                guard place.id == nil else { throw VectorIndex.twice(names[row], row) }
                unsafe self.names.insert(names.utf8(at: row), for: ids[row], at: place)
                added += 1
            }
            try write(vectors, ids: ids)
        } catch {
            for id in ids.prefix(added).reversed() { self.names.remove(id) }
            throw error
        }
    }

    private mutating func write(_ vectors: Matrix<Float>, ids: [VectorID]) throws(KinError) {
        try validation.check(vectors, ids: ids, beside: count, most: InvertedFile.largestCount)
        guard let first = ids.first else { return }
        let stride = layout.stride
        let padded = stride == dimension ? vectors : vectors.padded(toColumns: stride)
        do throws(KinError) {
            let rows = padded.elements
            try input.rows.output.write(unsafe rows.span.bytes, at: count * stride * MemoryLayout<Float>.stride)
            try input.ids.output.write(unsafe ids.span.bytes, at: count * MemoryLayout<VectorID>.stride)
        } catch {
            throw error.within("file", path)
        }
        isAscending =
            isAscending && largest.map { $0 < first } ?? true && zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
        largest = ids.reduce(largest ?? first) { max($0, $1) }
        count += ids.count
    }

    /// Builds the index, writes its file to the path and opens it.
    ///
    /// - Parameter threads: The number of threads, 1 or more; the file does not depend on it.
    /// - Returns: The index, mapped from the file.
    /// - Throws: `.invalidArgument`; `.duplicateID`; `.inputOutput`, also for a full disk; `.cancelled` as described in
    ///   `withProgressHandler`, with vectors as units, each counted twice. An existing file at ``path`` is unchanged
    ///   then.
    /// - Complexity: O(n · (dimension + log n)). Each vector is written to the disk four times, the last time to the
    ///   file.
    public consuming func finish(threads: Int = 1) throws(KinError) -> VectorIndex {
        try validation.checkArguments(k: 0, threads: threads)
        var lists = InvertedFile(layout: layout, division: division)
        let nextID = largest.map { $0.rawValue + 1 } ?? 0
        let (path, files, isOverwriting, names) = (path, files, isOverwriting, names)
        do throws(KinError) {
            if count >= layout.chunkRows {
                let file = try build(&lists, threads: threads)
                file.image.release()
                try lists.measure(in: file.image, threads: threads)
                file.image.release()
            } else if count > 0 {
                try insert(into: &lists)
            }
        } catch {
            throw error.context.contains { $0.name == "file" } ? error : error.within("file", path)
        }
        var index = VectorIndex(rows: .lists(lists), nextID: nextID)
        index.nameTable = names
        try withOverwriting(isOverwriting) { () throws(KinError) in try index.save(to: path, files: files) }
        return try VectorIndex(opening: path)
    }
}

extension IndexBuilder {
    /// All rows on the disk in groups of lists, with the partition, frame and grids of the build.
    private struct Spilled: ~Copyable {
        let rows: ListSpill
        var partition: Partition
        let frame: PruningFrame
        let grids: CommonGrids
    }

    /// Builds the lists of all vectors into an index.
    ///
    /// - Returns: The scratch file that backs the mapped lists.
    private consuming func build(_ lists: inout InvertedFile, threads: Int) throws(KinError) -> SectionFile {
        let (path, files, layout, work) = (path, files, layout, LongWork(of: 2 * count))
        var spilled = try spill(threads: threads, work: work)
        let scratch = try ScratchFile(beside: path, files: files)
        var spool = ListSpool(layout: layout)
        let file = try SectionFileWriter.write(to: scratch, kind: IVFFile.kind, kindVersion: IVFFile.version) {
            writer throws(KinError) in
            for number in 0..<spilled.rows.groups {
                let group = try spilled.rows.group(number)
                let lists = try group.build(
                    dividing: &spilled.partition, layout: layout, frame: spilled.frame, grids: spilled.grids,
                    threads: threads, work: work)
                try spool.put(lists, to: &writer)
            }
        }
        let store = ListStore(
            layout: layout, frame: spilled.frame, grids: spilled.grids, lists: try spool.lists(in: file))
        lists.replace(store: store, partition: spilled.partition, threads: threads)
        return file
    }

    /// Writes all rows to groups of lists, and removes the scratch files that received them.
    private consuming func spill(threads: Int, work: LongWork) throws(KinError) -> Spilled {
        if !isAscending { try requireDistinct() }
        var source = try source()
        source.work = work
        let frame = try source.bestFrame(threads: threads)
        var (partition, rule, grids) = try source.partition(division, frame: frame, threads: threads)
        var rows = try ListSpill(
            beside: path, rows: count, lists: partition.listCount, layout: layout, memory: memory, files: files)
        try source.spill(to: &rows, by: &partition, outliersBy: rule, frame: frame, threads: threads)
        return Spilled(rows: rows, partition: partition, frame: frame, grids: grids)
    }

    /// Inserts vectors that fit into one list, in the same way as ``VectorIndex/upsert(_:ids:threads:)``.
    private func insert(into lists: inout InvertedFile) throws(KinError) {
        if !isAscending { try requireDistinct() }
        let source = try source()
        for r in 0..<count { unsafe lists.put(source.row(r), id: source.ids[r]) }
        lists.countChanges(count)
    }

    /// The received rows, mapped.
    private func source() throws(KinError) -> RowSource {
        let rows = try input.rows.image(length: count * layout.stride * MemoryLayout<Float>.stride)
        let ids = try input.ids.image(length: count * MemoryLayout<VectorID>.stride)
        return RowSource(mapping: rows, ids: ids, count: count, layout: layout)
    }

    /// Checks that all ids differ.
    private func requireDistinct() throws(KinError) {
        var ids = [VectorID](repeating: .none, count: count)
        try unsafe ids.withUnsafeMutableBufferPointer { buffer throws(KinError) in
            try unsafe input.ids.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        ids.sort()
        guard let twice = zip(ids, ids.dropFirst()).first(where: { $0 == $1 }) else { return }
        throw KinError(.duplicateID, "the id \(twice.0) is given twice; give each vector its own id")
    }
}
