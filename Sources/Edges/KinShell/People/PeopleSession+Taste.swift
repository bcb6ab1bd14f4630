import Foundation
import Kin
import KinJSON
import KinStore

extension PeopleSession {
    func profile(_ user: String, at instant: Timestamp?) throws {
        let instant = try instant ?? now()
        let taste = try taste(of: user, at: instant)
        let time = try LocalTime(of: instant)
        let wish = try taste.wish(at: time)
        if isJSON {
            return say { writer in
                writer.object { writer in
                    writer.member("user") { $0.string(user) }
                    writer.member("at") { $0.string(instant.description) }
                    writer.member("slot") { $0.string(TimeSlot(at: time).name) }
                    writer.member("sessions") { $0.integer(taste.sessionCount) }
                    writer.member("told") { writer in
                        if let told = taste.told { told.pleasure.write(to: &writer) } else { writer.null() }
                    }
                    writer.member("lived") { taste.lived.write(to: &$0) }
                    writer.member("wanted") { wish.write(to: &$0) }
                }
            }
        }
        console.print(
            "  \(user) at \(instant), \(TimeSlot(at: time).name), after \(NumberText.count(taste.sessionCount, "session"))"
        )
        var table = TextTable([("dimension", .left), ("told", .right), ("lived", .right), ("wanted", .right)])
        for dimension in Pleasure.Dimension.allCases {
            table.append([
                dimension.name, taste.told.map { NumberText.hundredths($0.pleasure[dimension]) } ?? "-",
                NumberText.hundredths(taste.lived[dimension]), NumberText.hundredths(wish[dimension]),
            ])
        }
        console.print(table)
    }

    func map(_ user: String, plot: String?) throws {
        let sessions = try lived(by: user)
        let map = try PleasureMap(of: sessions)
        let types = try SessionTypes(of: sessions)
        if let plot {
            try PleasurePlot(title: "The pleasures of \(user)", map: map, types: types, sessions: sessions).drawing
                .write(to: plot)
        }
        if isJSON { return say { Self.write(map, types, sessions, to: &$0) } }
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
        if let plot { console.note("note: the map is drawn in \(plot)") }
    }

    private static func write(
        _ map: PleasureMap, _ types: SessionTypes, _ sessions: [Session], to writer: inout JSONWriter
    ) {
        let labels = Dictionary(zip(sessions.map(\.id), types.labels)) { first, _ in first }
        writer.object { writer in
            writer.member("explained_variance_ratio") { writer in
                writer.array { writer in for axis in map.axes { writer.number(axis.explainedVarianceRatio) } }
            }
            writer.member("silhouette") { $0.raw(types.silhouette?.description ?? "null") }
            writer.member("kinds") { writer in
                writer.array { writer in
                    for kind in types.kinds {
                        writer.object { writer in
                            writer.member("name") { $0.string(kind.name) }
                            writer.member("sessions") { $0.integer(kind.count) }
                        }
                    }
                }
            }
            writer.member("trajectory") { writer in
                writer.array { writer in
                    for place in map.places {
                        writer.object { writer in
                            writer.member("id") { $0.string(place.id) }
                            writer.member("start") { $0.string(place.start.description) }
                            writer.member("kind") { $0.integer(labels[place.id] ?? 0) }
                            writer.member("coordinates") { writer in
                                writer.array { writer in for number in place.coordinates { writer.number(number) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
