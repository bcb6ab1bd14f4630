/// `kin knn`: how well the nearest neighbours predict a label.
enum KNN {
    static let command = Command<Console>(
        "knn", "Measures how often the nearest neighbours of a row share its label.",
        details: """
            Training and test rows come from one file (--train N: the first N rows are for training, the others for
            testing) or from two (--test). The label of a test row is the most frequent among its k nearest; of tied
            labels, the label of the nearest vector. Equal distances are ordered by id.

            Examples:

              kin knn letter.csv --label label --train 16000 -k 1
              kin knn train.csv --test test.csv --label species -k 5 --scale standard
            """, [.required("file", .path, "A CSV file with a column of labels; - is standard input.")],
        options: [
            .required("label", .text, "The column of labels, by name or number from 1."),
            .option("train", .count, "The number of training rows; the rest are tested."),
            .option("test", .path, "A second file with the rows to test."),
            .k(1, "The number of neighbours that vote."),
            .metric, InputOptions.scale, .threads,
        ] + InputOptions.parameters + [.json]
    ) { console, request in
        try request.requireOne(of: ["train", "test"])
        let (teaching, tested) = try tables(request, console)
        // A flat index, because all queries are searched at once, and only once.
        let index = try IndexFile(teaching, metric: request.metric, scale: request.scale, layout: .flat)
        var queries = tested
        index.space.scale(&queries)
        let start = ContinuousClock.now
        let answers = try index.index.search(
            queries.matrix(), k: request.int("k"), options: .init(mode: .exact, where: .all, threads: request.threads))
        let time = ContinuousClock.now - start
        let score = NeighborVote(
            answers: answers, teaching: teaching.labels ?? [], truth: tested.labels ?? [], ids: teaching.allIDs)
        let metric = request.metric.rawValue
        if request.isJSON {
            return console.print(json: [
                "accuracy": score.accuracy, "correct": score.correct, "tested": score.tested, "trained": teaching.count,
                "k": request.int("k"), "metric": metric,
            ])
        }
        let accuracy =
            "\(NumberText.percent(score.accuracy)), \(NumberText.count(score.correct)) of \(score.tested, "row")"
        let mistakes = score.commonestMistakes(3).map {
            "\($0.truth) taken for \($0.guess), \($0.count, "time")"
        }
        console.print(
            TextTable(facts: [
                "accuracy": accuracy,
                "neighbours":
                    "\(min(request.int("k"), teaching.count)) of \(NumberText.count(teaching.count)), metric \(metric)",
                "search": NumberText.duration(time),
                "mistakes": mistakes.isEmpty ? nil : mistakes.joined(separator: "; "),
            ]))
    }

    private static func tables(
        _ request: MethodRequest, _ console: Console
    ) throws -> (teaching: VectorTable, tested: VectorTable) {
        let (label, file, isScaled) = (request.word("label"), request.word("file"), request.scale != nil)
        let whole = try request.vectors(file, on: console, label: label, isScaled: isScaled).read()
        try console.note(whole.notes, of: request)
        if let test = request.text("test") {
            let tested = try request.vectors(test, on: console, label: label, isScaled: isScaled).read()
            guard tested.dimension == whole.dimension else {
                throw Failure.usage(
                    "\(file) has \(whole.dimension) columns of numbers, \(test) has \(tested.dimension)")
            }
            return (whole, tested)
        }
        let count = request.int("train")
        guard count < whole.count else {
            throw request.refusal(
                "train", "--train \(count) leaves nothing to test: the file has \(whole.count, "row")"
            )
        }
        return (whole.rows(0..<count), whole.rows(count..<whole.count))
    }
}
