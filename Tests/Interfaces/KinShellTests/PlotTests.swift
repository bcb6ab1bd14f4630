import Foundation
import KinTestSupport
import Testing

@testable import KinShell

/// `:plot` in both REPLs draws the printed results of the session.
@Suite("Pictures of a session")
struct PlotTests {
    private let folder = TemporaryFolder()
    private let transcript = Transcript()

    /// A session on 30 vectors with two attributes.
    private func session() throws -> any Conversation {
        let rows = (0..<30).map { "\($0),\(($0 * 7) % 30),\(($0 * 11) % 17),\(($0 * 5) % 13),c\($0 % 4),\($0 % 9)" }
        let csv = try folder.file("t.csv", (["id,x,y,z,city,age"] + rows).joined(separator: "\n"))
        let index = folder.path("t.kin")
        let run = kin("index", "build", csv, "-o", index, "--attribute", "city:category", "--attribute", "age:integer")
        #expect(run.status == 0, "\(run.notes)")
        return try ReplCommand.session(index, threads: 1, console: transcript.console)
    }

    /// The titles of the dots of a colour in a new picture, in the order of drawing.
    private func drawn(_ session: any Conversation) throws -> [(colour: String, title: String)] {
        let file = folder.path("p.svg")
        _ = transcript.answer(":plot \(file) --force", of: session)
        let picture = try String(contentsOfFile: file, encoding: .utf8)
        return picture.matches(of: #/<circle [^>]*fill="(#0072B2|#D55E00)"[^>]*><title>([^<]*)</#).map {
            (String($0.output.1), String($0.output.2))
        }
    }

    @Test("the picture of an index has the results that were printed, and the query if it is a vector")
    func results() throws {
        let session = try session()
        #expect(try drawn(session).isEmpty)
        _ = transcript.answer(":json on", of: session)
        let searches: [(line: String, query: String?)] = [
            ("near 7", "7"), ("near 7 k 3", "7"), ("near 7 k 3 where age < 4", "7"), ("near 7 k 4 among 10-19", "7"),
            ("near 7 group_by city", "7"), ("near [1,2,3] k 2", "the query"), ("near x=3 y=2 k 5", nil),
            ("near x=3 y=2 k 5 compare all", "the query"), ("near x=3 y=2 z=1 k 5", "the query"),
            ("within 40 of 7", "7"), ("within 9 of x=3", nil), ("within 0 of 7", "7"),
            ("within 60 of [1,2,3]", "the query"),
            ("recommend 1,2 unlike 9 k 6", nil), ("recommend vector [1,2,3] k 2", nil), ("set k 2", nil),
            ("near 8", "8"),
            ("filter age > 5", "8"), ("near 8 k 9", "8"), ("set k 25", "8"), ("near 8 k 3", "8"), ("get 3", "8"),
            ("plan 4", "8"), ("near 8 k 30", "8"),
        ]
        var expected: [String] = []
        for (line, query) in searches {
            let answer = try jsonObject(transcript.answer(line, of: session)[0])
            if let found = answer["neighbors"] as? [[String: Any]] { expected = found.map { "\($0["id"] ?? "")" } }
            let dots = try drawn(session)
            #expect(Set(dots.filter { $0.colour == "#0072B2" }.map(\.title)) == Set(expected), "\(line)")
            #expect(dots.filter { $0.colour == "#D55E00" }.map(\.title) == (query.map { [$0] } ?? []), "\(line)")
        }
        // The results of a vector that was removed since.
        _ = transcript.answer("remove \(expected[0])", of: session)
        #expect(Set(try drawn(session).filter { $0.colour == "#0072B2" }.map(\.title)) == Set(expected.dropFirst()))
    }

    @Test("the query is above all results but those at its place")
    func order() throws {
        let session = try session()
        _ = transcript.answer("upsert 99 [7,2,3]", of: session)
        _ = transcript.answer("near [7,2,3] k 31", of: session)
        let dots = try drawn(session)
        let query = try #require(dots.firstIndex { $0.colour == "#D55E00" })
        #expect(dots[(query + 1)...].map(\.title).contains("99") && dots.count > 31)
        #expect(dots[(query + 1)...].count < 3, "\(dots)")
    }

    @Test("the picture of a map or world remains after any other request, except forget")
    func store() throws {
        let (path, file) = (folder.path("people.db"), folder.path("m.svg"))
        for name in ["people", "images", "souls"] {
            #expect(kin("store", "import", "\(datasets)/\(name).jsonl", "--store", path).status == 0)
        }
        let session = try ReplCommand.session(path, threads: 1, console: transcript.console)
        for drawing in ["map u1", "world name=Calm goals=sleep"] {
            _ = transcript.answer(drawing, of: session)
            _ = transcript.answer(":plot \(file) --force", of: session)
            let first = try folder.bytes("m.svg")
            for other in [
                "users", "set k 2", "sessions u1", "help", "similar_souls u1", "put {\"soul\":{\"uid\":\"new\"}}",
                "check",
            ] {
                _ = transcript.answer(other, of: session)
                _ = transcript.answer(":plot \(file) --force", of: session)
                #expect(try folder.bytes("m.svg") == first, "\(drawing), \(other)")
            }
        }
        _ = transcript.answer("map u1", of: session)
        _ = transcript.answer("forget u1", of: session)
        #expect(transcript.refusal(":plot \(file) --force", of: session).contains("nothing to draw"))
    }
}
