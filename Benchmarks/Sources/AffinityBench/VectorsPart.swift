import Foundation
import Kin
import KinSamples

/// Writes souls as a NumPy file of floats for an index of inner products. Each block has the square root of its weight
/// as its length, and the blocks are concatenated. Missing blocks are zeros and valence is one coordinate, so the
/// scores differ from the model's there.
struct VectorsPart {
    let souls: [Soul]
    let path: String

    func run() throws {
        var rows: [[Float]] = []
        let rarity = GoalRarity(among: souls)
        let names = [SoulGenerator.goals, SoulGenerator.realms, SoulGenerator.objects]
        for soul in souls {
            var row: [Float] = []
            for (block, names) in zip([SoulBlock.goals, .realms, .objects], names) {
                let traits = [soul.goals, soul.realms, soul.objects][block.rawValue]
                let values = names.map { log1p(traits[$0]) * (block == .goals ? rarity.factor($0) : 1) }
                row += scaled(values, AffinityWeights.standard[block])
            }
            row += scaled(pattern(soul.pattern), AffinityWeights.standard[.patterns])
            row.append(Float((AffinityWeights.standard[.valence] / 2).squareRoot() * (soul.valence ?? 0)))
            rows.append(row)
        }
        let width = rows[0].count
        var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows.count), \(width)), }"
        header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
        var data = Data([0x93] + Array("NUMPY".utf8) + [1, 0])
        data.append(contentsOf: [UInt8(header.utf8.count & 255), UInt8(header.utf8.count >> 8)])
        data.append(Data(header.utf8))
        for row in rows {
            for x in row {
                unsafe withUnsafeBytes(of: x.bitPattern.littleEndian) { unsafe data.append(contentsOf: $0) }
            }
        }
        try data.write(to: URL(fileURLWithPath: path))
        print("\(path): \(rows.count) × \(width)")
    }

    private func pattern(_ pattern: SessionPattern?) -> [Double] {
        guard let pattern else { return [Double](repeating: 0, count: 27) }
        let total = pattern.hours.reduce(0, +)
        return pattern.hours.map { ($0 / max(total, 1e-300)).squareRoot() } + [
            pattern.minutes / (pattern.minutes + 20), pattern.sessionsPerWeek / (pattern.sessionsPerWeek + 3),
            pattern.streak / (pattern.streak + 7),
        ]
    }

    private func scaled(_ values: [Double], _ weight: Double) -> [Float] {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return values.map { length > 0 ? Float($0 / length * weight.squareRoot()) : 0 }
    }
}
