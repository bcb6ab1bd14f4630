import Foundation
import Kin

/// Writes generated profiles to a file as they are made; `-` is standard output.
struct ProfileWriter {
    let generator: ProfileGenerator
    let format: VectorFormat
    /// The names of the dimensions, for the header of a CSV file.
    let names: [String]

    init(_ generator: ProfileGenerator, format: VectorFormat) throws(Failure) {
        guard format == .csv || format == .npy || format == .fvecs else {
            throw .usage("profiles are written as csv, npy or fvecs, not \(format.rawValue)")
        }
        self.generator = generator
        self.format = format
        names =
            generator.dimension == Pleasure.Dimension.names.count
            ? Pleasure.Dimension.names : (0..<generator.dimension).map { "x\($0)" }
    }

    /// Writes everything; a file appears under its name only once it is whole.
    func write(to path: String, threads: Int, console: Console) throws {
        let bar = ProgressBar("writing \((path as NSString).lastPathComponent)", on: console)
        defer { bar.finish() }
        try WholeFile.make(path) { file in
            try file.write(header())
            try generator.forEachBlock(threads: threads) { (block, millionths) throws(KinError) in
                try file.write(encoded(millionths, firstRow: block * ProfileGenerator.blockRows))
                bar.update(done: (block + 1) * ProfileGenerator.blockRows, of: generator.count) {
                    NumberText.count($0, "row")
                }
            }
        }
    }

    private func header() -> [UInt8] {
        switch format {
        case .csv: return Array("id,\(names.joined(separator: ","))\n".utf8)
        case .npy:
            let dictionary =
                "{'descr': '<f4', 'fortran_order': False, 'shape': (\(generator.count), \(generator.dimension)), }"
            // The format wants magic, version, length and dictionary together to be a multiple of 64 bytes.
            let padding = 63 - (10 + dictionary.utf8.count) % 64
            let text = dictionary + String(repeating: " ", count: padding) + "\n"
            let length = UInt16(text.utf8.count)
            return [0x93] + "NUMPY".utf8 + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + text.utf8
        case .fvecs, .bvecs, .ivecs: return []
        }
    }

    private func encoded(_ millionths: [UInt32], firstRow: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(millionths.count * 9)
        let dimension = generator.dimension
        for (offset, value) in millionths.enumerated() {
            let isRowStart = offset % dimension == 0
            switch format {
            case .csv:
                if isRowStart { bytes.append(contentsOf: String(firstRow + offset / dimension).utf8) }
                bytes.append(0x2C)
                ProfileWriter.appendDecimal(value, to: &bytes)
                if offset % dimension == dimension - 1 { bytes.append(0x0A) }
            default:
                if isRowStart && format == .fvecs { ProfileWriter.append(UInt32(dimension), to: &bytes) }
                ProfileWriter.append(ProfileGenerator.coordinate(value).bitPattern, to: &bytes)
            }
        }
        return bytes
    }

    /// Millionths as a decimal without trailing zeros: `0.25`, `1`, `0.000001`.
    private static func appendDecimal(_ millionths: UInt32, to bytes: inout [UInt8]) {
        bytes.append(0x30 + UInt8(millionths / 1_000_000))
        var rest = millionths % 1_000_000
        guard rest > 0 else { return }
        bytes.append(0x2E)
        var unit: UInt32 = 100_000
        while rest > 0 {
            bytes.append(0x30 + UInt8(rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
