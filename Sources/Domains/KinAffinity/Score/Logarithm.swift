#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// ln x.
func logarithm(_ x: Double) -> Double { log(x) }

/// ln(1 + x), exact for small x.
func logarithm(onePlus x: Double) -> Double { log1p(x) }

/// xʸ.
func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }

/// eˣ.
func exponential(_ x: Double) -> Double { exp(x) }
