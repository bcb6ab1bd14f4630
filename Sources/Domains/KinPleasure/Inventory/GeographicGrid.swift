import KinLibC

/// Cells on the earth: bands of latitude, each divided by longitude into so many cells that they are about as wide as high.
///
/// A cell's key has the band above and the cell in the band below, so that the places of one band lie side by side in the order of
/// keys, and those between two longitudes in one run, or in two where the run crosses the antimeridian.
enum GeographicGrid {
    /// Bands in a degree of latitude; a band is 1.7 km high.
    private static let bandsPerDegree = 64.0
    private static let bandCount = 180 * Int(bandsPerDegree)

    private static func band(_ latitude: Double) -> Int {
        min(max(Int((latitude + 90) * bandsPerDegree), 0), bandCount - 1)
    }

    /// How many cells a band has.
    private static func cells(inBand band: Int) -> Int {
        let middle = (Double(band) + 0.5) / bandsPerDegree - 90
        return max(1, Int(360 * bandsPerDegree * cos(middle * .pi / 180)))
    }

    private static func cell(_ longitude: Double, of cells: Int) -> Int {
        // 180° east and west are one meridian.
        min(Int((longitude + 180) / 360 * Double(cells)), cells - 1)
    }

    private static func key(band: Int, cell: Int) -> UInt32 { UInt32(band) << 17 | UInt32(cell) }

    /// The key of what has no place, above all others.
    static let noCell = UInt32.max

    /// The key of a place's cell.
    static func key(of location: GeographicCoordinates) -> UInt32 {
        let band = band(location.latitude)
        return key(band: band, cell: cell(location.longitude, of: cells(inBand: band)))
    }

    /// The runs of keys that have every place within a distance of a centre; nil when they would be so many that looking at
    /// all places is quicker.
    static func runs(around centre: GeographicCoordinates, kilometers: Double, atMost limit: Int) -> [ClosedRange<
        UInt32
    >]? {
        // A little more than asked for, so that rounding hides no place; the distance itself decides.
        // No more than the other side of the earth, which is as far as there is.
        let angle = min(kilometers / Earth.radiusKilometers, .pi) * (1 + 1e-9) + 1e-9
        let degrees = angle * 180 / .pi
        let (low, high) = (band(centre.latitude - degrees), band(centre.latitude + degrees))
        guard high - low < limit else { return nil }
        let phi = centre.latitude * .pi / 180
        // The widest half of a circle around a centre at latitude φ is asin(sin r ∕ cos φ) of longitude; a circle that reaches a
        // pole has all longitudes.
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
