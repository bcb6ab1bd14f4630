import KinLibC

/// A grid of cells on the earth: bands of latitude, divided by longitude into cells about as wide as high.
///
/// A cell's key has the band in the high bits and the cell in the low bits, so that the cells of a band between two
/// longitudes are one run of keys, or two across the antimeridian.
enum GeographicGrid {
    /// The number of bands in a degree of latitude; a band is 1.7 km high.
    private static let bandsPerDegree = 64.0
    private static let bandCount = 180 * Int(bandsPerDegree)

    private static func band(_ latitude: Double) -> Int {
        min(max(Int((latitude + 90) * bandsPerDegree), 0), bandCount - 1)
    }

    /// The number of cells in a band.
    private static func cells(inBand band: Int) -> Int {
        let middle = (Double(band) + 0.5) / bandsPerDegree - 90
        return max(1, Int(360 * bandsPerDegree * cos(middle * .pi / 180)))
    }

    private static func cell(_ longitude: Double, of cells: Int) -> Int {
        // 180° east and west are one meridian.
        min(Int((longitude + 180) / 360 * Double(cells)), cells - 1)
    }

    private static func key(band: Int, cell: Int) -> UInt32 { UInt32(band) << 17 | UInt32(cell) }

    /// The key of an item without a location, above all cells.
    static let noCell = UInt32.max

    /// The key of the cell that contains a location.
    static func key(of location: GeographicCoordinates) -> UInt32 {
        let band = band(location.latitude)
        return key(band: band, cell: cell(location.longitude, of: cells(inBand: band)))
    }

    /// The runs of keys that cover every location within a distance of a centre; nil for more runs than `limit`.
    static func runs(
        around centre: GeographicCoordinates, kilometers: Double, atMost limit: Int
    ) -> [ClosedRange<UInt32>]? {
        // A margin against rounding; the exact distance decides later.
        // At most half the circumference.
        let angle = min(kilometers / Earth.radiusKilometers, .pi) * (1 + 1e-9) + 1e-9
        let degrees = angle * 180 / .pi
        let (low, high) = (band(centre.latitude - degrees), band(centre.latitude + degrees))
        guard high - low < limit else { return nil }
        let phi = centre.latitude * .pi / 180
        // A circle of radius r around a centre at latitude φ extends asin(sin r ∕ cos φ) of longitude to either side. A
        // circle that contains a pole has all longitudes.
        let reachesPole = abs(centre.latitude) + degrees >= 90
        let half = reachesPole ? 180 : asin(min(1, sin(angle) / cos(phi))) * 180 / .pi * (1 + 1e-9) + 1e-9
        var runs: [ClosedRange<UInt32>] = []
        for band in low...high {
            let cells = cells(inBand: band)
            guard half < 180 else {
                runs.append(key(band: band, cell: 0)...key(band: band, cell: cells - 1))
                continue
            }
            let (west, east) = (centre.longitude - half, centre.longitude + half)
            let first = cell(west < -180 ? west + 360 : west, of: cells)
            let last = cell(east > 180 ? east - 360 : east, of: cells)
            if west >= -180 && east <= 180 {
                runs.append(key(band: band, cell: first)...key(band: band, cell: last))
            } else if last >= first {
                runs.append(key(band: band, cell: 0)...key(band: band, cell: cells - 1))
            } else {
                runs.append(key(band: band, cell: 0)...key(band: band, cell: last))
                runs.append(key(band: band, cell: first)...key(band: band, cell: cells - 1))
            }
        }
        return runs
    }
}
