import KinCore
import Testing

@Suite struct KinErrorTests {
    @Test func descriptionsStartWithTheLocation() {
        let error = KinError(.notFinite, "a number is NaN")
        #expect(error.description == "a number is NaN" && error.context.isEmpty)
        let placed = error.within("line", 7).within("file", "a.csv")
        #expect(placed.description == "file a.csv, line 7: a number is NaN")
        #expect(placed.context.map(\.name) == ["file", "line"] && placed.context.map(\.value) == ["a.csv", "7"])
        #expect(placed.code == .notFinite && placed.message == "a number is NaN")
        #expect(placed != error)
    }

    /// The numbers are part of the C and Python interfaces: a change here breaks programs.
    @Test func codesNeverChangeTheirNumbers() {
        let codes: [(KinError.Code, Int32, String)] = [
            (.invalidArgument, 1, "invalid argument"), (.dimensionMismatch, 2, "dimension mismatch"),
            (.notFinite, 3, "not finite"), (.zeroVector, 4, "zero vector"), (.duplicateID, 5, "duplicate id"),
            (.unknownID, 6, "unknown id"), (.malformedInput, 7, "malformed input"),
            (.corruptFile, 8, "corrupt file"), (.unsupportedFormat, 9, "unsupported format"),
            (.inputOutput, 10, "input/output"), (.capacityExceeded, 11, "capacity exceeded"),
            (.numericalFailure, 12, "numerical failure"),
            (.busy, 13, "busy"), (.cancelled, 14, "cancelled"),
        ]
        for (code, number, name) in codes {
            #expect(code.rawValue == number && code.description == name)
            #expect(KinError.Code(rawValue: number) == code)
        }
        #expect(KinError.Code(rawValue: 99).description == "code 99")
    }
}
