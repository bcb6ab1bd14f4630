public import KinCore

/// The checks of a saved index when it is opened.
public enum OpeningVerification: Sendable {
    /// Structure, ids and offsets: everything that a search relies on to stay within the file. A damaged section gives wrong neighbours.
    case structure
    /// The structure, and every byte but those of vectors and codes, which are checked when they are first used: each list once. An operation
    /// that uses a damaged list throws; ``VectorIndex/remove(_:)``, which cannot throw, makes the next operation throw.
    case onUse
    /// Every byte and all that ``VectorIndex/verify(_:)`` checks, which reads the whole file: no damaged file is opened.
    case all
}

extension VectorIndex {
    /// Opens a saved index without reading it: the file is mapped, and pages come in when a search touches them.
    ///
    /// Many processes may open one file; they share its pages. The index is a value like any other: a change
    /// copies its part of the file to memory first, and the file stays as it is until ``save(to:)``.
    ///
    /// The caller chooses the checks (``OpeningVerification``). A damaged section gives an error or, unless it is checked, wrong neighbours,
    /// never an access outside the file.
    ///
    /// A mapped file that another program shortens or overwrites in place (`cp new.kin old.kin`, `truncate`) ends the process with
    /// SIGBUS. Deploy a new file by renaming it over the old one, or open without mapping: then nothing that happens to the
    /// file matters any more, the memory is not shared with other processes, and opening takes O(bytes).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isMapped: Whether the file is mapped, or else read into memory. Default: true.
    ///   - verification: The checks. Default: the structure.
    /// - Throws: `.inputOutput`, `.unsupportedFormat` or `.corruptFile`, with the path and what to do; `.corruptFile` too if the file is
    ///   shortened while it is read.
    /// - Complexity: O(chunks): under a millisecond for a million vectors in the flat layout. In lists O(lists · (dimension + log lists)),
    ///   some microseconds a list. With ``OpeningVerification/onUse`` also O(n) for ids, boxes and attributes; the first change or save
    ///   checks the rest of the file. With ``OpeningVerification/all``, that of ``verify(_:)`` too.
    public init(
        opening path: String, mapped isMapped: Bool = true, verify verification: OpeningVerification = .structure
    ) throws(KinError) {
        do throws(KinError) {
            if case .all = verification { try Self.verify(path).requireIntact() }
            let file = try SectionFile(mapping: path, isMapped)
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
            self.init(rows: .flat(rows), nextID: nextID, attributes: try file.attributes(rows: rows.count))
        case IVFFile.kind:
            try file.require(IVFFile.kind, version: IVFFile.version, name: IVFFile.name)
            try self.init(listsOf: file)
        default:
            throw KinError(
                .unsupportedFormat,
                "the file is a Kin file of kind \"\(file.header.kind)\", not an index; open it as what it is")
        }
    }

    /// Reads an index in lists from the sections that ``write(to:)`` wrote, which may be a part of a file of a different kind.
    ///
    /// - Throws: `.corruptFile`.
    package init(listsOf file: SectionFile) throws(KinError) {
        let (lists, nextID) = try InvertedFile.read(file)
        self.init(rows: .lists(lists), nextID: nextID, attributes: try file.attributes(rows: lists.count))
    }

    /// Reads an index that was created by ``init(exactlySearched:metric:alongOwnAxes:)`` from its sections of a file.
    ///
    /// - Throws: `.corruptFile`, for a frame that is not along the own axes too.
    package init(exactlySearched file: SectionFile, alongOwnAxes: Bool) throws(KinError) {
        try self.init(listsOf: file)
        try change(
            flat: { (_) throws(KinError) in },
            lists: { (lists) throws(KinError) in try lists.requireExactSearches(alongOwnAxes: alongOwnAxes) })
    }
}
