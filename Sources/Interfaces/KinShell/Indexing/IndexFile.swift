import Foundation

extension IndexFile {
    /// Opens the index file of a command, mapped or read into memory.
    ///
    /// - Errors: Exit status 66 if there is no such file, 65 if it is not an index or is damaged.
    static func open(_ path: String, mapped isMapped: Bool = true) throws(Failure) -> IndexFile {
        try requireFile(path)
        do { return try IndexFile(opening: path, mapped: isMapped) } catch {
            throw Failure(error.code == .inputOutput ? .noInput : Failure(error).status, error)
        }
    }

    /// Saves the index of a command; exit status 73 if that fails.
    func write(to path: String) throws {
        do { try save(to: path) } catch let error as KinError where error.code == .inputOutput {
            throw Failure(.cannotCreate, error)
        }
    }

    /// Requires that the file exists and is not a file of vectors; the errors contain the `build` command.
    static func requireFile(_ path: String) throws(Failure) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(
                .noInput,
                KinError(.inputOutput, "there is no file \(path); make it: `kin index build INPUT -o \(path.quoted)`")
            )
        }
        if let format = VectorFormat(path: path) {
            throw Failure(
                KinError(
                    .unsupportedFormat,
                    "\(path) is a \(format.rawValue) file, not an index; build one with "
                        + "`kin index build \(path.quoted) -o \(((path as NSString).deletingPathExtension + ".kin").quoted)`"
                )
            )
        }
    }

    /// The size in words: `5 vectors of 2 dimensions`, and the number of lists.
    var size: String {
        let lists = index.layout.isFlat ? "" : " in \(index.listCount, "list")"
        return "\(index.count, "vector") of \(index.dimension, "dimension")\(lists)"
    }

    /// Notes categories in a condition that no vector has, with suggestions.
    func noteUnknownCategories(in condition: FilterExpression, on console: Console) {
        for category in (try? index.attributes.unknownCategories(in: condition)) ?? [] { console.note("\(category)") }
    }

    /// Requires that the queries of a file have the index's dimension.
    func requireQueries(_ table: VectorTable, from path: String) throws(KinError) {
        guard table.dimension != index.dimension else { return }
        throw KinError(
            .dimensionMismatch,
            "the queries have \(table.dimension) columns, the index has \(index.dimension) dimensions; choose with --columns or --exclude"
        ).within("file", path)
    }
}
