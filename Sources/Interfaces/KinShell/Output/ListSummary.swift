extension ListReport {
    private func quartiles<Value: Comparable>(_ values: [Value]) -> (least: Value, median: Value, most: Value)? {
        let sorted = values.sorted()
        return sorted.last.map { (sorted[0], sorted[sorted.count / 2], $0) }
    }

    /// The sizes and boxes of an index's lists as JSON; a radius is half the diagonal of a box. Radii are left out if
    /// none is finite.
    var record: Record {
        let (sizes, radii) = (quartiles(sizes), quartiles(radii))
        return [
            "count": self.sizes.count, "blocks": blocks, "partition": partition, "is_rotated": isRotated,
            "smallest": sizes?.least ?? 0, "median": sizes?.median ?? 0, "largest": sizes?.most ?? 0,
            "smallest_radius": radii?.least, "median_radius": radii?.median, "largest_radius": radii?.most,
            "radius": radius,
        ]
    }

    /// The rows of a table, each with a title and values.
    var lines: [[String]] {
        let sizes = quartiles(sizes) ?? (0, 0, 0)
        var lines = [
            ["lists", "\(NumberText.count(self.sizes.count)) by \(partition), \(blocks, "block") of up to 64 vectors"],
            [
                "vectors a list",
                "\(NumberText.count(sizes.least)) to \(NumberText.count(sizes.most)), median \(NumberText.count(sizes.median))",
            ],
            ["boxes", isRotated ? "along the principal axes of the data" : "along the vectors' own axes"],
        ]
        if let radii = quartiles(radii), let radius {
            func digits(_ value: Double) -> String { NumberText.threeDigits(value) }
            lines.append([
                "radius of a box",
                "\(digits(radii.least)) to \(digits(radii.most)), median \(digits(radii.median)); "
                    + "of all vectors \(digits(radius))",
            ])
        }
        return lines
    }
}

/// The number of lists of each size, as bars.
enum SizeHistogram {
    /// The lines of a table: a range of sizes, the number of lists in the range, and a bar.
    ///
    /// - Parameters:
    ///   - bins: The largest number of ranges, which have equal width in whole vectors.
    ///   - width: The length of the longest bar in characters.
    static func table(of sizes: [Int], bins: Int = 8, width: Int = 40) -> TextTable {
        var table = TextTable([">vectors", ">lists", ""])
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

    /// A bar in eighths of a character; any share above 0 is visible.
    static func bar(_ share: Double, width: Int) -> String {
        let eighths = share > 0 ? max(1, Int((share * Double(width * 8)).rounded())) : 0
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
