import KinCore
import KinJSON
import KinStore

/// The methods of the store as a whole: records in and out, erasure, checks.
enum StoreMethods {
    static let all = [put, importing, exporting, removing, forget, check, saveIndexes, suspend]

    private static let put = EngineMethod("put") { call, request throws(KinError) in
        let lines = try request.list("records") { reader throws(KinError) in
            try reader.verbatim().replacing("\n", with: " ")
        }
        try request.finish()
        let (store, now) = (try call.store, call.now)
        let text = lines.joined(separator: "\n")
        return counts(try finishing { try await store.importLines(text, now: now) })
    }

    private static let importing = EngineMethod("import") { call, request throws(KinError) in
        let path = try request.string("path")
        try request.finish()
        let (store, now) = (try call.store, call.now)
        return counts(try finishing { try await store.importLines(from: path, now: now) })
    }

    private static let exporting = EngineMethod("export") { call, request throws(KinError) in
        let user = try request.optionalID("user")
        try request.finish()
        var text: [UInt8] = []
        try call.store.exportLines(of: user) { lines throws(KinError) in text += lines }
        let records = String(decoding: text, as: UTF8.self).split(separator: "\n").joined(separator: ",")
        return "[\(records)]"
    }

    private static let removing = EngineMethod("remove") { call, request throws(KinError) in
        let (session, item) = (try request.optionalID("session"), try request.optionalID("item"))
        let kind = try request.optionalString("kind")
        guard [session, item, kind].count(where: { $0 != nil }) == 1 else {
            throw KinError(.invalidArgument, "name a \"session\", an \"item\", or a \"kind\" of record and its key")
        }
        var key: [String: String] = ["id": session ?? item ?? ""]
        if let kind {
            for name in try Store.keyNames(of: kind) { key[name] = try request.string(name) }
        }
        try request.finish()
        let (store, target, name) = (try call.store, key, kind ?? (session == nil ? "inventory_item" : "session"))
        return "{\"removed\":\(try finishing { try await store.remove(name, key: target) })}"
    }

    private static let forget = EngineMethod("forget") { call, request throws(KinError) in
        let user = try request.id("user")
        try request.finish()
        let store = try call.store
        return counts(try finishing { try await store.forget(user) })
    }

    private static let check = EngineMethod("check") { call, request throws(KinError) in
        try request.finish()
        let report = try call.store.check()
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("is_intact") { $0.boolean(report.isIntact) }
            writer.member("change") { $0.integer(report.version.number) }
            writer.member("people") { $0.integer(report.people) }
            writer.member("records") { $0.raw(counts(report.counts)) }
            writer.member("total_bytes") { $0.integer(report.totalBytes) }
            writer.member("problems") { $0.array(report.problems) }
            writer.member("warnings") { $0.array(report.warnings) }
            writer.member("naming_key") { $0.string(report.namingKey.rawValue) }
        }
        return writer.text
    }

    private static let saveIndexes = EngineMethod("save_indexes") { call, request throws(KinError) in
        try request.finish()
        let store = try call.store
        try finishing { try await store.saveIndexes() }
        return "{}"
    }

    private static let suspend = EngineMethod("suspend") { call, request throws(KinError) in
        try request.finish()
        let store = try call.store
        try finishing { try await store.suspend() }
        return "{}"
    }

    /// The number of records by kind, in JSON.
    private static func counts(_ counts: [String: Int]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            for (kind, count) in counts.sorted(by: { $0.key < $1.key }) { writer.member(kind) { $0.integer(count) } }
        }
        return writer.text
    }
}
