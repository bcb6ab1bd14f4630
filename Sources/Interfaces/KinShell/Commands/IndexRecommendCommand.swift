import Kin
import KinEngine
import KinFiles

/// `kin index recommend`: a list by examples, with diversity and limits.
enum IndexRecommendation {
    static let command = Command<Console>(
        "index recommend", "Lists vectors like some and unlike others, different from each other.",
        details: RecommendationRequest.details + """


            Examples:

              kin index recommend profiles.kin --like 42,57 --unlike 9 -k 5
              kin index recommend profiles.kin --like 42 --diversity 0.2 --exclude 1-40
              kin index recommend visits.kin --like 42 --category user --per-category 2 --json
              kin index recommend profiles.kin --vector "nature_mirror=0.9" --diversity 0.3
            """, [IndexCommandLine.index],
        options: [RecommendationRequest.like, RecommendationRequest.vector] + RecommendationRequest.options + [
            .k(10, "The number of vectors."),
            .option("where", .filter, "Choose among vectors whose attributes fulfil this, such as 'user = u42'."),
            .mapped, .threads, .json,
        ]
    ) { console, request in
        let file = try IndexFile.open(request.word("index"), mapped: request.isOn("mapped"))
        do throws(KinError) { try request.condition?.check(against: file.index.attributes.schema) } catch {
            throw request.refusal("where", error.message)
        }
        let session = ReplSession(
            file, path: request.word("index"), threads: request.threads, mode: .exact, console: console)
        if request.isJSON { session.switches.insert(.json) }
        try session.recommend(request, k: request.int("k"), where: session.filter(nil, request.condition))
    }
}
