import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kin
import KinService
import Testing

/// The service answers requests for its own names, from allowed web pages and with the token, and refuses all others.
@Suite struct AccessTests {
    private let json: HTTPFields = [.contentType: "application/json"]

    /// A page that made its own name resolve to this machine (DNS rebinding) is refused by the name.
    @Test func names() async throws {
        let service = try KinService.empty(access: ServiceAccess(hosts: ["Kin.Example"]))
        try await service.application().test(.live) { client in
            let port = try #require(client.port)
            for (name, status) in [
                ("localhost", 200), ("127.0.0.1:8080", 200), ("[::1]:\(port)", 200), ("LOCALHOST:1", 200),
                ("kin.example:\(port)", 200), ("evil.example", 421), ("localhost.evil.example:\(port)", 421),
                ("evil.example:localhost", 421), ("[::2]", 421), ("[localhost", 200), ("", 421),
                ("127.0.0.1.evil.example", 421),
            ] {
                let request = ["GET /health HTTP/1.1\r\nHost: \(name)\r\nConnection: close\r\n\r\n"]
                let answer = try await answer(to: request, port: port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(answer)")
            }
            for hosts in ["", "Host: localhost\r\nHost: evil.example\r\n"] {
                let request = ["GET /health HTTP/1.1\r\n\(hosts)Connection: close\r\n\r\n"]
                let answer = try await answer(to: request, port: port)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            }
        }
    }

    /// Requests from a page in the operator's browser are refused, and write nothing.
    @Test func webPages() async throws {
        let service = try KinService.empty(access: ServiceAccess(origins: ["https://app.example"]))
        try await service.application().test(.router) { client in
            for origin in [
                "https://evil.example", "null", "https://app.example.evil.example", "http://app.example", "",
            ] {
                for uri in ["/forget", "/index/vectors/1"] {
                    var headers = json
                    headers[.origin] = origin
                    let method: HTTPRequest.Method = uri == "/forget" ? .post : .put
                    let answer = try await client.text(method, uri, "[1,2,3]", headers: headers)
                    #expect(answer.status == 403, "\(origin)")
                    #expect(answer.body.contains("--allow-origin"))
                }
            }
            for site in ["cross-site", "same-site"] {
                let headers: HTTPFields = [HTTPField.Name("Sec-Fetch-Site")!: site]
                #expect(try await client.text(.get, "/index", headers: headers).status == 403)
            }
            #expect(service.index.snapshot.isEmpty)
            let allowed: HTTPFields = [.contentType: "application/json", .origin: "https://app.example"]
            let answer = try await client.executeRequest(uri: "/users", method: .post, headers: allowed, body: nil)
            #expect(answer.status == .ok)
            #expect(answer.headers[.accessControlAllowOrigin] == "https://app.example")
            let failed = try await client.executeRequest(uri: "/near", method: .post, headers: allowed, body: nil)
            #expect(failed.status == .badRequest)
            #expect(failed.headers[.accessControlAllowOrigin] == "https://app.example")
            let asked = try await client.executeRequest(
                uri: "/users", method: .options, headers: [.origin: "https://app.example"], body: nil)
            #expect(asked.status == .noContent)
            #expect(asked.headers[.accessControlAllowHeaders] == "authorization, content-type")
        }
    }

    /// The content types that a form can send, and a missing type, are refused.
    @Test func contentTypes() async throws {
        let service = try KinService.empty()
        try await service.application().test(.router) { client in
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", nil]
            {
                var headers = HTTPFields()
                headers[.contentType] = type
                for (method, uri) in [
                    (HTTPRequest.Method.post, "/users"), (.post, "/index/nearest"), (.put, "/index/vectors/1"),
                ] {
                    let answer = try await client.text(method, uri, "[1,2,3]", headers: headers)
                    #expect(answer.status == 415, "\(type ?? "none") \(uri)")
                }
            }
            let bytes: HTTPFields = [.contentType: "application/octet-stream"]
            #expect(try await client.text(.post, "/users", headers: bytes).status == 415)
            let utf8: HTTPFields = [.contentType: "Application/JSON; charset=utf-8"]
            #expect(try await client.text(.post, "/users", headers: utf8).status == 200)
        }
        #expect(service.index.snapshot.isEmpty)
    }

    @Test func token() async throws {
        let secret = "0123456789abcdefXYZ"
        let service = try KinService.empty(access: ServiceAccess(token: AccessToken(" \(secret)\n")))
        try await service.application().test(.router) { client in
            for header in [
                nil, "", "Bearer", "Bearer ", "Bearer \(secret)0", "Bearer \(secret.dropLast())", "Basic \(secret)",
                secret,
                "Bearer \(secret.lowercased())",
            ] {
                var headers = json
                headers[.authorization] = header
                let answer = try await client.executeRequest(uri: "/users", method: .post, headers: headers, body: nil)
                #expect(answer.status == .unauthorized, "\(header ?? "none")")
                #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                #expect(try await client.text(.get, "/", headers: headers).status == 401)
                #expect(try await client.text(.get, "/health", headers: headers).status == 200)
            }
            for scheme in ["Bearer", "bearer"] {
                var headers = json
                headers[.authorization] = "\(scheme) \(secret)"
                #expect(try await client.text(.post, "/users", headers: headers).status == 200)
            }
        }
    }

    @Test func addressesOfOtherMachinesNeedAToken() throws {
        let open = try KinService.empty()
        for address in ["127.0.0.1", "127.1.2.3", "::1", "localhost"] { _ = try open.application(host: address) }
        for address in ["0.0.0.0", "::", "192.168.1.2", "127.0.0.1.evil.example", "kin.example"] {
            let error = #expect(throws: KinError.self) { try open.application(host: address) }
            #expect(error?.description.contains("KIN_SERVICE_TOKEN") == true)
        }
        let secret = try AccessToken("0123456789abcdef")
        _ = try KinService.empty(access: ServiceAccess(token: secret)).application(host: "0.0.0.0")
        for weak in ["", "short", "0123456789abcde", "0123456789 abcdef", "0123456789abcdefé"] {
            #expect(throws: KinError.self, "\(weak)") { try AccessToken(weak) }
        }
    }
}
