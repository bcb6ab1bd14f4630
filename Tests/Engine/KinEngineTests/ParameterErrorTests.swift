import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

/// Invalid values for every parameter of every method, generated from the method table.
@Suite("Parameter errors")
struct ParameterErrorTests {
    /// A valid JSON value of a parameter, for the required parameters of a request.
    static func valid(_ parameter: ParameterDescription) -> String {
        switch parameter.type {
        case .id, .text, .document, .path, .output: "\"x\""
        case .boolean: "true"
        case .instant: "\"2026-03-01T09:00:00Z\""
        case .localTime: "\"2026-03-01T09:00\""
        case .date: "\"2026-03-01\""
        case .zone: "\"Europe/Berlin\""
        case .timeOfDay: "\"07:30\""
        case .integer(let range): "\(range.lowerBound)"
        case .seed: "7"
        case .number(let range, _): "\(range.lowerBound)"
        case .duration: "1"
        case .choice(let words): "\"\(words[0])\""
        case .choices(let words): "[\"\(words[0])\"]"
        case .filter: "\"state = drift\""
        case .point: #"{"food":0.5}"#
        case .coordinates: #"{"lat":40.7,"lng":-73.9}"#
        case .object("soul"): #"{"uid":"a","valence":0.5}"#
        case .object("contribution"):
            #"{"story":{"title":"t","content":"c","triggerZone":"z","narrativeType":"fable"}}"#
        case .object("analysis"): ImageAnalysisGenerator(seed: 1).image(0).analysis.json
        case .object: "{}"
        case .list("number"): "[1,2,3]"
        case .list("goal"): #"["sleep"]"#
        case .list: "[]"
        }
    }

    /// Invalid JSON values of a parameter: of a different type, out of range, unknown words.
    static func invalid(_ parameter: ParameterDescription) -> [String] {
        switch parameter.type {
        case .id: ["3", "[]", "\"\"", "\"a\\u0000b\"", "\"\(String(repeating: "x", count: 513))\""]
        case .text, .document, .path, .output: ["3", "{}"]
        case .boolean: ["\"maybe\"", "3", "[]"]
        case .instant:
            ["3", "\"yesterday\"", "\"2026-13-01T09:00:00Z\"", "\"2026-03-01T09:00:00\"", "\"2026-03-01 09:00\""]
        case .localTime: ["3", "\"noon\"", "\"2026-02-30T09:00\""]
        case .date: ["3", "\"today\"", "\"2026-02-30\""]
        case .zone: ["3", "\"Mars/Base\"", "\"\""]
        case .timeOfDay: ["3", "\"25:00\""]
        case .integer(let range):
            ["\"x\"", "1.5", "[]", "\(range.lowerBound - 1)"]
                + (range.upperBound == .max ? [] : ["\(range.upperBound + 1)"])
        case .seed: ["-1", "1.5", "\"x\"", "18446744073709551616"]
        case .number(let range, _):
            ["\"x\"", "{}"] + (range.lowerBound > -1e300 ? ["\(range.lowerBound - 1)"] : [])
                + (range.upperBound < 1e300 ? ["\(range.upperBound + max(1, range.upperBound.ulp))"] : [])
        case .choice, .duration: ["\"zzz\"", "3", "[]"]
        case .choices: ["\"x\"", "[\"zzz\"]", "[3]"]
        case .filter: ["3", "\"state = =\"", "\"nonsense\""]
        case .point: ["3", #"{"fod":0.5}"#, #"{"food":7}"#, #"{"food":"x"}"#]
        case .coordinates: ["3", #"{"lat":91,"lng":0}"#, #"{"lat":1}"#, #"{"lat":"x","lng":0}"#]
        case .object("vector"), .object("mode"): ["{}"]
        case .object: ["3", "[3]"]
        case .list(let kind): ["3", "\"x\"", "{}"] + (kind.hasSuffix(" id") ? ["[\"a\\u0001b\"]"] : [])
        }
    }

    @Test("errors name the parameter as written and its allowed values")
    func errors() throws {
        let engine = Engine()
        var count = 0
        for method in MethodTable.groups.flatMap(\.methods) {
            let required = method.parameters.filter { $0.presence == .required }
            /// The error of a request with one more parameter, or without a required one.
            func error(_ name: String, _ value: String?) -> KinError? {
                var others = required.filter { $0.name != name }.map { "\"\($0.name)\":\(Self.valid($0))" }
                // A log comes from the store unless it is in the request.
                if name != "log", method.parameters.contains(where: { $0.name == "log" }) {
                    others += ["user", "baby"].filter { $0 != name }.map { "\"\($0)\":\"x\"" }
                }
                let members = others + (value.map { ["\"\(name)\":\($0)"] } ?? [])
                do throws(KinError) {
                    _ = try engine.call(method.name, "{\(members.joined(separator: ","))}")
                    return nil
                } catch { return error }
            }
            // A backup would be written.
            let bare = method.name == "backup" ? nil : error("", nil)
            let lacking = bare?.context.first { $0.name == "field" }?.value
            #expect(
                !method.parameters.contains { "\($0.presence)" != "required" && $0.name == lacking },
                "\(method.name) needs \(lacking ?? "")")
            for parameter in method.parameters {
                if case .integer(let range) = parameter.type {
                    // A whole number may have a point or an exponent.
                    for form in ["\(range.lowerBound).0", "\(range.lowerBound)e0"] {
                        let message = error(parameter.name, form)?.message ?? ""
                        #expect(!message.contains("a whole number"), "\(method.name) \(parameter.name): \(message)")
                    }
                }
                for value in Self.invalid(parameter) where !Self.isAccepted(value, parameter, method) {
                    check(error(parameter.name, value), parameter.name, "\(method.name) \(parameter.name)=\(value)")
                    count += 1
                }
                if parameter.presence == .required {
                    let missing = error(parameter.name, nil)
                    #expect(missing?.message == "the parameter \"\(parameter.name)\" is missing", "\(method.name)")
                }
                let unknown = error(parameter.name + "x", "3")?.message ?? ""
                #expect(
                    unknown.hasPrefix("there is no parameter \"\(parameter.name)x\"; "), "\(method.name): \(unknown)")
                #expect(
                    unknown.contains("did you mean \"\(parameter.name)\"") || unknown.contains("there are"),
                    "\(unknown)")
            }
        }
        #expect(count > 1000, "\(count)")
    }

    /// Values that a parameter takes in addition to those of its type.
    private static func isAccepted(_ value: String, _ parameter: ParameterDescription, _ method: EngineMethod) -> Bool {
        switch method.name {
        // The keys of records may be numbers, and `shape` reads one record or a list.
        case "remove": parameter.type == .text
        case "shape": parameter.name == "records"
        // One person needs no list.
        case "forget": value == "\"x\""
        default: false
        }
    }

    private func check(_ error: KinError?, _ name: String, _ request: String) {
        guard let error else {
            Issue.record("\(request): no error")
            return
        }
        let text = "\(error)"
        #expect(
            [.invalidArgument, .malformedInput, .notFinite, .unknownID].contains(error.code), "\(request): \(text)")
        #expect(text.contains(name), "\(request): \(text)")
        let isNext = [
            "must ", "did you mean", "there are ", "is expected here", "is missing", "write ", "give ", "has a ",
        ].contains { error.message.contains($0) }
        #expect(isNext, "\(request): \(text)")
        #expect(!text.contains(/[a-z][A-Z][a-z]+\(|Optional|ClosedRange/), "\(request): \(text)")
        // A position in one value says nothing about the request; that of a log is in the log.
        #expect(!text.contains("column") || name == "log", "\(request): \(text)")
    }
}
