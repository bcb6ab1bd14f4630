import Foundation

/// Looks for bytes in every file of a folder and of those in it.
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

    /// The first text that some file has the bytes of, and that file.
    package func first(of texts: [String]) throws -> (text: String, file: String)? {
        for file in files {
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            for text in texts where bytes.range(of: Data(text.utf8)) != nil { return (text, file) }
        }
        return nil
    }
}
