import Foundation
import Kin

/// A generated picture.
struct Picture {
    enum Kind: String {
        /// Soft patches on a gradient with grain, like photographs.
        case patches
        /// Smooth from corner to corner.
        case gradient
        /// Every pixel independent: more different colours than any photograph has.
        case noise
    }

    let pixels: [UInt8]

    init(_ kind: Kind, width: Int, height: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let patches = (0..<9).map { _ in
            (
                x: random.uniform() * Double(width), y: random.uniform() * Double(height),
                size: 0.02 + 0.1 * random.uniform(), colour: (0..<3).map { _ in 255 * random.uniform() }
            )
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
                switch kind {
                case .noise: for _ in 0..<3 { pixels.append(UInt8(random.below(256))) }
                case .gradient: pixels += [UInt8(255 * u), UInt8(255 * v), UInt8(127 + 127 * (u - v))]
                case .patches:
                    var (sums, weight) = ([60, 80, 110 + 60 * v], 1.0)
                    for patch in patches {
                        let (dx, dy) = (u - patch.x / Double(width), (Double(y) - patch.y) / Double(width))
                        let near = 6 / (1 + (dx * dx + dy * dy) / (patch.size * patch.size))
                        for c in 0..<3 { sums[c] += near * near * patch.colour[c] }
                        weight += near * near
                    }
                    for sum in sums {
                        // A sum of uniforms is normal enough for grain.
                        let grain = (0..<4).reduce(0) { total, _ in total + random.uniform() } - 2
                        pixels.append(UInt8(max(0, min(255, sum / weight + 10 * grain))))
                    }
                }
            }
        }
        self.pixels = pixels
    }
}
