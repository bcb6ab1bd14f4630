import Foundation

extension SVGDrawing {
    /// Writes the complete file or nothing.
    ///
    /// - Throws: A `Failure` of usage if the path has the extension of a format other than SVG.
    func write(to path: String) throws {
        let ending = (path as NSString).pathExtension.lowercased()
        guard path == "-" || ending == "svg" else {
            let name = (path as NSString).deletingPathExtension
            throw Failure.usage("drawings are SVG, not \(ending.isEmpty ? "\"\(path)\"" : ending): call it \(name).svg")
        }
        try WholeFile.make(path, text: document)
    }
}
