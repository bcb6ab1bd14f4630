/// Whether the library was compiled with optimisation, which this module shares with it.
///
/// It is in a release build, and with `KIN_OPTIMISE=1`, where `DEBUG` is defined too.
package let isOptimised = !_isDebugAssertConfiguration()
