public import Kin
import KinJSON

/// Files of souls: JSON lines.
public enum SoulFile {
    /// Reads all souls of a file.
    ///
    /// - Parameter path: The file; `-` is standard input.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with line and field.
    public static func read(_ path: String) throws(KinError) -> [Soul] {
        var souls: [Soul] = []
        try ByteReader(path: path).forEachJSONLine { reader throws(KinError) in
            souls.append(try Soul(from: &reader))
        }
        return souls
    }
}
