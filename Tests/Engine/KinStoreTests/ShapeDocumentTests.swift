import Foundation
import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// Rules that hold for every member, every event and every command of the apps' documents.
@Suite("Every part of the apps' documents")
struct ShapeDocumentTests {
    @discardableResult
    private func put(
        _ records: [String], to store: Store, _ options: ShapeOptions = ShapeOptions(), at now: Timestamp? = nil
    ) async throws -> [String: Int] {
        try await store.importArray("[\(records.joined(separator: ","))]", now: now ?? hour(0), options: options)
    }

    /// The paths of all members, except in texts.
    private func paths(_ tree: JSONTree) -> [[String]] {
        tree.members.flatMap { member in [[member.name]] + paths(member.value).map { [member.name] + $0 } }
    }

    private func changed(_ record: String, _ change: (inout JSONTree) -> Void) throws -> String {
        var tree = try JSONTree(parsing: record)
        change(&tree)
        return tree.jsonText
    }

    /// Kin's record without `extra`, which has the app's form of a value.
    private func withoutExtra(_ line: Substring) throws -> JSONTree {
        func plain(_ tree: JSONTree) -> JSONTree {
            guard case .object(let members) = tree else { return tree }
            return .object(
                members.filter { $0.name != "extra" }.map { JSONTree.Member(name: $0.name, value: plain($0.value)) })
        }
        return plain(try JSONTree(parsing: String(line)))
    }

    // MARK: - Members

    @Test(arguments: AppDocuments.all)
    func everyNestedObjectRefusesUnknownMembers(_ shape: RecordShape, _ records: [String]) async throws {
        var count = 0
        let decoded =
            "{\"userID\": \"w\", \"preferences\": {\"timeWindow\": {\"start\": 9, \"end\": 18}, \"budgetLevel\": 1}}"
        for record in records + (shape == .outOfBox ? [decoded] : []) {
            let tree = try JSONTree(parsing: record)
            for path in paths(tree) where !(tree[path: path] ?? .null).members.isEmpty {
                // Souls count goals, realms and objects of any name.
                guard shape != .serenity || path == ["patterns"] else { continue }
                count += 1
                let odd = try changed(record) { $0[path: path + ["zorb"]] = .number("1") }
                let store = try Store()
                let error = await kinError { try await put([odd], to: store) }
                #expect(error.says(path[0]) || error.says("zorb"), "\(odd): \(String(describing: error))")
                #expect(try EveryKind.export(store).isEmpty, "\(odd)")
            }
        }
        let encoded = Data(#"{"timeWindow":"10:00-20:00","zorb":1}"#.utf8).base64EncodedString()
        if shape == .outOfBox {
            let error = await kinError {
                try await put(["{\"userID\": \"w\", \"preferences\": \"\(encoded)\"}"], to: Store())
            }
            #expect(error.says("preferences.zorb"))
            let store = try Store()
            let options = ShapeOptions(keepsUnknown: true)
            try await put(["{\"userID\": \"w\", \"preferences\": \"\(encoded)\"}"], to: store, options)
            try await put(
                [decoded.replacing("18}", with: "18, \"zorb\": 1}").replacing("\"w\"", with: "\"x\"")], to: store,
                options)
            #expect(try store.challengePreferences(of: "x")?.window.description == "09:00-18:00")
            #expect(String(decoding: try store.exportRecords(as: shape), as: UTF8.self).contains(encoded))
        }
        #expect(count > 0 || shape == .danke)
    }

    @Test(arguments: AppDocuments.all)
    func everyBooleanIsReadInEveryForm(_ shape: RecordShape, _ records: [String]) async throws {
        for record in records {
            let tree = try JSONTree(parsing: record)
            for path in paths(tree) {
                guard case .boolean? = tree[path: path] else { continue }
                for value in [true, false] {
                    let forms = [JSONTree.boolean(value), .number(value ? "1" : "0"), .text("\(value)")]
                    let stores = try forms.map { _ in try Store() }
                    for (store, form) in zip(stores, forms) {
                        try await put([changed(record) { $0[path: path] = form }], to: store, ShapeOptions(user: "mum"))
                    }
                    let odd = try changed(record) { $0[path: path] = .text("maybe") }
                    #expect(await kinError { try await put([odd], to: Store(), ShapeOptions(user: "mum")) } != nil)
                    let read = try stores.map { try EveryKind.export($0).split(separator: "\n").map(withoutExtra) }
                    #expect(read[0] == read[1] && read[0] == read[2], "\(path)")
                }
            }
        }
    }

    @Test(arguments: [
        (#"{"startHour": 22, "startMinute": 30, "endHour": 22, "endMinute": 55}"#, String?.some("22:30-22:55")),
        (#"{"startHour": 9, "startMinute": 5, "endHour": 18}"#, "09:05-18:00"),
        (#"{"start": "9:00", "end": "18:30"}"#, "09:00-18:30"), (#""9:00-18:30""#, "09:00-18:30"),
        (#"{"start": "9:60", "end": 18}"#, nil), (#"{"start": ":900", "end": 18}"#, nil), (#""900-1830""#, nil),
        (#"{"start": 9.5, "end": 24}"#, "09:30-00:00"), (#"{"start": 3600, "end": 66600}"#, "01:00-18:30"),
        (#"{"start": 790444800, "end": "2026-01-18T20:45:00Z"}"#, "16:00-20:45"),
        (#"{"start": 540, "end": 1080}"#, nil), (#"{"start": 25, "end": 30}"#, nil),
        (#"{"start": 9, "end": 3599}"#, nil),
        (#"{"start": -1, "end": 18}"#, nil), (#"{"startHour": 24, "startMinute": 1, "endHour": 9}"#, nil),
        (#"{"startHour": 9, "startMinute": 60, "endHour": 18}"#, nil), (#"{"startMinute": 5, "endHour": 18}"#, nil),
        (#"{"startHour": 9.5, "startMinute": 5, "endHour": 18}"#, nil), (#"{"start": "9:5x", "end": 18}"#, nil),
        (#"{"start": {"_seconds": 1777640400, "zorb": 1}, "end": 18}"#, nil),
        (#"{"start": {"seconds": 1777640400, "nanoseconds": 1e9}, "end": 18}"#, nil),
    ])
    func timeWindowsKeepTheirMinutes(window: String, expected: String?) async throws {
        let store = try Store()
        let record = "{\"userID\": \"u\", \"maxTimeInvestment\": 1, \"timeWindow\": \(window)}"
        guard let expected else {
            #expect(await kinError { try await put([record], to: store) }.says("timeWindow"))
            return
        }
        try await put([record], to: store)
        #expect(try store.challengePreferences(of: "u")?.window.description == expected)
        let exported = String(decoding: try store.exportRecords(as: .outOfBox), as: UTF8.self)
        #expect(exported.contains(try JSONTree(parsing: window).jsonText))
    }

    // MARK: - Events without ids

    /// The events of the document without ids, and each also without one of its members.
    private func eventsWithoutIDs() throws -> [(event: String, others: [String])] {
        try AppDocuments.events.map { record in
            let event = try changed(record) { for name in ["id", "babyId"] { $0[path: [name]] = nil } }
            let tree = try JSONTree(parsing: event)
            // The start and the end are in two members, and Kin's default is the word of two others.
            let ignored = ["type", "timestamp", "startTime", "endTime", "category"]
            let others = paths(tree).filter { path in
                tree[path: path] != .null && !ignored.contains(path.last!)
                    && !["Data", "econds"].contains(where: path.last!.hasSuffix)
            }
            return (event, try others.map { path in try changed(event) { $0[path: path] = nil } })
        }
    }

    @Test func differentEventsWithoutIDsAreAllStored() async throws {
        let options = ShapeOptions(user: "nan", baby: "b1")
        for (event, others) in try eventsWithoutIDs() {
            for other in others {
                for records in [[event, other], [other, event]] {
                    let store = try Store()
                    // Again, in a different order, alone.
                    for again in [records, records.reversed(), [other]] {
                        try await put(again, to: store, options)
                        #expect(try store.rhythmLog(of: "nan", baby: "b1")?.records.count == 2, "\(records)")
                    }
                }
            }
        }
    }

    @Test func eventsAreRecognizedByTheirContent() async throws {
        let options = ShapeOptions(user: "mum", baby: "b1")
        for (event, _) in try eventsWithoutIDs() {
            // The ids of 0.3.0, and of a removed event.
            let store = try Store()
            try await put([event], to: store, options)
            let known = try #require(try store.rhythmLog(of: "mum", baby: "b1")?.records.first)
            let old = try Store()
            try await put([AppDocuments.baby], to: old)
            let name = "\(known.type.rawValue)-\(known.start)"
            try await put([changed(event) { $0[path: ["id"]] = .text(name) }], to: old, options)
            try await put([event], to: old, options)
            #expect(try old.rhythmLog(of: "mum", baby: "b1")?.records.map(\.note?.id) == [name])
            _ = try await old.remove("care_event", key: ["user": "mum", "baby": "b1", "id": name], at: hour(9000))
            try await put([event], to: old, options)
            #expect(try EveryKind.export(old).split(separator: "\n").count == 2)
            // A later update.
            guard event.contains("createdAt") else { continue }
            let updated = try changed(event) {
                $0[path: ["updatedAt"]] = .text("2026-06-01T00:00:00Z")
                $0[path: ["notes"]] = .text("updated")
            }
            for record in [updated, event, updated] { try await put([record], to: store, options) }
            let records = try #require(try store.rhythmLog(of: "mum", baby: "b1")?.records)
            #expect(records.map(\.note?.text) == ["updated"], "\(event)")
        }
        // A sleep that ends.
        let store = try Store()
        let sleep = try eventsWithoutIDs()[3].event
        try await put([sleep], to: store, options)
        try await put(
            [changed(sleep) { $0[path: ["sleepData", "endTime"]] = .text("2026-05-02T05:00:00Z") }], to: store, options)
        #expect(
            try store.rhythmLog(of: "mum", baby: "b1")?.records.map { $0.end?.description } == ["2026-05-02T05:00:00Z"])
        for duration in ["-1", "10000", "\"long\""] {
            let odd = try changed(sleep) { $0[path: ["sleepData", "duration"]] = try? JSONTree(parsing: duration) }
            #expect(await kinError { try await put([odd], to: Store(), options) }.says("sleepData.duration"))
        }
    }

    // MARK: - Exports

    /// A feed with an end is exported with its minutes, which a new import has.
    @Test(arguments: [("10:00:00", "10:30:00", 30), ("10:00:00", "10:12:40", 13), ("23:50:00", "00:10:00", 20)])
    func lengthsOfFeedsAreExported(start: String, end: String, minutes: Int) async throws {
        for zone in ["", "Z", "+09:00"] {
            let day = end < start ? "02" : "01"
            let event = """
                {"care_event": {"user_id": "mum", "baby": "b1", "event": {"id": "e", "type": "feed", "side": "left",
                 "start": "2026-05-01T\(start)\(zone)", "end": "2026-05-\(day)T\(end)\(zone)"}}}
                """
            let (store, copy) = (try Store(), try Store())
            try await put([event], to: store)
            let exported = String(decoding: try store.exportRecords(as: .babysync), as: UTF8.self)
            #expect(exported.contains("\"duration\":\(minutes)"), "\(exported)")
            try await put([exported], to: copy)
            guard case .feed(let feed)? = try copy.rhythmLog(of: "mum", baby: "b1")?.records.first?.event else {
                throw KinError(.invalidArgument, "no feed")
            }
            #expect(feed.minutes == Double(minutes))
        }
    }

    /// A time that Kin sets has the form of the record's other times.
    @Test(arguments: [
        ("788918400", "788922000"), ("788918400.5", "788922000"), ("1767225600", "1767229200"),
        ("1767225600000", "1767229200000"),
        (#"{"_seconds":1767225600,"_nanoseconds":0}"#, #"{"_seconds":1767229200,"_nanoseconds":0}"#),
        (
            #"{"type":"firestore/timestamp/1.0","seconds":1767225600,"nanoseconds":0}"#,
            #"{"type":"firestore/timestamp/1.0","seconds":1767229200,"nanoseconds":0}"#
        ),
        (#"{"__time__":"2026-01-01T00:00:00Z"}"#, #"{"__time__":"2026-01-01T01:00:00Z"}"#),
        (
            #"{"__datatype__":"timestamp","value":{"_seconds":1767225600,"_nanoseconds":0}}"#,
            #"{"__datatype__":"timestamp","value":{"_seconds":1767229200,"_nanoseconds":0}}"#
        ),
        (#""2026-01-01T00:00:00.000Z""#, #""2026-01-01T01:00:00Z""#),
    ])
    func changedTimesHaveTheFormOfTheRecord(original: String, expected: String) async throws {
        for completed in ["", ", \"completedDate\": null", ", \"completedDate\": \(original)"] {
            let store = try Store()
            let status = completed.contains(original) ? "completed" : "pending"
            let record = """
                {"userID": "u", "id": "x", "challengeID": "c", "status": "\(status)", "assignedDate": \(original)\(completed)}
                """
            try await put([record], to: store)
            var stored = try JSONTree(parsing: EveryKind.export(store))
            stored[path: ["user_challenge", "status"]] = .text("completed")
            stored[path: ["user_challenge", "completed_date"]] = .text(try hour(1).description)
            try await store.importLines(stored.jsonText, now: hour(2))
            let exported = String(decoding: try store.exportRecords(as: .outOfBox), as: UTF8.self)
            #expect(exported.contains("\"assignedDate\":\(original)"), "\(exported)")
            #expect(exported.contains("\"completedDate\":\(expected)"), "\(exported)")
        }
    }

    /// Documents of a database that are not records are counted and described.
    @Test(arguments: [
        #"{"users": {"mum": U}, "babies": {"b1": B}, "insights": {"b1": {"insights": {"i1": I, "i2": I}}}, "predictions": {"b1": {"predictions": {"current": P}}}}"#,
        #"{"users": [U], "babies": {"b1": B}, "insights": [I, I], "predictions": {"b1": P}}"#,
        #"{"__collections__": {"users": {"mum": U}, "babies": {"b1": B}, "insights": {"b1": {"__collections__": {"insights": {"i1": I, "i2": I}}}}, "predictions": {"b1": P}}}"#,
        #"{"documents": [{"name": "p/documents/users/mum", "fields": U}, {"name": "p/documents/babies/b1", "fields": B, "createTime": "x"}, {"name": "p/documents/insights/b1/insights/i1", "fields": I}, {"name": "p/documents/insights/b1/insights/i2", "fields": I}, {"name": "p/documents/predictions/b1", "fields": P}]}"#,
        #"{"babies": {"b1": B}, "events": {"b1": {"events": {"e1": {"type": "bath", "timestamp": 1}, "e2": I, "e3": P, "e4": U}}}}"#,
    ])
    func documentsThatAreNoRecordsAreCounted(form: String) async throws {
        let parts = [
            "U": #"{"email": "m@example.org", "displayName": "M", "settings": {"a": 1}, "sharedBabies": ["b1"]}"#,
            "B": try changed(AppDocuments.baby) { $0[path: ["id"]] = nil },
            "I": #"{"type": "pattern", "title": "t", "confidence": 0.5, "data": {"n": 1}, "dismissed": true}"#,
            "P": #"{"nextNapTime": "2026-05-01T10:00:00Z", "nextNapConfidence": 0.5}"#,
        ]
        let export = parts.reduce(form) { text, part in
            text.replacing(" \(part.key)", with: " " + part.value).replacing("[\(part.key)", with: "[" + part.value)
        }
        #expect(try await put([export], to: Store()) == ["baby": 1, "left_out": 4], "\(form)")
        let reports = try ShapeReport.reports(of: export)
        #expect(reports.map(\.count).reduce(0, +) == 5 && reports.contains { $0.kind == nil && $0.count == 4 })
    }

    @Test func aBabyMayHaveTheIDOfTheOption() async throws {
        let baby = try changed(AppDocuments.baby) { $0[path: ["id"]] = nil }
        let event = try eventsWithoutIDs()[0].event
        let store = try Store()
        #expect(try ShapeReport.reports(of: "[\(baby)]")[0].needs == ["baby"])
        #expect(await kinError { try await put([baby], to: store) }.says("set \"baby\""))
        try await put([event, baby], to: store, ShapeOptions(baby: "ada"))
        #expect(try store.babies(of: "dad").map(\.id) == ["ada"])
        #expect(
            await kinError { try await put([baby, baby], to: store, ShapeOptions(baby: "ada")) }.says("names only one"))
    }
}
