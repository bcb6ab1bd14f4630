import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin knn`: how well the nearest neighbours guess a label.
struct KNNCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "knn",
        abstract: "Measure how often the nearest neighbours of a row share its label.",
        discussion: """
            Rows to learn from and rows to test on come from one file (--train N: the first N rows teach, the others \
            are tested) or from two (--test). The label of a test row is the commonest among its k nearest; where \
            labels tie, the one whose nearest vector comes first. Equal distances are ordered by id.

            Examples:

              kin knn letter.csv --label label --train 16000 -k 1
              kin knn train.csv --test test.csv --label species -k 5 --scale standard
            """
    )

    @Argument(help: ArgumentHelp("A CSV file with a column of labels; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The column of labels, by name or number from 1.", valueName: "column"))
    var label: String

    @Option(help: ArgumentHelp("The first n rows teach, the rest are tested.", valueName: "n"))
    var train: Int?

    @Option(help: ArgumentHelp("A second file with the rows to test.", valueName: "file"))
    var test: String?

    @Option(name: .customShort("k"), help: ArgumentHelp("How many neighbours vote.", valueName: "n"))
    var k: Int = 1

    @OptionGroup var chosen: MetricOption

    @Option(help: ArgumentHelp("standard or minmax, measured on the rows that teach.", valueName: "scale"))
    var scale: Scaling.Kind?

    @OptionGroup var threads: ThreadOption
    @OptionGroup var options: InputOptions

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard (train == nil) != (test == nil) else {
            throw ValidationError("give exactly one of --train N and --test FILE")
        }
        if let train, train < 1 { throw ValidationError("--train must be at least 1") }
        guard k > 0 else { throw ValidationError("-k must be at least 1") }
    }

    func run(on console: Console) throws {
        let (teaching, tested) = try tables(console)
        // Flat: all questions are asked at once, and once only.
        let index = try IndexFile(teaching, metric: chosen.metric, scale: scale, layout: .flat)
        var queries = tested
        index.space.scale(&queries)
        let start = ContinuousClock.now
        let answers = try index.index.search(
            queries.matrix(), k: k, mode: .exact, where: .all, threads: threads.count)
        let time = ContinuousClock.now - start
        let score = NeighborVote.score(
            answers: answers, teaching: teaching.labels ?? [], truth: tested.labels ?? [], ids: teaching.allIDs
        )
        if json {
            let record = KNNRecord(
                accuracy: score.accuracy, correct: score.correct, tested: score.tested, trained: teaching.count, k: k,
                metric: chosen.metric.rawValue
            )
            return console.print(JSONText.line(record))
        }
        var table = TextTable([("", .left), ("", .left)])
        table.append([
            "accuracy",
            "\(NumberText.percent(score.accuracy)), \(NumberText.count(score.correct)) of \(NumberText.count(score.tested)) rows",
        ])
        table.append(["neighbours", "\(k) of \(NumberText.count(teaching.count)), metric \(chosen.metric.rawValue)"])
        table.append(["search", NumberText.duration(time)])
        for (index, mistake) in score.commonestMistakes(3).enumerated() {
            let text = "\(mistake.truth) taken for \(mistake.guess), \(NumberText.count(mistake.count, "time"))"
            table.append([index == 0 ? "mistakes" : "", text])
        }
        console.print(table)
    }

    private func tables(_ console: Console) throws -> (teaching: VectorTable, tested: VectorTable) {
        let reader = options.reader(label: label)
        let whole = try reader.read(file, console: console)
        console.note(whole.notes)
        if let test {
            let tested = try reader.read(test, console: console)
            guard tested.dimension == whole.dimension else {
                throw Failure.usage(
                    "\(file) has \(whole.dimension) columns of numbers, \(test) has \(tested.dimension)")
            }
            return (whole, tested)
        }
        let count = train ?? 0
        guard count < whole.count else {
            throw Failure.usage(
                "--train \(count) leaves nothing to test: the file has \(NumberText.count(whole.count, "row"))")
        }
        return (whole.rows(0..<count), whole.rows(count..<whole.count))
    }
}

/// The result in JSON.
private struct KNNRecord: Encodable {
    let accuracy: Double
    let correct: Int
    let tested: Int
    let trained: Int
    let k: Int
    let metric: String
}
