/// The version of this release.
package enum Release {
    /// The version number by semantic versioning; the C header and the Python package have the same, which a test
    /// checks.
    package static let version = "0.2.0"
}
