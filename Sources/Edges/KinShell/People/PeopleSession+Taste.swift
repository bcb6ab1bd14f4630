import Foundation
import Kin
import KinEngine
import KinStore

extension PeopleSession {
    func show(_ answer: ProfileAnswer) {
        let (taste, target) = (answer.taste, answer.target)
        console.print(
            "  \(answer.user) at \(answer.instant), \(answer.slot.name), after \(NumberText.count(taste.sessionCount, "session"))"
        )
        var table = TextTable([("dimension", .left), ("declared", .right), ("learned", .right), ("target", .right)])
        for dimension in Pleasure.Dimension.allCases {
            table.append([
                dimension.name, taste.declared.map { NumberText.hundredths($0.pleasure[dimension]) } ?? "-",
                NumberText.hundredths(taste.learned[dimension]), NumberText.hundredths(target[dimension]),
            ])
        }
        console.print(table)
    }

    func draw(_ answer: MapAnswer, into path: String) throws {
        try PleasurePlot(
            title: "The pleasures of \(answer.user)", map: answer.map, types: answer.types, sessions: answer.sessions
        ).drawing.write(to: path)
    }

    func show(_ answer: MapAnswer) {
        let (map, types) = (answer.map, answer.types)
        for (i, axis) in map.axes.enumerated() {
            let names = axis.strongest(3).map { "\(axis.loadings[$0.rawValue] < 0 ? "-" : "+")\($0.name)" }
            console.print(
                "  axis \(i + 1)   \(NumberText.percent(axis.explainedVarianceRatio)) of the variance   "
                    + names.joined(separator: " "))
        }
        let silhouette = types.silhouette.map { "silhouette \(NumberText.threeDigits($0))" } ?? "no kinds to tell apart"
        console.print("  \(NumberText.count(types.kinds.count, "kind")) of session, \(silhouette)")
        var table = TextTable([("kind", .left), ("sessions", .right)])
        for kind in types.kinds { table.append([kind.name, NumberText.count(kind.count)]) }
        console.print(table)
    }
}
