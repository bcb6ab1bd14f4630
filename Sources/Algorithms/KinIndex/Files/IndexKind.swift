public import KinCore

/// The kind of index in a Kin file.
public enum IndexKind: String, Sendable, Hashable, CaseIterable {
    /// The file of a ``FlatIndex``.
    case flat
    /// The file of an ``IVFIndex``.
    case ivf

    /// Reads the kind of a file from its header.
    ///
    /// - Throws: `.inputOutput`, `.corruptFile`, or `.unsupportedFormat` when it is no Kin file or none of an index, with the
    ///   path.
    public init(ofFile path: String) throws(KinError) {
        self = try withOpenFile(at: path, files: SystemFiles()) { file throws(KinError) in
            let header = try SectionFileHeader(
                decoding: file.bytes(in: 0..<min(SectionFileHeader.size, file.length)), actualLength: file.length)
            switch header.kind {
            case FlatFile.kind: return .flat
            case IVFFile.kind: return .ivf
            default:
                throw KinError(
                    .unsupportedFormat,
                    "the file is a Kin file of kind \"\(header.kind)\", not an index; open it as what it is")
            }
        }
    }

    /// Checks the file of an index, whatever its kind; see ``FlatIndex/verify(_:)`` and ``IVFIndex/verify(_:)``.
    ///
    /// - Throws: As those do, and as ``init(ofFile:)``.
    public static func verify(_ path: String) throws(KinError) -> FileReport {
        switch try IndexKind(ofFile: path) {
        case .flat: try FlatIndex.verify(path)
        case .ivf: try IVFIndex.verify(path)
        }
    }
}
