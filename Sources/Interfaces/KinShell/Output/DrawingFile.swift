import Foundation
import KinDrawings
import KinFiles

extension SVGDrawing {
    /// Writes the file, whole or not at all.
    ///
    /// - Throws: A `Failure` of usage for a name that promises another format than SVG.
    func write(to path: String) throws {
        let ending = (path as NSString).pathExtension.lowercased()
        guard path == "-" || ending == "svg" else {
            let name = (path as NSString).deletingPathExtension
            throw Failure.usage("drawings are SVG, not \(ending.isEmpty ? "\"\(path)\"" : ending): call it \(name).svg")
        }
        try WholeFile.make(path, text: document)
    }
}
