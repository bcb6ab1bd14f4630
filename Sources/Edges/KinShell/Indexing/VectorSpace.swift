import Kin
import KinFiles
import KinJSON

/// Names and scales of an index's dimensions, by which people's numbers become stored ones.
struct VectorSpace: Equatable {
    let dimension: Int
    /// One name per dimension, or empty.
    let names: [String]
    let scaling: Scaling?

    init(dimension: Int, names: [String]? = nil, scaling: Scaling? = nil) {
        self.dimension = dimension
        self.scaling = scaling
        let profile = Pleasure.Dimension.names
        self.names = names ?? (dimension == profile.count ? profile : [])
    }

    /// The range every coordinate must lie in; nil where any number will do.
    var bounds: ClosedRange<Double>? { isProfile ? 0...1 : nil }

    /// Whether the vectors are profiles of the sixteen named dimensions.
    var isProfile: Bool { names == Pleasure.Dimension.names && scaling == nil }

    /// Whether a file of columns must stand beside the index for it to be understood again.
    var needsColumnsFile: Bool { self != VectorSpace(dimension: dimension) }

    /// A vector as it was typed, in stored units.
    ///
    /// - Parameter field: The parameter that errors name.
    func stored(_ text: VectorText, field: String) throws(KinError) -> [Float] {
        var raw = scaling?.mean ?? [Double](repeating: 0, count: dimension)
        switch text {
        case .numbers(let numbers):
            guard numbers.count == dimension else {
                throw KinError(
                    .invalidArgument,
                    "the index has \(NumberText.count(dimension, "dimension")), this vector has \(numbers.count)"
                ).inField(field)
            }
            raw = numbers
        case .named(let values):
            for (name, value) in values {
                guard
                    let column = names.firstIndex(of: name)
                        ?? names.firstIndex(where: { $0.lowercased() == name.lowercased() })
                else {
                    throw KinError(.invalidArgument, "no dimension is called '\(name)'; \(advice(on: name))").inField(
                        field)
                }
                if let bounds, !bounds.contains(value) {
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
        return raw.enumerated().map { stored($1, column: $0) }
    }

    private func advice(on name: String) -> String {
        if names.isEmpty { return "this index has no names for its dimensions: write the whole vector, [0.1, 0.2, …]" }
        return Spelling.nearest(to: name, in: names).map { "did you mean \($0)?" } ?? "`info` lists the names"
    }

    /// A stored vector in the units of the data.
    func raw(_ stored: [Float]) -> [Double] {
        stored.enumerated().map { scaling?.raw($1, column: $0) ?? Double($1) }
    }

    /// Brings a table of raw vectors to stored units.
    func scale(_ table: inout VectorTable) { scaling?.apply(to: &table) }

    private func stored(_ raw: Double, column: Int) -> Float { scaling?.scaled(raw, column: column) ?? Float(raw) }

    /// The strongest coordinates of a profile, `nature_mirror 0.91  mobility 0.72`.
    func strongest(_ stored: [Float], count: Int = 3) -> String {
        stored.indices
            .sorted { stored[$0] > stored[$1] || (stored[$0] == stored[$1] && $0 < $1) }
            .prefix(count)
            .map { "\(names[$0]) \(NumberText.hundredths(stored[$0]))" }
            .joined(separator: "  ")
    }
}
