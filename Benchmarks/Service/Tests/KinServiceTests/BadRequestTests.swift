import Hummingbird
import HummingbirdTesting
import Kin
import KinEngine
import KinService
import NIOCore
import Testing

/// A request that cannot be answered gets an error with the reason, and changes nothing.
@Suite struct BadRequestTests {
    private struct Bad: Sendable {
        var method: HTTPRequest.Method
        var uri: String
        var body = ""
        var status = 400
        /// A part of the answer: the code or the sentence.
        var part: String
    }

    private static let requests = [
        Bad(method: .post, uri: "/index/nearest", body: "[1, 2]", part: "dimension mismatch"),
        Bad(method: .post, uri: "/index/nearest", body: "[1, 2, \"x\"]", part: "bad request"),
        Bad(method: .post, uri: "/index/nearest", body: "[1, 2, 1e39]", part: "bad request"),
        Bad(method: .post, uri: "/index/nearest", body: "[1, 2, 3", part: "bad request"),
        Bad(method: .post, uri: "/index/nearest", part: "bad request"),
        Bad(method: .post, uri: "/index/nearest?k=0", body: "[1,2,3]", part: "not \\\"0\\\""),
        Bad(method: .post, uri: "/index/nearest?k=1001", body: "[1,2,3]", part: "from 1 to 1000"),
        Bad(method: .post, uri: "/index/nearest?n=1", body: "[1,2,3]", part: "not \\\"n\\\""),
        Bad(method: .post, uri: "/index/nearest?recall=2", body: "[1,2,3]", part: "recall"),
        Bad(method: .post, uri: "/index/nearest?recall=much", body: "[1,2,3]", part: "not \\\"much\\\""),
        Bad(method: .put, uri: "/index/vectors/1", body: "[1, 2, 3, 4]", part: "dimension mismatch"),
        Bad(method: .put, uri: "/index/vectors/-1", body: "[1, 2, 3]", part: "not \\\"-1\\\""),
        Bad(method: .put, uri: "/index/vectors/18446744073709551615", body: "[1, 2, 3]", part: "invalid argument"),
        Bad(method: .get, uri: "/index/vectors/8", status: 404, part: "no vector has the id 8"),
        Bad(method: .delete, uri: "/index/vectors/8", status: 404, part: "unknown id"),
        Bad(method: .post, uri: "/put", body: "{\"records\": [{\"session\": {\"id\": \"s1\"}}]}", part: "method put"),
        Bad(method: .post, uri: "/put", body: "{\"records\": [", part: "line 1"),
        Bad(method: .post, uri: "/near", body: "{\"session\": \"s1\"}", status: 404, part: "unknown id"),
        Bad(method: .post, uri: "/near", body: "{\"k\": \"three\"}", part: "field k"),
        Bad(method: .post, uri: "/no_such_method", body: "{}", status: 404, part: "there is no POST"),
        Bad(method: .post, uri: "/backup", body: "{\"path\": \"/tmp/x\"}", status: 404, part: "there is no POST"),
        Bad(
            method: .post, uri: "/near", body: "{\"k\": 1001}", part: "k must be at most 1000 in this service, not 1001"
        ),
        Bad(method: .post, uri: "/near", body: "{\"\\u006b\": 1e9}", part: "k must be at most 1000"),
        Bad(method: .post, uri: "/near", body: "{\"k\": 1, \"k\": 1001}", part: "k"),
        Bad(method: .post, uri: "/near", body: "{\"k\": 1", part: "the body must be a JSON object"),
        Bad(method: .post, uri: "/create_policy", body: "{\"megabytes\": 17}", part: "megabytes must be at most 16"),
        Bad(method: .post, uri: "/match", body: "{\"threads\": 64}", part: "threads must be at most 2"),
        Bad(method: .get, uri: "/near", status: 404, part: "there is no GET"),
        Bad(method: .get, uri: "/a/b/c", status: 404, part: "not found"),
    ]

    @Test func areToldWhyAndChangeNothing() async throws {
        let service = try KinService.empty(dimension: 3)
        _ = try service.index.upsert([1, 2, 3], id: VectorID(7))
        let before = try service.engine.call("export")
        try await service.application().test(.router) { client in
            for bad in Self.requests {
                let answer = try await client.text(bad.method, bad.uri, bad.body)
                #expect(answer.status == bad.status, "\(bad.uri) \(bad.body): \(answer.body)")
                #expect(answer.body.hasPrefix(#"{"error":{""#), "\(bad.uri) \(bad.body): \(answer.body)")
                #expect(answer.body.contains(bad.part), "\(bad.uri) \(bad.body): \(answer.body)")
            }
        }
        #expect(service.index.snapshot.ids == [VectorID(7)])
        #expect(try service.index.snapshot.vector(for: VectorID(7)) == [1, 2, 3])
        #expect(try service.engine.call("export") == before)
    }

    @Test func inBytesAreToldWhyToo() async throws {
        let numbers = ByteBuffer(repeating: 0, count: 8)
        let notANumber = ByteBuffer(integer: Float.nan.bitPattern, endianness: .little)
        try await KinService.empty(dimension: 3).application().test(.router) { client in
            for (body, part) in [
                (ByteBuffer(repeating: 0, count: 11), "not 11 bytes"), (numbers, "dimension mismatch"),
                (ByteBuffer(), "dimension mismatch"), (numbers.followed(by: notANumber), "not finite"),
            ] {
                let response = try await client.executeRequest(
                    uri: "/index/nearest", method: .post,
                    headers: [.contentType: "application/octet-stream; charset=binary"], body: body)
                #expect(response.status == .badRequest)
                #expect(String(buffer: response.body).contains(part))
            }
        }
    }
}

extension ByteBuffer {
    /// These bytes followed by others.
    fileprivate func followed(by others: ByteBuffer) -> ByteBuffer {
        var bytes = self
        bytes.writeImmutableBuffer(others)
        return bytes
    }
}
