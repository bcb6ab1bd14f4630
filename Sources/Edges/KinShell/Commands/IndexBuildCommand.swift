import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin index build`: vectors in, an index file out.
struct IndexBuildCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build an index file from CSV, NPY, fvecs, bvecs or ivecs.",
        discussion: """
            A CSV may have a header; a column called `id` gives the ids, or the one that --id-column names, else rows \
            are numbered from 0. Every other column must be numbers, unless --exclude leaves it out or --columns \
            chooses. Real features usually need --scale: without it the column with the largest numbers decides \
            every distance. Scaling is kept in INDEX.columns.json beside the index, so that later queries are written \
            in the units of the data.

            Columns named by --attribute are no part of the vector: they are stored beside it for searches with \
            --where. The kinds are integer, number, category, time (ISO 8601), boolean, and time-range, which has two \
            columns, as in stay:time-range=from,to. An empty field is a missing value.

            An inverted file (--kind ivf) gives the same exact answers as a flat one and looks at a small part of the \
            vectors for each; it can also be asked for a recall below 1. auto chooses ivf from 10,000 vectors on in up \
            to 64 dimensions, else flat.

            Examples:

              kin index build profiles.csv -o profiles.kin
              kin index build tracks.csv --id-column track_id --scale standard -o t.kin
              kin index build letter.csv --exclude label -o letter.kin
              kin index build visits.csv --attribute user:category -o visits.kin
              kin index build sift_base.fvecs -o sift.kin
              kin index build profiles.csv --kind ivf -o profiles.kin
              gunzip -c t.csv.gz | kin index build - --id-column track_id -o t.kin
            """
    )

    @Argument(help: ArgumentHelp("The file of vectors; - is standard input.", valueName: "input"))
    var input: String

    @Option(name: [.short, .long], help: ArgumentHelp("The index file to write.", valueName: "index"))
    var output: String

    @OptionGroup var chosen: MetricOption

    @Option(help: ArgumentHelp("standard (mean 0, deviation 1) or minmax (0 to 1), per column.", valueName: "scale"))
    var scale: Scaling.Kind?

    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp("A column to filter by; may be repeated.", valueName: "name:kind[=column]"))
    var attributes: [String] = []

    @Option(help: ArgumentHelp("auto, flat or ivf.", valueName: "kind"))
    var kind = Kind.auto

    @Option(
        help: ArgumentHelp(
            "How vectors are divided into lists: auto, median (halves at medians) or lists=N (k-means).",
            valueName: "partition"),
        transform: IndexBuildCommand.partition
    )
    var partition: Partitioning?

    @OptionGroup var threads: BuildThreadOption

    @OptionGroup var options: InputOptions

    @Flag(help: "Print the result as JSON.")
    var json = false

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case auto, flat, ivf

        /// Its name in release 0.1.0 was `cells`.
        init?(argument: String) { self.init(rawValue: argument == "cells" ? "ivf" : argument) }
    }

    func validate() throws {
        if kind == .flat && partition != nil {
            throw ValidationError("--partition divides an inverted file: leave it out, or say --kind ivf")
        }
    }

    private static func partition(_ text: String) throws -> Partitioning {
        if let partition = Partitioning(text) { return partition }
        throw ValidationError(
            "the partitions are auto, median and lists=N, N from 1 to \(Partitioning.largestListCount)")
    }

    /// nil where the vectors decide.
    private var layout: IndexLayout? {
        switch kind {
        case .auto: partition.map { .lists($0) }
        case .flat: .flat
        case .ivf: .lists(partition ?? .automatic)
        }
    }

    func run(on console: Console) throws {
        if VectorFormat(path: output) != nil {
            throw Failure.usage("-o \(output) names a file of vectors; an index is called \(output).kin, say")
        }
        let start = ContinuousClock.now
        let choices = try attributes.map { (text) throws(KinError) in try AttributeChoice(text) }
        let table = try options.reader(attributes: choices).read(input, console: console)
        console.note(table.notes)
        let file: IndexFile
        do {
            file = try IndexFile(table, metric: chosen.metric, scale: scale, layout: layout, threads: threads.count)
        } catch {
            throw Failure(error.status, error.error.within("file", input))
        }
        try file.save(to: output)
        if json { return console.print(JSONText.line(IndexRecord(file, path: output))) }
        let size =
            "\(NumberText.count(file.index.count, "vector")) of \(NumberText.count(table.dimension, "dimension"))"
        let time = NumberText.duration(ContinuousClock.now - start)
        let lists = (file.index as? IVFIndex).map { " in \(NumberText.count($0.listCount, "list"))" } ?? ""
        console.print("\(output): \(size)\(lists), metric \(chosen.metric.rawValue), built in \(time)")
        if file.space.needsColumnsFile {
            let what = scale == nil ? "the names of the columns" : "names and scaling of the columns"
            console.print("\(ColumnsFile.path(beside: output)): \(what)")
        }
        console.print(console.style.faint("next: kin repl \(output)"))
    }
}
