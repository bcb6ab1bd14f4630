/// A picture in the portable pixmap format: "P6", width, height, 255, then red, green and blue of each pixel.
public struct PPMPicture: Sendable {
    /// The number of pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// Red, green and blue of each pixel, row after row: 3 × width × height bytes.
    public let pixels: [UInt8]

    /// The largest number of pixels of a picture.
    private static let largest = 1 << 28

    /// Reads a picture with eight bits per channel; its header may have comments.
    ///
    /// - Parameter path: The file; `-` is standard input.
    /// - Throws: `.inputOutput` for a file that cannot be read. `.malformedInput` for a different format, or a picture
    ///   that is truncated, empty or has more than 268 million pixels.
    public init(reading path: String) throws(KinError) {
        let source = try ByteReader(path: path)
        guard try source.read(upTo: 2) == Array("P6".utf8) else {
            throw source.malformed("this is not a binary PPM picture (P6)")
        }
        width = try Self.number(source)
        height = try Self.number(source)
        guard try Self.number(source) == 255 else {
            throw source.malformed("only pictures of eight bits (255) are read")
        }
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, count >= 1, count <= Self.largest else {
            throw source.malformed("a picture of \(width) × \(height) pixels is empty or too large")
        }
        pixels = try source.readExactly(3 * count, for: "the pixels")
    }

    /// Reads a number after white space and comments, and one byte after it.
    private static func number(_ source: ByteReader) throws(KinError) -> Int {
        var (digits, isComment) = ("", false)
        while let byte = try source.read(upTo: 1).first {
            if isComment {
                isComment = byte != 0x0A
            } else if byte == UInt8(ascii: "#"), digits.isEmpty {
                isComment = true
            } else if (0x30...0x39).contains(byte), digits.utf8.count < 10 {
                digits.unicodeScalars.append(Unicode.Scalar(byte))
            } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                if !digits.isEmpty { break }
            } else {
                throw source.malformed("a number is expected in the picture's header, not the byte \(byte)")
            }
        }
        guard let number = Int(digits) else { throw source.malformed("the picture's header ends too early") }
        return number
    }
}
