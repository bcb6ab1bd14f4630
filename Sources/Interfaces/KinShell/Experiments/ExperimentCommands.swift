/// `kin experiment`: assignment of variants, tests of their effects, and the number of people they need.
enum ExperimentCommands {
    static let all = [assign, test, size]

    private static let share = ParameterDescription.option(
        "share", .number(0.0001...0.9999, unit: ""), default: "0.5", "The probability of the treatment.")

    private static let assign = Command<Console>(
        "experiment assign", "Assigns people to the variants of an experiment by a keyed hash.",
        details: """
            A person has the same variant each time, whatever the order of people and variants. Nothing is stored. A
            variant that is added or gets more weight takes people from the others; no person moves between those. A
            different name or key gives independent assignments. The key file has 16 random bytes or more;
            without it, nobody can predict variants.

            Examples:

              head -c 32 /dev/urandom > key
              kin experiment assign slower-evenings --key-file key --variants control,treatment --people u1,u2
              kin experiment assign slower-evenings --key-file key --variants a,b,c --weights 8,1,1 --people-file ids.txt
            """, [.required("experiment", .text, "The name of the experiment.")],
        options: [
            .required("key_file", .path, "The file of the secret, 16 bytes or more."),
            .required("variants", .list("name"), "The names of the variants."),
            .option("weights", .list("number"), "The weights of the variants. Default: equal weights."),
            .option("people", .list("name"), "The ids of people."),
            .option("people_file", .path, "A file with one id per line; - is standard input."), .json,
        ]
    ) { console, request in
        try request.requireOne(of: ["people", "people_file"])
        let names = request.texts("variants")
        let weights = request.numbers("weights")
        guard weights.isEmpty || weights.count == names.count else {
            throw request.refusal("weights", "\(weights.count) weights do not fit \(names.count) variants")
        }
        let key = try ByteReader(path: request.word("key_file")).read(upTo: 1 << 16)
        let experiment = try Experiment(
            request.word("experiment"), key: key,
            variants: names.indices.map { .init(names[$0], weight: weights.isEmpty ? 1 : weights[$0]) })
        let given =
            try request.text("people_file").map { try ByteReader(path: $0).lines().map(\.text) }
            ?? request.texts("people")
        var seen = Set<String>()
        let people = given.filter { seen.insert($0).inserted }
        if people.count < given.count {
            console.note("note: \(given.count - people.count, "id") given more than once")
        }
        let assigned = people.map { experiment.assign($0) }
        let record: Record = [
            "experiment": experiment.name,
            "counts": Record(names.enumerated().map { index, name in (name, assigned.count { $0 == index }) }),
            "assignments": Record(zip(people, assigned.map { names[$0] })),
        ]
        console.print(record, for: request)
    }

    private static let test = Command<Console>(
        "experiment test", "Tests whether a variant makes a difference; look as often as you like.",
        details: """
            A CSV file with one person per line, in the order of arrival. The p-value and the interval are valid at all
            times. A person who looks after every line and stops when p is below 0.05 is wrong in at most 5 % of
            experiments without an effect. Rows of other variants are left out; share is the treatment's weight over the
            sum of both weights.

            The effect is the estimate at the centre of the interval. It weights outcomes by the planned share, relative to
            the mean of earlier outcomes. With many people it is close to the difference of the two means.

            Examples:

              kin experiment test log.csv --variant arm --outcome done --control a --treatment b
              kin experiment test log.csv --variant arm --outcome minutes --control a --treatment b --high 120
            """, [.required("file", .path, "A CSV file whose first line names the columns; - is standard input.")],
        options: [
            .required("variant", .text, "The column of the variant."),
            .required("outcome", .text, "The column of the outcome."),
            .required("control", .text, "The name of the control."),
            .required("treatment", .text, "The name of the treatment."), share,
            .option("low", .anyNumber, default: "0", "The smallest possible outcome."),
            .option("high", .anyNumber, default: "1", "The largest possible outcome."),
            .option(
                "confidence", .number(0.001...0.999999, unit: ""), default: "0.95", "The confidence of the interval."),
            .json,
        ]
    ) { console, request in
        let (control, treatment) = (request.word("control"), request.word("treatment"))
        guard control != treatment else {
            throw request.refusal("treatment", "control and treatment are both '\(control)'")
        }
        guard request.number("low") < request.number("high") else {
            throw request.refusal("high", "--high is not above --low")
        }
        let file = request.word("file")
        let table = try OutcomeTable(reading: file, variant: request.word("variant"), outcome: request.word("outcome"))
        var test = try SequentialTest(
            share: request.number("share"), range: request.number("low")...request.number("high"))
        var (counts, sums) = ([0, 0], [0.0, 0])
        for row in table.rows where row.variant == control || row.variant == treatment {
            let place = row.variant == treatment ? 1 : 0
            do throws(KinError) {
                let outcome = try row.outcome.get()
                try test.add(outcome, isTreated: place == 1)
                counts[place] += 1
                sums[place] += outcome
            } catch {
                throw Failure(.dataError, error.within("line", row.line).within("file", file))
            }
        }
        guard counts[0] > 0, counts[1] > 0 else {
            let missing = counts[0] == 0 ? control : treatment
            throw Failure(
                .dataError, KinError(.malformedInput, "no person has the variant '\(missing)'").within("file", file))
        }
        let interval = try test.interval(confidence: request.number("confidence"))
        let record: Record = [
            "people": test.count, "left_out": table.rows.count - test.count,
            "control": ["people": counts[0], "mean": sums[0] / Double(counts[0])] as Record,
            "treatment": ["people": counts[1], "mean": sums[1] / Double(counts[1])] as Record,
            "difference": sums[1] / Double(counts[1]) - sums[0] / Double(counts[0]),
            "effect": test.effect, "lower": interval.lowerBound, "upper": interval.upperBound, "p_value": test.pValue,
        ]
        console.print(record, for: request)
    }

    private static let size = Command<Console>(
        "experiment size", "Computes the number of people that find an effect, or the effect that they find.",
        details: """
            Outcomes are 0 or 1, with the mean BASELINE under the control. fixed: a single test at the end. sequential:
            `kin experiment test`, at any time. Numbers of people are for both variants together.

            Examples:

              kin experiment size 0.1 --effect 0.02
              kin experiment size 0.1 --people 5000 --power 0.9
            """, [.required("baseline", .number(0...1, unit: ""), "The mean outcome under the control.")],
        options: [
            .option("effect", .number(-1...1, unit: ""), "The treatment's mean outcome minus the control's."),
            .option("people", .count, "The number of people."), share,
            .option(
                "significance", .number(1e-9...0.999, unit: ""), default: "0.05",
                "The probability of finding an effect if there is none."),
            .option(
                "power", .number(0.001...0.999999, unit: ""), default: "0.8", "The probability of finding the effect."),
            .json,
        ]
    ) { console, request in
        try request.requireOne(of: ["effect", "people"])
        let design = try ExperimentDesign(
            baseline: request.number("baseline"), share: request.number("share"),
            significance: request.number("significance"), power: request.number("power"))
        let record: Record
        if let effect = request.optionalNumber("effect") {
            let sizes = try design.sizes(for: effect)
            record = ["people": ["fixed": sizes.fixed, "sequential": sizes.sequential] as Record]
        } else {
            let effects = try design.effects(of: request.int("people"))
            record = ["effect": ["fixed": effects.fixed, "sequential": effects.sequential] as Record]
        }
        console.print(record, for: request)
    }
}
