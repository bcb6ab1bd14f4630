extension Store {
    /// Exports records in the format of an app, each as an object on a line:
    /// `{"kind":…,"user":…,"baby":…,"id":…,"record":{…}}`. `record` is the app's record; the other members are the ids
    /// that an import needs.
    ///
    /// A record that was imported in this shape and has not changed since has its original members. Kinds without a
    /// record in the shape are omitted.
    ///
    /// - Parameters:
    ///   - user: The person; nil for all people and shared records.
    ///   - shape: The app whose format the records have.
    ///   - instant: The instant of the export, which determines the present day of content; nil for the stored day.
    /// - Returns: The lines in UTF-8.
    /// - Throws: As ``exportLines(of:to:)``.
    public nonisolated func exportRecords(
        of user: String? = nil, as shape: RecordShape, at instant: Timestamp? = nil
    ) throws(KinError) -> [UInt8] {
        let records = shape.records
        var zones: [String: LocalZone] = [:]
        // The zones of babies, by the ids of user and baby; babies come before their events.
        var clocks: [[JSONTree?]: LocalZone] = [:]
        var (lines, written): ([UInt8], [UInt8]) = ([], [])
        try exportLines(of: user) { piece throws(KinError) in lines += piece }
        try JSONLines.forEach(in: lines[...]) { reader, _ throws(KinError) in
            guard case .object(let members) = try JSONTree(from: &reader), let line = members.first else { return }
            let (kind, ours) = (line.name, line.value)
            let record = records.first { $0.kind == kind && $0.isForm(of: ours) }
            guard let record else { return }
            var ids: [(name: String, value: JSONTree)] = []
            for id in record.ids { if let value = ours[path: id.ours] { ids.append((id.option, value)) } }
            var context = ShapeContext(now: instant, keepsUnknown: true)
            if case .text(let person)? = ids.first(where: { $0.name == "user" })?.value {
                if zones[person] == nil { zones[person] = try zone(of: person) }
                context.zone = zones[person] ?? .utc
            }
            let owner = ours[path: ["user_id"]]
            if kind == "baby", case .text(let name)? = ours[path: ["time_zone"]] {
                clocks[[owner, ours[path: ["id"]]]] = try? LocalZone(named: name)
            }
            if let zone = clocks[[owner, ours[path: ["baby"]]]] { context.zone = zone }
            JSONWriter.append(to: &written) { writer in
                writer.object { writer in
                    writer.member("kind", kind)
                    for (name, value) in ids { writer.member(name, value) }
                    writer.member("record", record.record(of: ours, in: context))
                }
            }
            written.append(0x0A)
        }
        return written
    }
}
