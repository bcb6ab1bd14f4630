import Foundation
import Hummingbird
import HummingbirdTesting
import Kin
import KinService
import NIOCore
import Testing

/// Answers about vectors equal the library's.
@Suite struct IndexRouteTests {
    private let vectors: [[Float]]

    init() throws { vectors = try profiles(2_000, seed: 4) }

    private struct Found: Decodable, Equatable {
        var id: UInt64
        var distance: Double
    }

    private func found(_ neighbors: some Sequence<Neighbor>) -> [Found] {
        neighbors.map { Found(id: $0.id.rawValue, distance: $0.distance) }
    }

    @Test func nearestVectorsInJSON() async throws {
        let service = try KinService.of(vectors)
        try await service.application().test(.router) { client in
            for row in stride(from: 0, to: 2_000, by: 97) {
                let query = vectors[row].map { $0 + 0.01 }
                for (options, k, mode) in [
                    ("", 10, SearchMode.exact), ("?k=3", 3, .exact), ("?k=5&recall=0.9", 5, .recall(0.9)),
                ] {
                    let answer = try await client.text(.post, "/index/nearest\(options)", "\(query)")
                    #expect(answer.status == 200)
                    let expected = found(try service.index.snapshot.search(query, k: k, options: .init(mode: mode)))
                    #expect(expected.count == k)
                    #expect(try JSONDecoder().decode([Found].self, from: Data(answer.body.utf8)) == expected)
                }
            }
        }
    }

    @Test func nearestVectorsInBytes() async throws {
        let service = try KinService.of(vectors)
        let queries = try Matrix(rows: Array(vectors[100..<150]))
        var body = ByteBuffer()
        for element in queries.elements { body.writeInteger(element.bitPattern, endianness: .little) }
        let expected = try service.index.snapshot.search(queries, k: 7).flatMap { found($0) }
        let response = try await service.application().test(.router) { [body] client in
            try await client.executeRequest(
                uri: "/index/nearest?k=7", method: .post, headers: [.contentType: "application/octet-stream"],
                body: body)
        }
        var bytes = response.body
        #expect(response.status == .ok)
        #expect(bytes.readableBytes == 50 * 7 * 16)
        let answered = (0..<350).compactMap { _ -> Found? in
            guard let id = bytes.readInteger(endianness: .little, as: UInt64.self),
                let bits = bytes.readInteger(endianness: .little, as: UInt64.self)
            else { return nil }
            return Found(id: id, distance: Double(bitPattern: bits))
        }
        #expect(answered == expected)
    }

    @Test func vectorsComeAndGo() async throws {
        try await KinService.empty(dimension: 3).application().test(.router) { client in
            let index = try await client.text(.get, "/index")
            #expect(index == (200, #"{"count":0,"dimension":3,"metric":"l2"}"#))
            #expect(try await client.text(.put, "/index/vectors/7", "[1, 2, 0.5]").body == #"{"count":1}"#)
            #expect(try await client.text(.put, "/index/vectors/18446744073709551614", "[1,2,3]").status == 200)
            #expect(try await client.text(.put, "/index/vectors/7", "[1, 2, 0.25]").body == #"{"count":2}"#)
            #expect(try await client.text(.get, "/index/vectors/7").body == "[1,2,0.25]")
            #expect(
                try await client.text(.post, "/index/nearest?k=1", "[1,2,3]").body
                    == #"[{"distance":0,"id":18446744073709551614}]"#)
            #expect(try await client.text(.delete, "/index/vectors/7").body == #"{"count":1}"#)
            #expect(try await client.text(.delete, "/index/vectors/7").status == 404)
            #expect(try await client.text(.get, "/index/vectors/7").status == 404)
        }
    }
}
