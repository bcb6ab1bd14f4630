/// Whether the modules that compute were compiled with optimisation.
///
/// They are in a release build, and with `KIN_OPTIMISE=1`, where `DEBUG` is defined too.
package let isOptimised = !_isDebugAssertConfiguration()
