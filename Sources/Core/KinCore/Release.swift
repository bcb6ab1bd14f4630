/// The version of this release.
package enum Release {
    /// The version number by semantic versioning; a test checks that the C header and the Python package have the same
    /// number.
    package static let version = "0.3.0"
}
