import Foundation

/// `kin generate`: sample data; the same seed gives the same file on every machine.
enum GenerateCommands {
    private static let output = ParameterDescription.required(
        "output", .output, "The file to write (-o); - is standard output.")

    static let all: [Command<Console>] = [
        profiles("uniform", "Profiles of independent uniform coordinates: no structure at all.", []) { _ in .uniform },
        profiles(
            "clustered", "Profiles in clusters of power-law sizes, each a tilted ellipsoid.",
            [.option("clusters", .count, "The number of clusters. Default: 2 √count, so 2,000 for a million.")]
        ) {
            .clustered(
                clusters: $0.optionalInt("clusters") ?? ProfileShape.defaultClusters(for: max(1, $0.int("count"))))
        },
        profiles(
            "correlated", "Profiles of a few hidden factors and a little noise: low intrinsic dimension.",
            [
                .option("factors", .count, default: "4", "The number of hidden factors."),
                .option("noise", .number(0...1, unit: ""), default: "0.02", "The noise's standard deviation."),
            ]
        ) { .correlated(factors: $0.int("factors"), noise: $0.number("noise")) },
        lines(
            "people", "People with tastes and rhythms, the sessions made from them, and things to do around them.",
            [
                amount("count", 20, "People: u0, u1, …"), amount("sessions", 200, "Sessions of each."),
                amount("items", 500, "Items around 40.7,-73.9."),
            ], next: "store import FILE"
        ) { request in
            let generator = PersonGenerator(seed: request.seed())
            let counts = (request.int("count"), request.int("sessions"), request.int("items"))
            var lines: [String] = []
            for person in 0..<counts.0 {
                let life = generator.person(person, sessions: counts.1)
                lines.append("{\"profile\":\(life.profile.json),\"since\":\"\(generator.firstDay)\"}")
                lines += life.sessions.map(\.json)
            }
            lines += generator.inventory(
                count: counts.2, around: try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
            ).map(\.json)
            return Lines(
                count: lines.count,
                text: "\(counts.0, "person"), \(counts.0 * counts.1, "session"), "
                    + NumberText.count(counts.2, "item")
            ) { lines[$0] }
        },
        lines(
            "souls", "People with goals, realms, objects, habits and moods, in communities.",
            [
                amount("count", 1000, "People: u0, u1, …"),
                .option("communities", .count, default: "150", "The number of communities of like-minded people."),
            ], next: "match FILE --user u0"
        ) { request in
            let generator = SoulGenerator(seed: request.seed(), communities: request.int("communities"))
            let count = request.int("count")
            return Lines(count: count, text: "\(count, "soul"), seed \(request.seed())") {
                generator.soul($0).json
            }
        },
        lines(
            "images", "Analyses of images of eight known kinds.", [amount("count", 1000, "Images.")],
            next: "cluster FILE -o realms"
        ) { request in
            let (generator, count) = (ImageAnalysisGenerator(seed: request.seed()), request.int("count"))
            return Lines(
                count: count,
                text:
                    "\(count, "image") of \(ImageAnalysisGenerator.realmTypes.count) kinds, seed \(request.seed())"
            ) { generator.image($0).analysis.json }
        },
        babies,
        lines(
            "challenges", "Challenges of eight categories: 48 activities, each plain and with five twists.",
            [amount("count", 200, "Challenges.")], next: "store import FILE"
        ) { request in
            let challenges = ChallengeGenerator(seed: request.seed()).challenges(request.int("count"))
            return Lines(count: challenges.count, text: NumberText.count(challenges.count, "challenge")) {
                challenges[$0].json
            }
        },
        lines(
            "content",
            "A year of daily content, 364 thoughts and actions composed from sentences of this project; seed 364 comes with Kin.",
            [],
            seed: 364, next: "store import FILE"
        ) { request in
            let items = ContentGenerator(seed: request.seed()).library().items
            return Lines(count: items.count, text: NumberText.count(items.count, "day")) { items[$0].json }
        },
    ]

    /// A source of numbered lines, with a description of their contents.
    private struct Lines {
        let count: Int
        let text: String
        let line: (Int) -> String
    }

    private static func amount(_ name: String, _ value: Int, _ what: String) -> ParameterDescription {
        .option(name, .amount, default: "\(value)", what)
    }

    /// A command that writes JSON lines.
    private static func lines(
        _ name: String, _ summary: String, _ parameters: [ParameterDescription],
        seed: UInt64 = 0, next: String, make: @escaping @Sendable (MethodRequest) throws -> Lines
    ) -> Command<Console> {
        let example = "kin generate \(name) -o \(name).jsonl"
        let following = "kin " + next.replacing("FILE", with: "\(name).jsonl")
        return Command(
            "generate \(name)", "\(summary) As JSON lines.",
            details: "  \(example)\n  \(following)",
            options: parameters + [.seed(seed), output, .json]
        ) { console, request in
            let (lines, path) = (try make(request), request.word("output"))
            let work = LongWork(of: lines.count)
            try WholeFile.make(path) { file in
                // In pieces, so that a million lines do not need gigabytes.
                for first in stride(from: 0, to: lines.count, by: 1000) {
                    try work.step(to: first)
                    let piece = (first..<min(lines.count, first + 1000)).map { lines.line($0) + "\n" }
                    try file.write(Array(piece.joined().utf8))
                }
            }
            guard path != "-" else { return }
            console.print(
                ["output": path, "records": lines.count], for: request, text: "\(path): \(lines.text)",
                console.style.faint("next: kin " + next.replacing("FILE", with: path.quoted)))
        }
    }

    private static let babies = Command<Console>(
        "generate babies", "Logs of sleep, feeds and diapers whose rules are known, one CSV file for each baby.",
        details: """
            Wake windows grow with age and during the day, and naps and feeds become less frequent. Each baby has its own
            pace and one leap. The files in the folder are baby-1.csv, baby-2.csv …

              kin generate babies --count 2 --days 120 --seed 16 -o babies
              kin forecast babies/baby-1.csv --now 2026-03-05T10:00
            """,
        options: [
            amount("count", 2, "Babies."),
            .option("days", .integer(0...36_500), default: "120", "Days of each log, from 2026-01-01 on."),
            .option("age", .integer(0...36_500), default: "30", "Their age at the beginning, in days."), .seed(),
            .required("output", .output, "The folder to write to (-o). It is created if missing."),
            .json,
        ]
    ) { console, request in
        let (generator, folder, days) = (
            BabyGenerator(seed: request.seed()), request.word("output"), request.int("days")
        )
        try WholeFile.makeFolder(folder)
        let work = LongWork(of: request.int("count"))
        for number in 0..<request.int("count") {
            try work.step(to: number)
            let log = generator.log(number, days: days, age: request.int("age"))
            try RhythmLogFile.write(log, to: "\(folder)/baby-\(number + 1).csv")
        }
        console.print(
            ["output": folder, "babies": request.int("count"), "days": days], for: request,
            text: "\(folder): \(request.int("count"), "baby"), \(days, "day") each")
    }

    /// A command that writes profiles of a shape.
    private static func profiles(
        _ name: String, _ summary: String, _ parameters: [ParameterDescription],
        shape: @escaping @Sendable (MethodRequest) -> ProfileShape
    ) -> Command<Console> {
        Command(
            "generate \(name)", summary,
            details: """
                Coordinates are from 0 to 1 with six decimals, so CSV, NPY and fvecs files have the same numbers. With 16
                dimensions, the columns have the names of a profile.

                  kin generate \(name) --count 2000 --seed 16 -o sample.csv
                """,
            options: [.required("count", .amount, "The number of profiles.")] + parameters + [
                .option("dimension", .count, default: "\(Pleasure.Dimension.names.count)", "Numbers per profile."),
                .seed(),
                output,
                .option(
                    "format", .choice(ProfileGenerator.formats.map(\.rawValue)),
                    "The format. Default: by the file name."),
                .threads, .json,
            ]
        ) { console, request in
            let (path, count) = (request.word("output"), request.int("count"))
            guard let format = request.format ?? VectorFormat(path: path) ?? (path == "-" ? .csv : nil) else {
                throw request.refusal(
                    "output", "the name \(path) does not determine the format; set --format to csv, npy or fvecs")
            }
            let start = ContinuousClock.now
            let generator = try ProfileGenerator(
                shape(request), count: count, dimension: request.int("dimension"), seed: request.seed())
            try generator.write(to: path, format: format, threads: request.threads)
            guard path != "-" else { return }
            let time = NumberText.duration(ContinuousClock.now - start)
            let dimensions = NumberText.count(request.int("dimension"), "dimension")
            let index = (path as NSString).deletingPathExtension + ".kin"
            console.print(
                ["output": path, "profiles": count], for: request,
                text: "\(path): \(count, "profile") of \(dimensions), seed \(request.seed()), in \(time)",
                console.style.faint("next: kin index build \(path.quoted) -o \(index.quoted)"))
        }
    }
}
