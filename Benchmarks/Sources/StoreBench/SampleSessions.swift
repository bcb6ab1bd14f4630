import Kin

/// Sessions of realistic size: about 500 bytes of JSON.
struct SampleSessions {
    let all: [PleasureSession]

    init(count: Int, people: Int, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["walked", "along", "the", "river", "until", "light", "went", "and", "then", "home", "by", "train"]
        all = try (0..<count).map { number in
            let dimensions = Pleasure.Dimension.allCases.shuffled(using: &generator)
            var intensities: [Pleasure.Dimension: Float] = [:]
            for dimension in dimensions.prefix(3) {
                intensities[dimension] = Float(Int.random(in: 0...100, using: &generator)) / 100
            }
            let start = try Timestamp(seconds: 1.6e9 + 600 * Double(number))
            let session = try PleasureSession(
                id: "session-\(number)", userID: "person-\(number % people)",
                history: [.idle, .drift, .mastery, .reflection],
                start: start, end: Timestamp(microseconds: start.microseconds + 3_000_000_000),
                pleasure: PleasureMarks(
                    primary: Array(dimensions[0..<2]), secondary: [dimensions[3]], intensities: intensities),
                notes: (0..<12).map { _ in words.randomElement(using: &generator)! }.joined(separator: " "),
                embeddingID: nil, transcriptURL: nil, mediaURLs: [])
            return session
        }
    }
}
