/// A dominant colour of an image.
public struct DominantColour: Sendable, Hashable {
    /// The red component in sRGB.
    public let red: UInt8
    /// The green component in sRGB.
    public let green: UInt8
    /// The blue component in sRGB.
    public let blue: UInt8
    /// The share of the pixels nearest to the colour, 0…1.
    public let share: Double

    /// Creates a colour from components and share.
    ///
    /// - Throws: `.invalidArgument` for a share outside 0…1.
    public init(red: UInt8, green: UInt8, blue: UInt8, share: Double) throws(KinError) {
        guard share >= 0, share <= 1 else {
            throw .field("share", "the share must be from 0 to 1, not \(share)")
        }
        self.init(unchecked: (red, green, blue), share: share)
    }

    init(unchecked rgb: (red: UInt8, green: UInt8, blue: UInt8), share: Double) {
        (red, green, blue) = rgb
        self.share = share
    }

    /// The colour in CIELAB coordinates.
    public var lab: CIELAB { CIELAB(red: Double(red), green: Double(green), blue: Double(blue)) }

    /// The colour in CSS notation: "#2e8b57".
    public var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The mean of colours in CIELAB, weighted by share.
    static func mean(of colours: [DominantColour]) -> (Float, Float, Float) {
        var (l, a, b, total) = (0.0, 0.0, 0.0, 0.0)
        for colour in colours {
            let (lab, weight) = (colour.lab, max(colour.share, 1e-6))
            l += weight * lab.lightness
            a += weight * lab.a
            b += weight * lab.b
            total += weight
        }
        return (Float(l / total), Float(a / total), Float(b / total))
    }

    private var roundedShare: Double { rounded(share) }

    static let form = RecordSchema<DominantColour>(
        "colour", .required("hex", \.hex, digits), .required("share", \.roundedShare, .number())
    ) { hex, share throws(KinError) in
        let bits = UInt32(hex.dropFirst(), radix: 16) ?? 0
        return try DominantColour(
            red: UInt8(bits >> 16 & 255), green: UInt8(bits >> 8 & 255), blue: UInt8(bits & 255), share: share)
    }

    private static let digits = JSONForm<String>(
        "# and six hexadecimal digits",
        read: { reader throws(KinError) in
            let text = try reader.string()
            let isHex = text.utf8.count == 7 && text.first == "#" && text.dropFirst().allSatisfy(\.isHexDigit)
            guard isHex else { throw reader.error("a colour is written as # and six hexadecimal digits") }
            return text
        }, write: { $1.string($0) })
}
