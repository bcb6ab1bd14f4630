/// The sentences that explain an image's placement by its numbers.
struct PlacementReasons: ~Copyable {
    let library: RealmLibrary
    let analysis: ImageAnalysis
    /// The features of the image by the library's recipe.
    let vector: [Float]
    /// The realms by descending score.
    let realms: [ImagePlacement.RealmFit]
    /// The zones of the best realm by ascending distance.
    let zones: [ImagePlacement.ZoneFit]
    /// The contents of the best realm.
    let contents: RealmContents

    private var best: ImagePlacement.RealmFit { realms[0] }

    var sentences: [String] { score + resemblance + zone + [seen] + value }

    /// The parts of the score, and why a realm with a better suggestion does not win.
    private var score: [String] {
        let first = realms.dropFirst().max { $0.suggestion < $1.suggestion }
        var sentences: [String] = []
        if best.suggestion > 0 {
            sentences.append(
                "the analysis suggests \(best.realm) \(place(best.realm)), which counts \(Self.short(best.suggestion)), and the "
                    + "image resembles it by \(Self.short(best.resemblance)): the score is their mean, \(Self.short(best.score))"
            )
        } else if first?.suggestion ?? 0 > 0 {
            sentences.append(
                "it resembles \(best.realm) by \(Self.short(best.resemblance)), half of which is the score, \(Self.short(best.score))"
            )
        } else {
            sentences.append(
                "the analysis suggests none of the realms, so the resemblance to \(best.realm) alone is the score, "
                    + Self.short(best.score))
        }
        if let first, first.suggestion > best.suggestion {
            sentences.append(
                "\(first.realm), which the analysis suggests \(place(first.realm)), it resembles by "
                    + "\(Self.short(first.resemblance)) only: \(Self.short(first.score)) in all")
        }
        return sentences
    }

    /// The distances to the best realm and the next one, and the features that distinguish them.
    private var resemblance: [String] {
        guard realms.count > 1 else { return [] }
        let next = realms[1]
        guard best.distance <= next.distance else {
            return [
                "it lies nearer to the centre of \(next.realm), the next by score, than to that of \(best.realm) "
                    + "(\(Self.short(next.distance)) and \(Self.short(best.distance))), which its suggestion outweighs"
            ]
        }
        let near =
            "it lies \(Self.short(best.distance)) from the centre of \(best.realm) and \(Self.short(next.distance)) from that of "
            + "\(next.realm), the next by score"
        let dimensions = discriminatingDimensions(from: next.realm)
        return dimensions.isEmpty
            ? [near] : [near, "what tells them apart: " + dimensions.joined(separator: ", ")]
    }

    private var zone: [String] {
        guard let zone = zones.first else { return [] }
        let typical = library.clusters.clusters[zone.cluster].topCategories.prefix(3).map {
            "\($0.category) \(Self.percent($0.share))"
        }
        let second = zones.dropFirst().first { $0.cluster != zone.cluster }
        return [
            "nearest cluster: \(zone.name)"
                + (second.map {
                    ", at \(Self.short(zone.distance)); the next, \($0.name), lies at \(Self.short($0.distance))"
                } ?? "")
                + (typical.isEmpty ? "" : "; its images show " + typical.joined(separator: ", "))
        ]
    }

    /// The contents of the realm, and those that the image shares.
    private var seen: String {
        let own = Set(analysis.objects.map { Spelling.plain($0.category) })
        let shared = contents.categories.map(\.category).filter { own.contains(Spelling.plain($0)) }
        let counted = contents.imageCount == 1 ? "1 image" : "\(contents.imageCount) images"
        guard !contents.categories.isEmpty else { return "\(best.realm) has \(counted), without objects" }
        return "\(best.realm) has \(counted), which show "
            + contents.categories.map { "\($0.category) (\(Self.percent($0.share)))" }.joined(separator: ", ")
            + "; the image shows "
            + (shared.isEmpty ? "none of these" : shared.joined(separator: ", "))
    }

    /// The realm's highest values, and the image's values for the same goals.
    private var value: [String] {
        let goals = contents.values.focus.prefix(2)
        guard !goals.isEmpty else { return [] }
        let own = library.index.ownValues(of: analysis)
        return [
            "\(best.realm) is worth most for "
                + goals.map { "\($0.name), \(Self.short(Double(contents.values[$0])))" }.joined(separator: ", and ")
                + "; the image " + goals.map { Self.short(Double(own[$0])) }.joined(separator: " and ")
        ]
    }

    /// The dimensions that bring the image nearer to the best realm's centre than to a second realm's, by descending
    /// gain.
    private func discriminatingDimensions(from other: String) -> [String] {
        guard let own = library.index.realm(best.realm)?.centre, let other = library.index.realm(other)?.centre else {
            return []
        }
        let gains = vector.indices.map { i in
            let (a, b) = (Double(vector[i] - own[i]), Double(vector[i] - other[i]))
            return (dimension: i, gain: b * b - a * a)
        }
        let recipe = library.clusters.recipe
        return gains.filter { $0.gain > 1e-3 }.sorted { ($1.gain, $0.dimension) < ($0.gain, $1.dimension) }.prefix(3)
            .map {
                let name = recipe.name(ofDimension: $0.dimension)
                return recipe.histogram.contains($0.dimension) && vector[$0.dimension] == 0 ? "no \(name)" : name
            }
    }

    /// The position of a realm among all suggestions of the analysis, and among those of the candidates if it differs.
    private func place(_ realm: String) -> String {
        let known = Set(realms.map(\.realm))
        let first = analysis.realmTypes.map { library.index.realm($0)?.type ?? $0 }.prefix { $0 != realm }
        let own = Self.ordinal(first.count + 1)
        return first.allSatisfy(known.contains)
            ? own : "\(own), and \(Self.ordinal(first.count(where: known.contains) + 1)) of the realms here"
    }

    private static func ordinal(_ rank: Int) -> String { rank == 1 ? "first" : "in place \(rank)" }
    private static func short(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
    private static func percent(_ share: Double) -> String { "\(share.parts(of: 100)) %" }
}
