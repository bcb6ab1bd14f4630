extension VectorIndex {
    /// Checks a saved index: every byte against its checksum, and then everything that a search relies on.
    ///
    /// Vectors are finite, ids are unique and the id table finds them. Codes match their vectors, and no coded vector
    /// is farther from its code than the recorded error. Every vector has a valid row of attributes and, if any vector
    /// has a name, a valid name of its own. With lists, every vector is inside the box of its block and the box of its
    /// list.
    ///
    /// A file that does not begin as a Kin file is damaged too: its first bytes may have been overwritten.
    ///
    /// - Returns: The content of the file, and the first damage if there is any.
    /// - Throws: `.inputOutput` if the file cannot be read, and `.unsupportedFormat` for an intact file of a newer
    ///   version or a different kind.
    /// - Complexity: O(n · dimension + n log n) time, in a rotated frame O(n · dimension²); little memory.
    public static func verify(_ path: String) throws(KinError) -> FileReport {
        var report = try withOpenFile(at: path, files: SystemFiles()) { file throws(KinError) in
            do throws(KinError) { return try verifySectionFile(reading: file) } catch {
                let beginsAsKinFile = try SectionFileHeader.isMagic(in: file)
                guard error.code == .corruptFile || !beginsAsKinFile else { throw error }
                return FileReport(unreadable: error, totalBytes: file.length)
            }
        }
        guard report.isIntact else { return report }
        do throws(KinError) {
            let index = try VectorIndex(opening: path)
            report.facts = index.facts
            report.note(index.firstContradiction)
        } catch {
            guard error.code == .corruptFile else { throw error }
            report.damage = FileReport.Damage(error)
        }
        return report
    }

    private var firstContradiction: Contradiction? {
        let ofRows =
            switch rows.kind {
            case .flat: rows.flat!.firstContradiction(nextID: nextID)
            case .lists: rows.lists!.firstContradiction(nextID: nextID)
            }
        return ofRows ?? attributes.firstContradiction(ids: ids)
            ?? nameTable.saved?.firstContradiction(isVector: contains)
    }

    private func facts(coded: Int) -> [FileReport.Fact] {
        switch rows.kind {
        case .flat: rows.flat!.facts(coded: coded)
        case .lists: rows.lists!.facts(coded: coded)
        }
    }

    private var facts: [FileReport.Fact] {
        let codings = chunks.compactMap(\.coding)
        return [
            .init(name: "vectors", value: "\(count)"),
            .init(name: "dimensions", value: "\(dimension)"),
            .init(name: "metric", value: metric.rawValue),
        ] + facts(coded: codings.count) + [
            .init(name: "vectors outside their grid", value: "\(codings.reduce(0) { $0 + $1.outliers.count })")
        ] + attributes.facts + (hasNames ? [.init(name: "ids", value: "texts")] : [])
    }
}

extension FileReport {
    /// Records a contradiction in a file whose checksums match.
    fileprivate mutating func note(_ contradiction: Contradiction?) {
        guard let (section, description) = contradiction else { return }
        let entry = sections.first { $0.name == section.description }
        damage = Damage(section: section.description, offset: entry?.offset ?? 0, description: description)
    }
}
