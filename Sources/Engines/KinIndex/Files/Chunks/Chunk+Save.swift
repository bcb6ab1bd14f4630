import KinCore
import KinLinearAlgebra

extension Chunk {
    func writeRows(_ number: UInt32, to writer: inout SectionFileWriter) throws(KinError) {
        try writer.begin(IndexSections.rows, number, stride: layout.stride * 4)
        try writer.append(unsafe Span(_unsafeStart: rows, count: count * layout.stride))
    }

    func writeIDs(_ number: UInt32, to writer: inout SectionFileWriter) throws(KinError) {
        try writer.begin(IndexSections.ids, number, stride: 8)
        try writer.append(unsafe Span(_unsafeStart: ids, count: count))
    }

    /// Writes codes and exceptions, if the chunk is coded.
    func writeCodes(_ number: UInt32, to writer: inout SectionFileWriter) throws(KinError) {
        guard let coding else { return }
        try writer.begin(IndexSections.codes, number, stride: layout.blockBytes)
        try writer.append(unsafe Span(_unsafeStart: codes, count: blocks * layout.blockBytes))
        guard !coding.exceptions.isEmpty else { return }
        try writer.begin(IndexSections.exceptions, number, stride: 4)
        try writer.append(coding.exceptions.span)
    }
}
