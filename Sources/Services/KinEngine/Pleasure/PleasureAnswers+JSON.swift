import KinCore
package import KinJSON
package import KinPleasure
package import KinStore

// The answers about sessions, profiles and inventory in JSON.

extension SessionMatch: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("distance") { $0.number(distance) }
            if let parts {
                if let pleasure = parts.pleasure { writer.member("pleasure_distance") { $0.number(pleasure) } }
                writer.member("embedding_distance") { $0.number(parts.embedding) }
            }
            writer.member("session") { session.write(to: &$0) }
        }
    }
}

extension SessionVectors: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("model") { writer in if let model { writer.string(model) } else { writer.null() } }
            writer.member("dimension") { $0.integer(dimension) }
            writer.member("sessions") { $0.array(sessions) }
            writer.member("vectors") { JSONForm<[Float]>.vector.write(elements, &$0) }
        }
    }
}

extension ProfileVersion: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("since") { $0.string(since.description) }
            writer.member("profile") { profile.write(to: &$0) }
        }
    }
}

extension PersonProfile: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user") { $0.string(user) }
            writer.member("at") { $0.string(instant.description) }
            writer.member("slot") { $0.string(slot.name) }
            writer.member("sessions") { $0.integer(sessionCount) }
            writer.member("declared", formerly: "told") { writer in
                if let declared { declared.pleasure.write(to: &writer) } else { writer.null() }
            }
            writer.member("learned", formerly: "lived") { learned.write(to: &$0) }
            writer.member("target", formerly: "wanted") { target.write(to: &$0) }
            writer.member("mood") { writer in if let mood { mood.write(to: &writer) } else { writer.null() } }
        }
    }
}

extension MoodInfluence {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name") { $0.string(mood.rawValue) }
            writer.member("sessions") { $0.integer(sessionCount) }
            writer.member("effects") { writer in
                writer.object { writer in
                    for dimension in Pleasure.Dimension.allCases where effects[dimension] != 0 {
                        writer.member(dimension.name) { $0.number(effects[dimension]) }
                    }
                }
            }
        }
    }
}

extension SessionInsight: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("similar") { writer in
                writer.array(similar) { match, writer in
                    writer.object { writer in
                        writer.member("id") { $0.string(match.id) }
                        writer.member("distance") { $0.number(match.distance) }
                    }
                }
            }
            writer.member("shifts") { writer in
                writer.array(shifts) { shift, writer in
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
                writer.array(coActivations) { pair, writer in
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
            writer.member("usual_path") { $0.array(paths.usual.map(\.name)) }
            writer.member("usual_path_count") { $0.integer(paths.usualCount) }
            writer.member("past_sessions") { $0.integer(paths.n) }
        }
    }
}

extension StatePaths: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("usual_path") { $0.array(usual.map(\.name)) }
            writer.member("usual_path_count") { $0.integer(usualCount) }
            writer.member("sessions") { $0.integer(n) }
            writer.member("steps") { writer in
                writer.array(steps) { step, writer in
                    writer.object { writer in
                        writer.member("from") { $0.string(step.from.name) }
                        writer.member("to") { $0.string(step.to.name) }
                        writer.member("count") { $0.integer(step.count) }
                        writer.member("share") { $0.number(step.share) }
                    }
                }
            }
        }
    }
}

extension SessionMap: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        let labels = Dictionary(zip(sessions.map(\.id), types.labels)) { first, _ in first }
        writer.object { writer in
            writer.member("axes") { writer in
                writer.array(map.axes) { axis, writer in
                    writer.object { writer in
                        writer.member("explained_variance_ratio") { $0.number(axis.explainedVarianceRatio) }
                        writer.member("loadings") { writer in
                            let loadings = zip(Pleasure.Dimension.allCases, axis.loadings)
                            writer.object { writer in
                                for (dimension, loading) in loadings {
                                    writer.member(dimension.name) { $0.number(loading) }
                                }
                            }
                        }
                    }
                }
            }
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

extension Mission: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("tool") { $0.string(tool.id) }
            writer.member("space") { $0.string(space.id) }
            writer.member("score") { $0.number(score) }
            writer.member("parts") { writer in
                writer.object { writer in
                    for part in parts { writer.member(part.name.rawValue) { $0.number(part.contribution) } }
                }
            }
            writer.member("travel_minutes") { $0.number(travelMinutes) }
            writer.member("minutes_there") { $0.number(minutesThere) }
            if let mood {
                writer.member("mood") { writer in
                    writer.object { writer in
                        writer.member("name") { $0.string(mood.mood.rawValue) }
                        writer.member("change") { $0.number(mood.change) }
                    }
                }
            }
        }
    }
}

extension StoreCounts: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("people") { $0.integer(people) }
            writer.member("sessions") { $0.integer(records["session"] ?? 0) }
            writer.member("items") { $0.integer(records["inventory_item"] ?? 0) }
            writer.member("records") { Members(records) { $1.integer($0) }.write(to: &$0) }
        }
    }
}
