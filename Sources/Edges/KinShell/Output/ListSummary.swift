import Kin

/// Sizes and boxes of an index's lists, in JSON.
struct ListRecord: Encodable, Equatable {
    let count: Int
    let blocks: Int
    let partition: String
    let isRotated: Bool
    let smallest: Int
    let median: Int
    let largest: Int
    /// Half the diagonals of the lists' boxes; absent where there is no finite box.
    let smallestRadius: Double?
    let medianRadius: Double?
    let largestRadius: Double?
    /// Half the diagonal of a box around everything.
    let radius: Double?

    init(_ report: ListReport) {
        count = report.sizes.count
        blocks = report.blocks
        partition = report.partition
        isRotated = report.isRotated
        let sizes = report.sizes.sorted()
        smallest = sizes.first ?? 0
        median = sizes.isEmpty ? 0 : sizes[sizes.count / 2]
        largest = sizes.last ?? 0
        let radii = report.radii.sorted()
        smallestRadius = radii.first
        medianRadius = radii.isEmpty ? nil : radii[radii.count / 2]
        largestRadius = radii.last
        radius = report.radius
    }

    /// Rows of a table: a title and what there is to say.
    var lines: [[String]] {
        var lines = [
            [
                "lists",
                "\(NumberText.count(count)) by \(partition), \(NumberText.count(blocks, "block")) of up to 64 vectors",
            ],
            [
                "vectors a list",
                "\(NumberText.count(smallest)) to \(NumberText.count(largest)), median \(NumberText.count(median))",
            ],
            ["boxes", isRotated ? "along the principal axes of the data" : "along the vectors' own axes"],
        ]
        if let smallestRadius, let medianRadius, let largestRadius, let radius {
            func digits(_ value: Double) -> String { NumberText.threeDigits(value) }
            lines.append([
                "radius of a box",
                "\(digits(smallestRadius)) to \(digits(largestRadius)), median \(digits(medianRadius)); "
                    + "of all vectors \(digits(radius))",
            ])
        }
        return lines
    }
}

/// The number of lists of each size, as bars.
enum SizeHistogram {
    /// Lines of a table: a range of sizes, how many lists have one of them, a bar.
    ///
    /// - Parameters:
    ///   - bins: The most ranges there may be; they are of equal width, in whole vectors.
    ///   - width: Characters of the longest bar.
    static func table(of sizes: [Int], bins: Int = 8, width: Int = 40) -> TextTable {
        var table = TextTable([("vectors", .right), ("lists", .right), ("", .left)])
        guard let least = sizes.min(), let most = sizes.max() else { return table }
        let step = (most - least) / bins + 1
        var counts = [Int](repeating: 0, count: (most - least) / step + 1)
        for size in sizes { counts[(size - least) / step] += 1 }
        let highest = counts.max() ?? 1
        for (bin, count) in counts.enumerated() {
            let (low, high) = (least + bin * step, min(most, least + (bin + 1) * step - 1))
            let range = low == high ? NumberText.count(low) : "\(NumberText.count(low)) – \(NumberText.count(high))"
            table.append([range, NumberText.count(count), bar(Double(count) / Double(highest), width: width)])
        }
        return table
    }

    /// A bar in eighths of a character; the least share above none is still seen.
    static func bar(_ share: Double, width: Int) -> String {
        let eighths = share > 0 ? max(1, Int((share * Double(width * 8)).rounded())) : 0
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
