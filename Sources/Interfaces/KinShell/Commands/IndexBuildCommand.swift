/// `kin index`: the commands on index files.
enum IndexCommandLine {
    static let all = [build, info, IndexSearch.command, IndexRecommendation.command, IndexVerification.command]
    static let index = ParameterDescription.required("index", .path, "The index file.")

    private static let info = Command<Console>(
        "index info", "Describes the content of an index file.", [index], options: [.json]
    ) {
        console, request in
        let file = try IndexFile.open(request.word("index"))
        if request.isJSON { return console.print(json: file.record(request.word("index"))) }
        console.print(file, path: request.word("index"))
    }

    private static let build = Command<Console>(
        "index build", "Builds an index file from CSV, NPY, fvecs, bvecs or ivecs.",
        details: """
            A CSV file may have a header. The column `id`, or the column named by --id-column, has the ids; without one,
            rows are numbered from 0. Ids are whole numbers, or texts if one of the first ids is a text. All other columns
            must be numbers, except those that --exclude or --columns leaves out.
            Real features usually need --scale: without it, the column with the largest numbers dominates every distance.
            The scaling is stored in INDEX.columns.json next to the index, for queries in the units of the data.

            Columns named by --attribute are not part of the vector. They are stored next to it for searches with
            --where. The kinds are integer, number, category, time (ISO 8601), boolean, tags
            (red|green), and time-range, which has two columns, as in stay:time-range=from,to. An empty field is a
            missing value.

            An inverted file (--kind ivf) gives the same exact answers as a flat index, and reads a small part of the
            vectors for each. It can also search with a recall below 1. auto chooses ivf from 10,000 vectors on in up to
            64 dimensions, else flat.

            Examples:

              kin index build profiles.csv -o profiles.kin
              kin index build tracks.csv --id-column track_id --scale standard -o t.kin
              kin index build letter.csv --exclude label -o letter.kin
              kin index build visits.csv --attribute user:category -o visits.kin
              kin index build sift_base.fvecs -o sift.kin
              kin index build profiles.csv --kind ivf -o profiles.kin
              gunzip -c t.csv.gz | kin index build - --id-column track_id -o t.kin
              kin index build huge.npy --memory 2G -o huge.kin

            With --memory, vectors are read in pieces and stored in temporary files next to the output, so there may be
            more vectors than fit in memory. The file has the same bytes as without --memory. Ids that are texts stay in
            memory, in addition to --memory.
            """, [.required("input", .path, "The file of vectors; - is standard input.")],
        options: [
            .required("output", .output, "The index file to write (-o)."), .metric(), InputOptions.scale,
            .option("attribute", .list("definition"), "A column to filter by: NAME:KIND[=COLUMN]; may be repeated."),
            .option("kind", .choice(["auto", "flat", "ivf"]), default: "\"auto\"", "auto, flat or ivf."),
            .option(
                "partition", .text,
                "How vectors are divided into lists: auto, median (halves at medians) or lists=N (k-means)."),
            .option(
                "memory", .text,
                "The memory for vectors during the build of an inverted file, such as 512M or 4G. The rest is on disk."
            ),
            .threads,
        ] + InputOptions.parameters + [.json]
    ) { console, request in
        let (input, output) = (request.word("input"), request.word("output"))
        if VectorFormat(path: output) != nil {
            throw request.refusal(
                "output", "-o \(output) names a file of vectors; use a name such as \(output).kin")
        }
        let start = ContinuousClock.now
        let layout = try layout(request)
        let file: IndexFile
        if let memory = try memory(request) {
            file = try buildFromPieces(input, request, layout: layout, memory: memory, console: console)
        } else {
            let choices = try request.texts("attribute").map { (text) throws(KinError) in try AttributeChoice(text) }
            let vectors = request.vectors(
                input, on: console, attributes: choices, isScaled: request.scale != nil)
            let table = try vectors.read()
            try console.note(table.notes, of: request)
            do throws(KinError) {
                file = try IndexFile(
                    table, metric: request.metric, scale: request.scale, layout: layout, threads: request.threads)
            } catch {
                throw Failure(Failure(error).status, error.within("file", input))
            }
            try file.write(to: output)
        }
        if request.isJSON { return console.print(json: file.record(output)) }
        let time = NumberText.duration(ContinuousClock.now - start)
        console.print("\(output): \(file.size), metric \(request.metric.rawValue), built in \(time)")
        if file.space.needsFile {
            let what = request.scale == nil ? "the names of the columns" : "names and scaling of the columns"
            console.print("\(VectorSpace.path(beside: output)): \(what)")
        }
        console.print(console.style.faint("next: kin repl \(output.quoted)"))
    }

    /// The requested bytes of memory; nil without a request.
    private static func memory(_ request: MethodRequest) throws(CommandError) -> Int? {
        guard let text = request.text("memory") else { return nil }
        let units = ["K": 10, "M": 20, "G": 30, "T": 40]
        let unit = text.last.flatMap { units[$0.uppercased()] }
        let number = Int(unit == nil ? text[...] : text.dropLast())
        let bytes = number.flatMap { $0 < 0 ? nil : $0.multipliedReportingOverflow(by: 1 << (unit ?? 0)) }
        guard let bytes, !bytes.overflow, bytes.partialValue >= IndexBuilder.leastMemory else {
            throw request.refusal(
                "memory",
                "--memory must be \(IndexBuilder.leastMemory >> 20)M or more, such as 512M or 4G, not \(text)")
        }
        if let option = ["attribute", "scale"].first(where: request.isGiven) {
            throw request.refusal(option, "--\(option) needs all rows at once: leave it or --memory out")
        }
        return bytes.partialValue
    }

    /// Builds and writes an inverted-file index from vectors that are read in pieces.
    private static func buildFromPieces(
        _ input: String, _ request: MethodRequest, layout: IndexLayout?, memory: Int, console: Console
    ) throws -> IndexFile {
        if layout == .flat {
            throw request.refusal("memory", "--memory builds an inverted file: leave --kind flat out")
        }
        let output = request.word("output")
        var builder: IndexBuilder?
        var names: [String]?
        do throws(KinError) {
            try request.vectors(input, on: console).forEachBatch(of: 1 << 16) { table throws(KinError) in
                try console.note(table.notes, of: request)
                if builder == nil {
                    builder = try IndexBuilder(
                        path: output, dimension: table.dimension, metric: request.metric,
                        layout: layout ?? .lists, memory: memory)
                    names = table.columns
                }
                if let texts = table.names {
                    try builder?.append(table.matrix(), names: texts)
                } else {
                    try builder?.append(table.matrix(), ids: table.ids)
                }
            }
        } catch {
            throw Failure(error)
        }
        guard let built = builder.take() else { preconditionFailure("a file without vectors was refused") }
        let index = try built.finish(threads: request.threads)
        let file = IndexFile(index: index, space: VectorSpace(dimension: index.dimension, names: names))
        try file.space.write(beside: output)
        return file
    }

    /// The requested layout; nil if the vectors decide.
    private static func layout(_ request: MethodRequest) throws(CommandError) -> IndexLayout? {
        let (kind, partition) = (request.word("kind"), request.text("partition").map { IndexLayout($0) })
        if let partition, partition == nil {
            throw request.refusal(
                "partition", "the partitions are auto, median and lists=N, N from 1 to \(IndexLayout.largestListCount)"
            )
        }
        if kind == "flat", partition != nil {
            throw request.refusal("partition", "--partition divides an inverted file; leave it out, or set --kind ivf")
        }
        return kind == "flat" ? .flat : partition ?? (kind == "auto" ? nil : .lists)
    }
}
