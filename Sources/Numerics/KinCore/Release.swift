/// This release.
package enum Release {
    /// Its number by semantic versioning; the header of the C interface and the Python package have the same, which a test checks.
    package static let version = "0.1.0"
}
