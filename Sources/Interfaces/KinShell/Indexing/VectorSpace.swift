extension VectorSpace {
    /// A typed vector in stored units.
    ///
    /// - Parameter field: The name of the parameter in errors.
    func stored(_ text: VectorText, field: String) throws(KinError) -> [Float] {
        var raw = scaling?.mean ?? [Double](repeating: 0, count: dimension)
        switch text {
        case .numbers(let numbers):
            guard numbers.count == dimension else {
                throw KinError(
                    .invalidArgument,
                    "the index has \(dimension, "dimension"), this vector has \(numbers.count)"
                ).inField(field)
            }
            raw = numbers
        case .named(let values):
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                let column = try columns(of: [name], field: field)[0]
                if isProfile, !(0...1).contains(value) {
                    throw KinError(
                        .invalidArgument,
                        "\(name)=\(NumberText.short(value)) is outside 0…1, the range of every dimension"
                    ).inField(field)
                }
                raw[column] = value
            }
        }
        guard raw.allSatisfy({ Float($0).isFinite }) else {
            throw KinError(.invalidArgument, "a number is not a finite 32-bit one").inField(field)
        }
        return stored(raw)
    }

    /// The columns of dimensions by their names, ignoring case.
    ///
    /// - Parameter field: The name of the parameter in errors.
    func columns(of wanted: [String], field: String) throws(KinError) -> [Int] {
        try wanted.map { name throws(KinError) in
            let exact = names.firstIndex(of: name)
            if let column = exact ?? names.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return column }
            throw KinError(.invalidArgument, "no dimension is called '\(name)'; \(advice(on: name))").inField(field)
        }
    }

    private func advice(on name: String) -> String {
        if names.isEmpty { return "this index has no names for its dimensions: write the whole vector, [0.1, 0.2, …]" }
        return Spelling.nearest(to: name, in: names).map { "did you mean \($0)?" } ?? "`info` lists the names"
    }

    /// The three strongest coordinates of a profile, such as `nature_mirror 0.91  mobility 0.72`.
    func strongest(_ stored: [Float]) -> String {
        stored.indices
            .sorted { stored[$0] > stored[$1] || (stored[$0] == stored[$1] && $0 < $1) }
            .prefix(3)
            .map { "\(names[$0]) \(NumberText.hundredths(stored[$0]))" }
            .joined(separator: "  ")
    }
}
