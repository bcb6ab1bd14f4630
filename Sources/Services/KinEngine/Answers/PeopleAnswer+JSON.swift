import KinCore
import KinJSON
import KinPleasure
import KinStore

extension PeopleAnswer {
    /// The answer in JSON: an array of objects, or one object.
    package var json: String {
        switch self {
        case .matches, .sessions, .items, .missions, .users: "[\(jsonLines.joined(separator: ","))]"
        case .profile, .insight, .map, .info: jsonLines[0]
        }
    }

    /// The answer as lines of JSON, one for each result.
    package var jsonLines: [String] {
        switch self {
        case .matches(let matches): matches.map { match in Self.line { Self.write(match, to: &$0) } }
        case .sessions(let sessions):
            sessions.map { session in Self.line { $0.object { $0.member("session") { $0.raw(session.json) } } } }
        case .profile(let answer): [Self.line { Self.write(answer, to: &$0) }]
        case .insight(let insight): [Self.line { Self.write(insight, to: &$0) }]
        case .items(let items, let isRanked):
            items.map { match in Self.line { Self.write(match, isRanked: isRanked, to: &$0) } }
        case .missions(let missions): missions.map { mission in Self.line { Self.write(mission, to: &$0) } }
        case .map(let answer): [Self.line { Self.write(answer, to: &$0) }]
        case .users(let users): users.map { user in Self.line { $0.object { $0.member("user") { $0.string(user) } } } }
        case .info(let people, let sessions, let items):
            [
                Self.line { writer in
                    writer.object { writer in
                        writer.member("people") { $0.integer(people) }
                        writer.member("sessions") { $0.integer(sessions) }
                        writer.member("items") { $0.integer(items) }
                    }
                }
            ]
        }
    }

    private static func line(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return writer.text
    }

    private static func write(_ match: SessionMatch, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("distance") { $0.number(match.distance) }
            writer.member("session") { $0.raw(match.session.json) }
        }
    }

    private static func write(_ match: InventoryMatch, isRanked: Bool, to writer: inout JSONWriter) {
        writer.object { writer in
            if isRanked { writer.member("match") { $0.number(match.match) } }
            writer.member("km") { $0.number(match.distanceKilometers) }
            writer.member("item") { $0.raw(match.item.json) }
        }
    }

    private static func write(_ answer: ProfileAnswer, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user") { $0.string(answer.user) }
            writer.member("at") { $0.string(answer.instant.description) }
            writer.member("slot") { $0.string(answer.slot.name) }
            writer.member("sessions") { $0.integer(answer.taste.sessionCount) }
            writer.member("declared", formerly: "told") { writer in
                if let declared = answer.taste.declared { declared.pleasure.write(to: &writer) } else { writer.null() }
            }
            writer.member("learned", formerly: "lived") { answer.taste.learned.write(to: &$0) }
            writer.member("target", formerly: "wanted") { answer.target.write(to: &$0) }
        }
    }

    private static func write(_ insight: SessionInsight, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("similar") { writer in
                writer.array(insight.similar) { match, writer in
                    writer.object { writer in
                        writer.member("id") { $0.string(match.id) }
                        writer.member("distance") { $0.number(match.distance) }
                    }
                }
            }
            writer.member("shifts") { writer in
                writer.array(insight.shifts) { shift, writer in
                    writer.object { writer in
                        writer.member("dimension") { $0.string(shift.dimension.name) }
                        writer.member("value") { $0.number(shift.value) }
                        writer.member("baseline") { $0.number(shift.baseline) }
                        writer.member("effect_size") { $0.number(shift.effectSize) }
                        writer.member("n") { $0.integer(shift.n) }
                        writer.member("direction") { $0.string(shift.direction.rawValue) }
                    }
                }
            }
            writer.member("co_activations") { writer in
                writer.array(insight.coActivations) { pair, writer in
                    writer.object { writer in
                        writer.member("pair") { $0.array([pair.first.name, pair.second.name]) }
                        writer.member("lift") { $0.number(pair.lift) }
                        writer.member("together") { $0.integer(pair.together) }
                        writer.member("n") { $0.integer(pair.n) }
                        writer.member("p") { $0.number(pair.pValue) }
                        writer.member("p_adjusted") { $0.number(pair.adjustedPValue) }
                    }
                }
            }
            writer.member("usual_path") { $0.array(insight.paths.usual.map(\.name)) }
            writer.member("usual_path_count") { $0.integer(insight.paths.usualCount) }
            writer.member("past_sessions") { $0.integer(insight.paths.n) }
        }
    }

    private static func write(_ mission: Mission, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("tool") { $0.string(mission.tool.id) }
            writer.member("space") { $0.string(mission.space.id) }
            writer.member("score") { $0.number(mission.score) }
            writer.member("parts") { writer in
                writer.object { writer in
                    for part in mission.parts { writer.member(part.name.rawValue) { $0.number(part.contribution) } }
                }
            }
            writer.member("travel_minutes") { $0.number(mission.travelMinutes) }
            writer.member("minutes_there") { $0.number(mission.minutesThere) }
        }
    }

    private static func write(_ answer: MapAnswer, to writer: inout JSONWriter) {
        let (map, types, sessions) = (answer.map, answer.types, answer.sessions)
        let labels = Dictionary(zip(sessions.map(\.id), types.labels)) { first, _ in first }
        writer.object { writer in
            writer.member("explained_variance_ratio") { $0.array(map.axes) { $1.number($0.explainedVarianceRatio) } }
            writer.member("silhouette") { $0.number(types.silhouette) }
            writer.member("kinds") { writer in
                writer.array(types.kinds) { kind, writer in
                    writer.object { writer in
                        writer.member("name") { $0.string(kind.name) }
                        writer.member("sessions") { $0.integer(kind.count) }
                    }
                }
            }
            writer.member("trajectory") { writer in
                writer.array(map.points) { point, writer in
                    writer.object { writer in
                        writer.member("id") { $0.string(point.id) }
                        writer.member("start") { $0.string(point.start.description) }
                        writer.member("kind") { $0.integer(labels[point.id] ?? 0) }
                        writer.member("coordinates") { $0.array(point.coordinates) { $1.number($0) } }
                    }
                }
            }
        }
    }
}
