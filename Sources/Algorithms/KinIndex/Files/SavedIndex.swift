import KinCore
import KinLinearAlgebra

/// An index that is saved as one Kin file; every kind of index is opened and verified in the same way.
protocol SavedIndex {
    var count: Int { get }
    var dimension: Int { get }
    var metric: Metric { get }
    var attributes: AttributeTable { get }

    /// Opens the index in a file, of which everything is checked that searches rely on to stay within it.
    init(file: SectionFile) throws(KinError)

    /// All chunks of rows.
    var chunks: [Chunk] { get }

    /// Facts about the parts of an index of this kind, for people.
    ///
    /// - Parameter coded: The number of chunks that are coded.
    func facts(coded: Int) -> [FileReport.Fact]

    /// The first place where the index contradicts itself.
    func firstContradiction() -> Contradiction?
}

extension SavedIndex {
    /// Opens the index of a file, which is mapped; errors name the path.
    init(opening path: String, isMapped: Bool = true) throws(KinError) {
        do throws(KinError) {
            try self.init(file: SectionFile(mapping: path, isMapped))
        } catch {
            throw error.naming(path)
        }
    }

    /// Checks every byte of a file against its checksum, and then everything in it that a search relies on.
    static func report(on path: String) throws(KinError) -> FileReport {
        var report = try verifySectionFile(at: path)
        guard report.isIntact else { return report }
        let index = try Self(opening: path)
        report.facts = index.facts
        report.note(index.firstContradiction())
        return report
    }

    private var facts: [FileReport.Fact] {
        let codings = chunks.compactMap(\.coding)
        return [
            .init(name: "vectors", value: "\(count)"),
            .init(name: "dimensions", value: "\(dimension)"),
            .init(name: "metric", value: metric.rawValue),
        ] + facts(coded: codings.count) + [
            .init(name: "vectors outside their grid", value: "\(codings.reduce(0) { $0 + $1.outliers.count })")
        ] + attributes.facts
    }
}

extension FileReport {
    /// Records a contradiction in a file whose checksums are right.
    fileprivate mutating func note(_ contradiction: Contradiction?) {
        guard let (section, description) = contradiction else { return }
        let entry = sections.first { $0.name == section.description }
        damage = Damage(section: section.description, offset: entry?.offset ?? 0, description: description)
    }
}
