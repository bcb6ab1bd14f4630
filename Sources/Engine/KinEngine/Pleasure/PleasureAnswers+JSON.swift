import KinCore
package import KinJSON
package import KinPleasure
package import KinStore

// The answers about sessions, profiles and inventory in JSON.

extension SessionMatch: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("distance", distance)
        if let parts {
            if let pleasure = parts.pleasure { writer.member("pleasure_distance", pleasure) }
            writer.member("embedding_distance", parts.embedding)
        }
        writer.member("session", session)
    }
}

extension SessionVectors: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("model", model)
        writer.member("dimension", dimension)
        writer.member("sessions", sessions)
        writer.member("vectors") { JSONForm<[Float]>.vector.write(elements, &$0) }
    }
}

extension ProfileVersion: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("since", since.description)
        writer.member("profile", profile)
    }
}

extension PersonProfile: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("user", user)
        writer.member("at", instant.description)
        writer.member("slot", slot.name)
        writer.member("sessions", sessionCount)
        writer.member("declared", declared?.pleasure)
        writer.member("learned", learned)
        writer.member("target", target)
        writer.member("mood", mood)
    }
}

extension MoodInfluence: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", mood.rawValue)
        writer.member("sessions", sessionCount)
        writer.object("effects") { writer in
            for dimension in Pleasure.Dimension.allCases where effects[dimension] != 0 {
                writer.member(dimension.name, effects[dimension])
            }
        }
    }
}

extension SessionInsight: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.objects("similar", similar) { match, writer in
            writer.member("id", match.id)
            writer.member("distance", match.distance)
        }
        writer.objects("shifts", shifts) { shift, writer in
            writer.member("dimension", shift.dimension.name)
            writer.member("value", shift.value)
            writer.member("baseline", shift.baseline)
            writer.member("effect_size", shift.effectSize)
            writer.member("n", shift.n)
            writer.member("direction", shift.direction.rawValue)
        }
        writer.objects("co_activations", coActivations) { pair, writer in
            writer.member("pair", [pair.first.name, pair.second.name])
            writer.member("lift", pair.lift)
            writer.member("together", pair.together)
            writer.member("n", pair.n)
            writer.member("p", pair.pValue)
            writer.member("p_adjusted", pair.adjustedPValue)
        }
        writer.member("usual_path", paths.usual.map(\.name))
        writer.member("usual_path_count", paths.usualCount)
        writer.member("past_sessions", paths.n)
    }
}

extension StatePaths: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("usual_path", usual.map(\.name))
        writer.member("usual_path_count", usualCount)
        writer.member("sessions", n)
        writer.objects("steps", steps) { step, writer in
            writer.member("from", step.from.name)
            writer.member("to", step.to.name)
            writer.member("count", step.count)
            writer.member("share", step.share)
        }
    }
}

extension SessionMap: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        let labels = Dictionary(zip(sessions.map(\.id), types.labels)) { first, _ in first }
        writer.object { writer in
            writer.objects("axes", map.axes) { axis, writer in
                writer.member("explained_variance_ratio", axis.explainedVarianceRatio)
                writer.member("loadings") { writer in
                    let loadings = zip(Pleasure.Dimension.allCases, axis.loadings)
                    writer.object { writer in
                        for (dimension, loading) in loadings {
                            writer.member(dimension.name, loading)
                        }
                    }
                }
            }
            writer.member("explained_variance_ratio") { $0.array(map.axes) { $1.number($0.explainedVarianceRatio) } }
            writer.member("silhouette", types.silhouette)
            writer.objects("kinds", types.kinds) { kind, writer in
                writer.member("name", kind.name)
                writer.member("sessions", kind.count)
            }
            writer.objects("trajectory", map.points) { point, writer in
                writer.member("id", point.id)
                writer.member("start", point.start.description)
                writer.member("kind", labels[point.id] ?? 0)
                writer.member("coordinates", point.coordinates)
            }
        }
    }
}

extension Mission: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("tool", tool.id)
        writer.member("space", space.id)
        writer.member("score", score)
        writer.object("parts") { writer in
            for part in parts { writer.member(part.name.rawValue, part.contribution) }
        }
        writer.member("travel_minutes", travelMinutes)
        writer.member("minutes_there", minutesThere)
        if let mood {
            writer.object("mood") { writer in
                writer.member("name", mood.mood.rawValue)
                writer.member("change", mood.change)
            }
        }
    }
}

extension StoreCounts: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("people", people)
        writer.member("sessions", records["session"] ?? 0)
        writer.member("items", records["inventory_item"] ?? 0)
        writer.member("records", Members(records))
        if !warnings.isEmpty { writer.member("warnings", warnings) }
    }
}
