/// The checks of a saved index when it is opened.
public enum OpeningVerification: Sendable {
    /// Structure, ids and offsets: everything that prevents accesses outside the file. A damaged section causes wrong
    /// neighbours.
    case structure
    /// The structure, and every byte except those of vectors and codes. These are checked when they are first used, each
    /// list once. An operation that uses a damaged list throws; `remove`, which cannot throw, makes the
    /// next operation throw.
    case onUse
    /// Every byte and all checks of ``VectorIndex/verify(_:)``, which reads the whole file. A damaged file is never
    /// opened.
    case all
}

extension VectorIndex {
    /// Opens a saved index without reading it: the file is mapped, and pages are loaded when a search accesses them.
    ///
    /// Several processes may open the same file and share its pages. The index is a value like any other: a change
    /// first copies the affected part of the file to memory, and the file is unchanged until ``save(to:)``.
    ///
    /// The caller chooses the checks (``OpeningVerification``). A damaged section causes an error or, if it is not checked,
    /// wrong neighbours, never an access outside the file.
    ///
    /// If a program shortens or overwrites a mapped file in place (`cp new.kin old.kin`, `truncate`), the process ends
    /// with SIGBUS. Deploy a new file by renaming it over the old one, or open the file without mapping. Without
    /// mapping, later changes to the file have no effect, the memory is not shared with other processes, and opening
    /// takes O(bytes).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isMapped: Whether the file is mapped; otherwise it is read into memory. Default: true.
    ///   - verification: The checks. Default: the structure.
    /// - Throws: `.inputOutput`, `.unsupportedFormat` or `.corruptFile`, with the path and advice; also `.corruptFile`
    ///   if the file is shortened while it is read.
    /// - Complexity: O(chunks) in the flat layout: under a millisecond for a million vectors. O(lists · (dimension +
    ///   log lists)) with lists, a few microseconds per list. With ``OpeningVerification/onUse``, O(n) for ids, boxes and
    ///   attributes in addition; the first change or save checks the rest of the file. With ``OpeningVerification/all``,
    ///   the cost of ``verify(_:)`` in addition.
    public init(
        opening path: String, mapped isMapped: Bool = true, verify verification: OpeningVerification = .structure
    ) throws(KinError) {
        do throws(KinError) {
            let file = try SectionFile(mapping: path, isMapped)
            if case .all = verification { try Self.verify(path).requireIntact() }
            if case .onUse = verification { try file.requireIntactExceptContent() }
            try self.init(file: file)
            if case .onUse = verification { beginContentCheck(of: file, path) }
        } catch {
            throw error.naming(path)
        }
    }

    package init(file: SectionFile) throws(KinError) {
        switch file.header.kind {
        case FlatFile.kind:
            try file.require(FlatFile.kind, version: FlatFile.version, name: FlatFile.name)
            let (rows, nextID) = try FlatRows.read(file)
            self.init(
                rows: .flat(rows), nextID: nextID, attributes: try file.attributes(rows: rows.count),
                names: try SavedNames(file, count: rows.count))
        case IVFFile.kind:
            try file.require(IVFFile.kind, version: IVFFile.version, name: IVFFile.name)
            try self.init(listsOf: file)
        default:
            throw KinError(
                .unsupportedFormat,
                "the file is a Kin file of kind \"\(file.header.kind)\", not an index; open it as that kind")
        }
    }

    /// Reads an index in lists from the sections that ``write(to:)`` wrote, which may be part of a file of a different
    /// kind.
    ///
    /// - Throws: `.corruptFile`.
    package init(listsOf file: SectionFile) throws(KinError) {
        let (lists, nextID) = try InvertedFile.read(file)
        self.init(
            rows: .lists(lists), nextID: nextID, attributes: try file.attributes(rows: lists.count),
            names: try SavedNames(file, count: lists.count))
    }

    /// Reads an index created by ``init(exactlySearched:metric:alongOwnAxes:)`` from its sections of a file.
    ///
    /// - Throws: `.corruptFile`, also for boxes that must follow the vectors' own axes but do not.
    package init(exactlySearched file: SectionFile, alongOwnAxes: Bool) throws(KinError) {
        try self.init(listsOf: file)
        try change(
            flat: { (_) throws(KinError) in },
            lists: { (lists) throws(KinError) in try lists.requireExactSearches(alongOwnAxes: alongOwnAxes) })
    }
}
