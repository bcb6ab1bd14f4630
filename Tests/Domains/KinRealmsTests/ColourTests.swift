import KinRealms
import KinTestSupport
import Testing

@Suite struct ColourTests {
    /// Values by definition, as in published tables.
    @Test func knownColours() {
        let known: [(rgb: (Double, Double, Double), lab: (Double, Double, Double))] = [
            ((255, 255, 255), (100, 0, 0)), ((0, 0, 0), (0, 0, 0)), ((255, 0, 0), (53.241, 80.092, 67.203)),
            ((0, 255, 0), (87.735, -86.183, 83.179)), ((0, 0, 255), (32.297, 79.188, -107.860)),
            ((128, 128, 128), (53.585, 0, 0)), ((46, 139, 87), (51.535, -39.715, 20.052)),
        ]
        for (rgb, lab) in known {
            let found = CIELAB(red: rgb.0, green: rgb.1, blue: rgb.2)
            #expect(found.difference(from: CIELAB(lightness: lab.0, a: lab.1, b: lab.2)) < 0.02, "\(rgb): \(found)")
        }
    }

    @Test func everyColourSurvivesARoundTrip() {
        for red in stride(from: 0, through: 255, by: 15) {
            for green in stride(from: 0, through: 255, by: 17) {
                for blue in stride(from: 0, through: 255, by: 5) {
                    let rgb = CIELAB(red: Double(red), green: Double(green), blue: Double(blue)).rgb
                    #expect(rgb == (UInt8(red), UInt8(green), UInt8(blue)))
                }
            }
        }
    }

    @Test func fewColoursAreFoundExactly() throws {
        let colours: [[UInt8]] = [[200, 30, 40], [20, 90, 160], [240, 240, 220]]
        var pixels: [UInt8] = []
        for (colour, count) in zip(colours, [50, 30, 20]) {
            for _ in 0..<count { pixels += colour }
        }
        let found = try DominantColours(count: 8).find(in: pixels)
        #expect(found.map(\.hex) == ["#c81e28", "#145aa0", "#f0f0dc"])
        #expect(found.map(\.share) == [0.5, 0.3, 0.2])
        let withAlpha = pixels.indices.flatMap { i -> [UInt8] in i % 3 == 2 ? [pixels[i], 9] : [pixels[i]] }
        #expect(try DominantColours(count: 3).find(in: withAlpha, layout: .rgba) == found)
    }

    /// Sums of one colour's components exceed 32 bits from 2²⁴ pixels on.
    @Test func manyPixelsOfAColourAreCounted() throws {
        let (white, dark) = (1 << 24 + 300_000, 400_000)
        var pixels = [UInt8](repeating: 255, count: 3 * white)
        pixels.append(contentsOf: [[UInt8]](repeating: [10, 20, 30], count: dark).joined())
        let found = try DominantColours(count: 4).find(in: pixels)
        #expect(found.map(\.hex) == ["#ffffff", "#0a141e"])
        #expect(abs(Double(found[0].share) - Double(white) / Double(white + dark)) < 1e-6)
    }

    /// Lloyd's iteration over every pixel in double precision, started at the found colours and run to convergence,
    /// moves no colour by more than ΔE 2.
    @Test(arguments: 0..<4) func allPixelsInDoublePrecisionAgree(_ number: Int) throws {
        let image = Picture(width: 96, height: 72, seed: TestSeed.value &+ UInt64(number))
        let found = try DominantColours(count: 5, seed: 3).find(in: image.pixels)
        #expect(abs(found.reduce(0) { $0 + $1.share } - 1) < 1e-9)
        let points = stride(from: 0, to: image.pixels.count, by: 3).map {
            CIELAB(
                red: Double(image.pixels[$0]), green: Double(image.pixels[$0 + 1]), blue: Double(image.pixels[$0 + 2]))
        }
        var centres = found.map(\.lab)
        for _ in 0..<100 {
            var sums = centres.map { _ in (0.0, 0.0, 0.0, 0.0) }
            for point in points {
                let nearest = centres.indices.min {
                    point.difference(from: centres[$0]) < point.difference(from: centres[$1])
                }!
                sums[nearest].0 += point.lightness
                sums[nearest].1 += point.a
                sums[nearest].2 += point.b
                sums[nearest].3 += 1
            }
            let means = sums.map { CIELAB(lightness: $0.0 / $0.3, a: $0.1 / $0.3, b: $0.2 / $0.3) }
            if means == centres { break }
            centres = means
        }
        for (colour, centre) in zip(found, centres) {
            #expect(colour.lab.difference(from: centre) < 2, "picture \(number): \(colour.hex)")
        }
    }

    @Test func wrongArgumentsAreRefused() {
        #expect(errorCode { try DominantColours().find(in: []) } == .invalidArgument)
        #expect(errorCode { try DominantColours().find(in: [1, 2]) } == .invalidArgument)
        #expect(errorCode { try DominantColours(count: 0).find(in: [1, 2, 3]) } == .invalidArgument)
        #expect(errorCode { try DominantColours(restarts: 0).find(in: [1, 2, 3]) } == .invalidArgument)
    }
}

/// A picture of soft patches on a gradient, with noise.
struct Picture {
    let pixels: [UInt8]

    init(width: Int, height: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let patches = (0..<9).map { _ in
            (
                x: random.uniform() * Double(width), y: random.uniform() * Double(height),
                size: 0.02 + 0.1 * random.uniform(), colour: (0..<3).map { _ in 255 * random.uniform() }
            )
        }
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                var sums = [60.0, 80, 110 + 60 * Double(y) / Double(height)]
                var weight = 1.0
                for patch in patches {
                    let dx = (Double(x) - patch.x) / Double(width)
                    let dy = (Double(y) - patch.y) / Double(width)
                    let w = 6 / (1 + (dx * dx + dy * dy) / (patch.size * patch.size))
                    for c in 0..<3 { sums[c] += w * w * patch.colour[c] }
                    weight += w * w
                }
                for sum in sums { pixels.append(UInt8(max(0, min(255, sum / weight + 8 * random.normalDeviate())))) }
            }
        }
        self.pixels = pixels
    }
}
