import KinJSON

extension ImagePlacement {
    /// The placement as a JSON object, on one line. `zone` is the zone's id in the world, or else the name of its cluster.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("image") { $0.string(image) }
            writer.member("realm") { $0.string(realm.realm) }
            writer.member("score") { $0.number(realm.score) }
            writer.member("zone") { $0.string(zone.zone ?? zone.name) }
            writer.member("reasons") { $0.array(reasons) }
            writer.member("realms") { $0.array(realms) { $0.write(to: &$1) } }
            writer.member("zones") { $0.array(zones) { $0.write(to: &$1) } }
        }
        return writer.text
    }
}

extension ImagePlacement.RealmFit {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("realm") { $0.string(realm) }
            writer.member("score") { $0.number(score) }
            writer.member("suggestion") { $0.number(suggestion) }
            writer.member("resemblance") { $0.number(resemblance) }
            writer.member("distance") { $0.number(distance) }
        }
    }
}

extension ImagePlacement.ZoneFit {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("zone") { $0.string(zone) }
            writer.member("cluster") { $0.integer(cluster) }
            writer.member("name") { $0.string(name) }
            writer.member("score") { $0.number(score) }
            writer.member("distance") { $0.number(distance) }
        }
    }
}
