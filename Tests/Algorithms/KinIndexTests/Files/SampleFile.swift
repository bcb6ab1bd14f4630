import KinIndex
import KinTestSupport

/// A small file with every feature of a container: several kinds, numbers, strides, paddings, and an empty section.
enum SampleFile {
    static let kind: FourCharacterCode = "TEST"
    static let kindVersion = FormatVersion(major: 7, minor: 3)

    static let vectors: [Float] = (0..<80).map { Float($0) / 8 - 5 }
    static let ids: [UInt64] = [3, 1, 4, 1 << 40, .max - 1]
    static let note = Array("Kin keeps what it is given, to the bit: \u{2211} (x \u{2212} q)\u{B2}".utf8)

    static func write(to path: String, files: some FileOperations = SystemFiles()) throws(KinError) {
        try SectionFileWriter.write(to: path, kind: kind, kindVersion: kindVersion, files: files) {
            writer throws(KinError) in
            try writer.begin("VECS", 0, stride: 64)
            try writer.append(vectors.span)
            try writer.begin("IDS ", 0, stride: 8)
            try writer.append(ids.span)
            try writer.begin("VECS", 1, stride: 64)
            try writer.begin("NOTE", 9, stride: 1)
            try writer.append(note.span)
        }
    }

    static func bytes() throws(KinError) -> [UInt8] {
        let folder = TemporaryFolder()
        try write(to: folder.path("sample.kin"))
        return try contents(of: folder.path("sample.kin"))
    }

    /// The same file as `FORMAT.md` describes it.
    static var byHand: HandmadeFile {
        HandmadeFile(
            kind: "TEST",
            kindVersion: (7, 3),
            sections: [
                .init("VECS", 0, stride: 64, vectors.flatMap { littleEndian($0.bitPattern) }),
                .init("IDS ", 0, stride: 8, ids.flatMap { littleEndian($0) }),
                .init("VECS", 1, stride: 64, []),
                .init("NOTE", 9, stride: 1, note),
            ]
        )
    }
}

extension FileImage {
    convenience init(copyOf bytes: [UInt8]) { self.init(copying: unsafe bytes.span.bytes) }
}

extension SectionFile {
    init(copyOf bytes: [UInt8]) throws(KinError) { try self.init(copying: unsafe bytes.span.bytes) }
}
