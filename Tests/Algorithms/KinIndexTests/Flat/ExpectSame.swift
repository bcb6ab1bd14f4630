import KinIndex
import Testing

/// Expects two results to be equal, and reports the first rank with a difference.
func expectSame(
    _ found: some Collection<Neighbor>, _ expected: some Collection<Neighbor>, _ note: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !found.elementsEqual(expected) else { return }
    let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }
    let difference =
        place.map { "at rank \($0): found \($1.0), expected \($1.1)" }
        ?? "found \(found.count) neighbours, expected \(expected.count)"
    Issue.record("\(difference); \(note())", sourceLocation: sourceLocation)
}
