import Foundation

/// Searches for bytes in every file of a folder, including subfolders.
package struct FolderSearch {
    private let folder: String

    package init(_ folder: String) { self.folder = folder }

    /// The paths of all files, relative to the folder.
    package var files: [String] {
        FileManager.default.enumerator(atPath: folder)?.compactMap { entry in
            guard let name = entry as? String else { return nil }
            let kind =
                try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.type] as? FileAttributeType
            return kind == .typeRegular ? name : nil
        }.sorted() ?? []
    }

    /// The first text whose bytes are in a file, and that file.
    package func first(of texts: [String]) throws -> (text: String, file: String)? {
        for file in files {
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            for text in texts where contains(bytes, Array(text.utf8)) { return (text, file) }
        }
        return nil
    }

    /// Whether a file contains the text's bytes. Foundation's own search of data compares byte by byte.
    private func contains(_ bytes: Data, _ text: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes -> Bool in
            guard let first = text.first, let start = bytes.baseAddress else { return false }
            let end = unsafe start + bytes.count
            var rest = bytes.count
            while rest >= text.count, let place = unsafe memchr(end - rest, Int32(first), rest - text.count + 1) {
                if unsafe memcmp(place, text, text.count) == 0 { return true }
                rest = unsafe end - UnsafeRawPointer(place) - 1
            }
            return false
        }
    }
}
