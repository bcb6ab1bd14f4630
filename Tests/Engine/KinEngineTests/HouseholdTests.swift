import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Synchronization
import Testing

/// A baby with several owners, through the methods of the table.
@Suite("Households")
struct HouseholdTests {
    private let folder = TemporaryFolder()
    private let log = BabyGenerator(seed: 4).log(0, days: 20, age: 90)
    private static let settings = Engine.Settings { () throws(KinError) in
        try Timestamp(parsing: "2026-01-20T12:00:00Z")
    }

    /// An engine in memory with the log of mum's baby, shared with dad, and a zone only in mum's preferences.
    private func engine(sharedWith others: [String] = ["dad"]) throws -> Engine {
        let engine = Engine(Self.settings)
        let born = try #require(log.baby.born)
        try engine.put([
            #"{"challenge_preferences":{"user_id":"mum","time_zone":"Europe/Berlin"}}"#,
            #"{"baby":{"user_id":"mum","id":"b1","name":"Bo","date_of_birth":"\#(born)"}}"#,
        ])
        try engine.putEvents(CareEvent.events(of: log, userID: "mum", babyID: "b1").map(\.record.json), of: "mum")
        for other in others {
            _ = try engine.call("share_baby", #"{"user":"mum","baby":"b1","other":"\#(other)"}"#)
        }
        _ = try engine.call("record_predictions", #"{"user":"mum","baby":"b1","now":"2026-01-15T12:00"}"#)
        return engine
    }

    /// The answer of a call or its error, and all records afterwards.
    private func outcome(_ engine: Engine, _ method: String, _ request: String) throws -> [String] {
        let answer: String
        do { answer = try engine.call(method, request) } catch { answer = "\(error)" }
        return [answer, try engine.call("export")]
    }

    /// A request to a method about a stored baby.
    private func request(_ method: String, _ user: String, _ baby: String) throws -> String {
        let event = #"{"type":"feed","timestamp":"2026-01-19T10:00:00Z","id":"new","createdBy":"gran"}"#
        let more: String
        switch method {
        case "put": more = #","records":[\#(event)]"#
        case "import": more = #","path":"\#(try folder.file("event.jsonl", event + "\n"))""#
        case "remove":
            let event = try CareEvent.events(of: log, userID: "mum", babyID: "b1")[2]
            more = #","kind":"care_event","id":"\#(event.id)""#
        case "share_baby": more = #","other":"gran""#
        case "dismiss_insight": more = #","insight":"wake_window_1""#
        case "unshare_baby": more = #","other":"grandpa""#
        default: more = ""
        }
        return #"{"user":"\#(user)","baby":"\#(baby)"\#(more)}"#
    }

    /// Every method with a baby gives each owner the same answer and records, and answers a person who is no owner as if
    /// there were no such baby.
    @Test("every method about a baby treats all owners alike, and others as if there were no baby")
    func everyMethod() throws {
        let methods = MethodTable.groups.flatMap(\.methods).filter { $0.parameters.contains { $0.name == "baby" } }
        #expect(methods.count >= 19)
        for method in methods {
            let name = method.name
            let outcomes = try ["mum", "dad", "grandpa"].map { user in
                try outcome(engine(sharedWith: ["dad", "grandpa"]), name, request(name, user, "b1"))
            }
            #expect(Set(outcomes).count == 1, "\(name): \(outcomes.map { $0[0].prefix(300) })")
            let failed = outcomes[0][0].contains("unknown id") || outcomes[0][0] == #"{"removed":false}"#
            #expect(!failed, "\(name): \(outcomes[0][0].prefix(300))")
            let stranger = try outcome(engine(), name, request(name, "stranger", "b1"))
            let nothing = try outcome(engine(), name, request(name, "stranger", "nothing"))
            // An app's event of a baby that nobody has begins a log; all else is the same as without such a baby.
            let isSame =
                stranger.map { $0.replacing("nothing", with: "b1") }
                == nothing.map { $0.replacing("nothing", with: "b1") }
            #expect(isSame != ["put", "import"].contains(name), "\(name)")
            let isError = name != "remove"
            #expect(
                stranger[0].contains("the store has no baby b1 of stranger") == isError, "\(name): \(stranger[0])")
        }
    }

    @Test("the babies of a person are listed with all owners")
    func babies() throws {
        let engine = try engine()
        _ = try engine.call("put", #"{"records":[{"baby":{"user_id":"dad","id":"a0","name":"Al"}}]}"#)
        func babies(_ user: String) throws -> [[String]] {
            try jsonList(engine.call("babies", #"{"user":"\#(user)"}"#)).map { baby in
                [baby["id"] as? String ?? "", baby["user_id"] as? String ?? ""] + (baby["owners"] as? [String] ?? [])
            }
        }
        #expect(try babies("mum") == [["b1", "mum", "mum", "dad"]])
        #expect(try babies("dad") == [["a0", "dad", "dad"], ["b1", "dad", "mum", "dad"]])
        #expect(try babies("stranger") == [])
        let answer = try engine.call("unshare_baby", #"{"user":"dad","baby":"b1","other":"mum"}"#)
        #expect(answer == #"{"owners":["dad"]}"#)
        #expect(try babies("mum") == [] && babies("dad").last == ["b1", "dad", "dad"])
    }

    private final class Flag: Sendable {
        let isOver = Atomic(false)
    }

    /// Queries of an owner never fail while the log moves between two other owners and back.
    @Test("an owner has the log in every version, while it moves to a different owner")
    func concurrentMoves() async throws {
        let engine = try Engine(store: folder.path("people.db"), Self.settings)
        let lines = try self.engine().call("export")
        _ = try engine.call("put", "{\"records\":\(lines)}")
        let expected = try engine.call("predictions", #"{"user":"dad","baby":"b1"}"#)
        let flag = Flag()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var count = 0
                    while count == 0 || !flag.isOver.load(ordering: .relaxed) {
                        count += 1
                        #expect(throws: Never.self) {
                            let answer = try engine.call("predictions", #"{"user":"dad","baby":"b1"}"#)
                            #expect(answer == expected)
                        }
                    }
                    return count
                }
            }
            for round in 0..<12 {
                let (out, back) = round % 2 == 0 ? ("mum", "dad") : ("dad", "mum")
                // The log is dad's, then mum's; dad is an owner in between through gran.
                _ = try await engine.store.shareBaby("b1", of: "dad", with: "gran")
                if out == "mum" {
                    _ = try await engine.store.unshareBaby("b1", of: "dad", with: "mum")
                    _ = try await engine.store.shareBaby("b1", of: back, with: "mum")
                } else {
                    _ = try await engine.store.unshareBaby("b1", of: "dad", with: "gran")
                }
            }
            flag.isOver.store(true, ordering: .relaxed)
            for try await count in group { #expect(count > 0) }
        }
    }
}
