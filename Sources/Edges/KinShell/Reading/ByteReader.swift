import Foundation
import Kin

/// The bytes of a file or of standard input, read once from front to back.
///
/// Every reader of vectors stands on this: nothing is held but the piece asked for, so memory follows what the file
/// really contains and never what its header claims.
final class ByteReader {
    /// The name to show in errors: the path, or `standard input`.
    let name: String
    /// The file's length in bytes; nil where it cannot be known, as for a pipe.
    let size: Int?
    /// The number of bytes read so far.
    private(set) var position = 0

    private let handle: FileHandle
    private var ahead: [UInt8] = []

    /// Opens a file; `-` is standard input.
    init(path: String) throws(Failure) {
        if path == "-" {
            name = "standard input"
            size = nil
            handle = .standardInput
            return
        }
        name = path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw Failure(.noInput, KinError(.inputOutput, "there is no file \(path)"))
        }
        var type = attributes[.type] as? FileAttributeType
        var length = (attributes[.size] as? NSNumber)?.intValue
        if type == .typeSymbolicLink {
            let target = (path as NSString).resolvingSymlinksInPath
            let resolved = try? FileManager.default.attributesOfItem(atPath: target)
            type = resolved?[.type] as? FileAttributeType
            length = (resolved?[.size] as? NSNumber)?.intValue
        }
        if type == .typeDirectory {
            throw Failure(.noInput, KinError(.inputOutput, "\(path) is a folder, not a file"))
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure(.noInput, KinError(.inputOutput, "\(path) cannot be read: you may lack the permission"))
        }
        self.handle = handle
        size = type == .typeRegular ? length : nil
    }

    /// The next bytes, fewer than `count` only at the end.
    func read(upTo count: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        if !ahead.isEmpty {
            bytes.append(contentsOf: ahead.prefix(count))
            ahead.removeFirst(bytes.count)
        }
        while bytes.count < count {
            let piece: Data?
            do {
                piece = try handle.read(upToCount: min(count - bytes.count, 1 << 22))
            } catch {
                throw Failure(.inputOutput, KinError(.inputOutput, "reading failed").within("file", name))
            }
            guard let piece, !piece.isEmpty else { break }
            bytes.append(contentsOf: piece)
        }
        position += bytes.count
        return bytes
    }

    /// All that is still to come.
    func readAll() throws(Failure) -> [UInt8] { try read(upTo: .max) }

    /// All that is still to come as text.
    ///
    /// - Parameter noun: What an error calls it: "log".
    /// - Throws: `.capacityExceeded` for more than 1 GB, `.malformedInput` for bytes that are no UTF-8.
    func text(of noun: String) throws(Failure) -> String {
        let bytes = try read(upTo: Self.longestText + 1)
        guard bytes.count <= Self.longestText else {
            throw Failure(KinError(.capacityExceeded, "the \(noun) is longer than 1 GB").within("file", name))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw malformed("the text is not UTF-8: convert the file to UTF-8 first")
        }
        return text
    }

    private static let longestText = 1 << 30

    /// The first bytes of what is still to come, left in place.
    func peek(_ count: Int) throws(Failure) -> [UInt8] {
        let bytes = try read(upTo: count)
        position -= bytes.count
        ahead = bytes + ahead
        return bytes
    }

    /// Exactly `count` bytes, or an error that says the file ends too early.
    func readExactly(_ count: Int, for what: String) throws(Failure) -> [UInt8] {
        let start = position
        let bytes = try read(upTo: count)
        guard bytes.count == count else {
            let found = "\(NumberText.count(bytes.count)) of \(NumberText.count(count, "byte"))"
            throw malformed("the file ends in the middle of \(what), at byte \(start): \(found) are there")
        }
        return bytes
    }

    /// An error about this file's content.
    func malformed(_ message: String) -> Failure {
        Failure(KinError(.malformedInput, message).within("file", name))
    }
}
