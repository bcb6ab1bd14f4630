import KinLibC

/// The smallest change of one condition of a situation that changes the first mission.
public struct MissionFlip: Sendable, Hashable {
    /// The changed condition, with its value after the change.
    public let change: Change
    /// The first mission after the change; nil if there is none.
    public let mission: Mission?

    /// A condition with a new value.
    public enum Change: Sendable, Hashable {
        /// The available time in minutes, including travel.
        case minutes(Double)
        /// The largest distance, in kilometres.
        case radius(Double)
        /// One coordinate of the target profile, 0…1.
        case target(Pleasure.Dimension, Float)
        /// The weather, by its word.
        case weather(MissionRequest.Weather)
        /// The means of travel, by its speed.
        case travel(MissionRequest.Travel)
    }
}

extension MissionRequest {
    /// The situation after a change of one condition.
    ///
    /// - Throws: `.notFinite` or `.invalidArgument` for a coordinate outside 0…1.
    public func changed(by change: MissionFlip.Change) throws(KinError) -> MissionRequest {
        var request = self
        switch change {
        case .minutes(let minutes): request.minutes = minutes
        case .radius(let kilometers): request.radiusKilometers = kilometers
        case .target(let dimension, let value): try request.target.set(dimension, to: value)
        case .weather(let weather): request.weather = weather
        case .travel(let travel): request.travel = travel
        }
        return request
    }
}

extension InventoryIndex {
    /// Finds the smallest change of each condition that changes the first mission.
    ///
    /// The changes are fewer and more minutes, a smaller and a larger radius, one coordinate of the target, the weather
    /// most like the present one, and the means of travel nearest in speed. Numbers are exact to a billionth: that much
    /// before the change, the first mission is still the same. Up to a day and 1,000 km are tried.
    ///
    /// The scores of two missions, as functions of one number, cross at the roots of a linear or quadratic equation. The
    /// pairs are searched for the nearest crossing with the first mission; a pair takes part only if a limit of its score
    /// crosses nearer than the nearest one found.
    ///
    /// - Parameter request: The situation.
    /// - Returns: The flips in the order above, without conditions whose changes keep the first mission.
    /// - Throws: As ``missions(for:k:)``.
    /// - Complexity: About ten searches for one mission; more for a larger radius, which is doubled until it has a flip.
    public func flips(for request: MissionRequest) throws(KinError) -> [MissionFlip] {
        // All candidates but those beyond the radius.
        var wide = request
        (wide.minutes, wide.travel, wide.weather) = (max(request.minutes, FlipSearch.Scale.minutes.most), .car, nil)
        _ = try request.query(for: .tool)
        let search = FlipSearch(index: self, MissionPairing(try pairing(for: wide), in: request))
        let (outdoors, speed) = (request.weather?.outdoors ?? 0.5, request.travel.kilometersPerHour)
        let weathers = MissionRequest.Weather.allCases.map {
            (MissionFlip.Change.weather($0), abs($0.outdoors - outdoors))
        }
        let travels = MissionRequest.Travel.allCases.map {
            (MissionFlip.Change.travel($0), abs($0.kilometersPerHour - speed))
        }
        return [
            search.flipDown(of: .minutes), search.flipUp(of: .minutes, among: search.present, to: wide.minutes),
            search.flipDown(of: .radius), try search.flipOfLargerRadius(), search.flipOfTarget(),
            search.flip(among: weathers), search.flip(among: travels),
        ].compactMap(\.self)
    }
}

/// The search for the flips of one situation.
private struct FlipSearch: ~Copyable {
    let index: InventoryIndex
    /// The pairs in the present situation.
    let present: MissionPairing
    /// The present first mission.
    let first: MissionPairing.Pair?
    private var request: MissionRequest { present.request }

    init(index: InventoryIndex, _ present: MissionPairing) {
        self.index = index
        self.present = present
        first = present.first(from: nil)
    }

    /// A condition whose number x gives a pair the score base − cost ∕ x, from the pair's least x on.
    enum Scale {
        case minutes, radius

        /// The largest number that is tried: a day, or 1,000 km.
        var most: Double { self == .minutes ? 1440 : 1000 }
        func number(of request: MissionRequest) -> Double {
            self == .minutes ? request.minutes : request.radiusKilometers
        }
        func change(to number: Double) -> MissionFlip.Change { self == .minutes ? .minutes(number) : .radius(number) }
    }

    /// A score as a function of a number.
    private struct Curve {
        var base: Double
        let cost, least: Double

        /// The curve of a pair in a situation.
        init(_ pair: MissionPairing.Pair, _ scale: Scale, in request: MissionRequest) {
            switch scale {
            case .minutes:
                cost = Mission.Name.time.weight * pair.travelMinutes
                (base, least) = (pair.score + cost / request.minutes, pair.leastMinutes)
            case .radius:
                cost = Mission.Name.near.weight * pair.route / 2
                (base, least) = (pair.score + (cost > 0 ? cost / request.radiusKilometers : 0), pair.leastRadius)
            }
        }

        /// A curve above the curves of all pairs with at most this fixed score and at least this distance.
        @inline(__always)
        init(_ fixed: Double, _ distance: Double, _ scale: Scale, in request: MissionRequest) {
            let travel = request.minutes(forKilometers: 2 * distance)
            let (near, time) = (Mission.Name.near.weight, Mission.Name.time.weight)
            switch scale {
            case .minutes:
                let value = request.radiusKilometers > 0 ? 1 - distance / (2 * request.radiusKilometers) : 1
                (base, cost, least) = (fixed + near * value + time, time * travel, travel)
            case .radius:
                (base, cost, least) = (
                    fixed + near + time * (1 - travel / request.minutes), near * distance / 2, distance
                )
            }
            base += MissionPairing.slack
        }

        /// The nearest number to x, upwards or downwards, at which this curve is at least as high as another curve; nil
        /// without one.
        @inline(__always)
        func lead(over own: Curve?, from x: Double, isUp: Bool) -> Double? {
            guard let own else { return isUp ? max(x, least) : nil }
            let start = isUp ? max(x, least) : x
            let last = isUp ? .infinity : max(least, own.least)
            guard start >= last || isUp else { return nil }
            let (base, cost) = (base - own.base, cost - own.cost)
            if base * start >= cost { return start }
            guard isUp ? base > 0 : base < 0 else { return nil }
            let crossing = cost / base
            return isUp || crossing >= last ? crossing : nil
        }
    }

    /// The nearest flip at fewer minutes or a smaller radius.
    func flipDown(of scale: Scale) -> MissionFlip? {
        guard let first else { return nil }
        let least = Curve(first, scale, in: request).least
        let lead = nearest(of: scale, among: present, to: least, isUp: false) ?? (least, nil)
        return flip(at: lead, of: scale, among: present, isUp: false)
    }

    /// The nearest flip at a larger number, up to a limit.
    func flipUp(of scale: Scale, among pairing: MissionPairing, to limit: Double) -> MissionFlip? {
        let wide = situation(after: scale.change(to: limit), among: pairing)
        return nearest(of: scale, among: wide, to: limit, isUp: true)
            .flatMap { flip(at: $0, of: scale, among: wide, isUp: true) }
    }

    /// The flip at the nearest larger radius: twice the radius has the candidates until then, and so on.
    func flipOfLargerRadius() throws(KinError) -> MissionFlip? {
        // Farther items cannot be reached in time.
        let reach = request.travel.kilometersPerHour * request.minutes / 120
        var limit = request.radiusKilometers
        while limit < Scale.radius.most {
            limit = limit < reach ? 2 * max(limit, 0.5) : Scale.radius.most
            limit = min(limit, Scale.radius.most)
            let wide = try index.pairing(for: try request.changed(by: .radius(limit)))
            if let flip = flipUp(of: .radius, among: wide, to: limit) { return flip }
        }
        return nil
    }

    /// A number at which a different pair begins to lead; no pair if the first one no longer fits there.
    private typealias Lead = (number: Double, pair: MissionPairing.Pair?)

    /// The nearest lead, up to a limit; nil if there is none.
    private func nearest(
        of scale: Scale, among pairing: MissionPairing, to limit: Double, isUp: Bool
    ) -> Lead? {
        let x = scale.number(of: request)
        let own = first.map { Curve($0, scale, in: request) }
        var nearest: Lead?
        pairing.search(
            from: -abs(limit - x),
            rankedBy: { fixed, distance in
                Curve(fixed, distance, scale, in: pairing.request).lead(over: own, from: x, isUp: isUp)
                    .map { -abs($0 - x) } ?? -.infinity
            }
        ) { pair in
            let number = Curve(pair, scale, in: pairing.request).lead(over: own, from: x, isUp: isUp)
            guard let number, abs(number - x) <= abs((nearest?.number ?? limit) - x) else { return -.infinity }
            guard leads(pair, after: scale.change(to: beyond(number, isUp)), among: pairing) else { return -.infinity }
            nearest = (number, pair)
            return -abs(number - x)
        }
        return nearest
    }

    /// The pairs after a change.
    private func situation(after change: MissionFlip.Change, among pairing: MissionPairing) -> MissionPairing {
        let changed = infallible("the number is in the range of its condition") { () throws(KinError) in
            try request.changed(by: change)
        }
        return MissionPairing(pairing, in: changed)
    }

    /// Whether a pair precedes the first one after a change; without a pair, whether the first one no longer fits.
    private func leads(
        _ pair: MissionPairing.Pair?, after change: MissionFlip.Change, among pairing: MissionPairing
    ) -> Bool {
        let after = situation(after: change, among: pairing)
        let own = first.flatMap { after.pair($0.tool, $0.space) }
        guard let pair else { return own == nil }
        guard let pair = after.pair(pair.tool, pair.space) else { return false }
        return own.map { after.precedes(pair, $0) } ?? true
    }

    /// The number beyond the error of a computed crossing.
    private func beyond(_ number: Double, _ isUp: Bool) -> Double {
        max(0, number + (isUp ? 1e-5 : -1e-5) * max(1, abs(number)))
    }

    private func flip(at lead: Lead, of scale: Scale, among pairing: MissionPairing, isUp: Bool) -> MissionFlip? {
        flip(at: lead, from: scale.number(of: request), isUp: isUp, among: pairing) { scale.change(to: $0) }
    }

    /// The flip at a lead, exact to a billionth; nil if the first mission does not change there.
    private func flip(
        at lead: Lead, from present: Double, isUp: Bool, among pairing: MissionPairing,
        _ change: (Double) -> MissionFlip.Change
    ) -> MissionFlip? {
        func bisect(_ before: Double, _ after: Double, _ isChanged: (Double) -> Bool) -> (before: Double, after: Double)
        {
            var (before, after) = (before, after)
            while abs(after - before) > 1e-9 * max(1, abs(lead.number)) {
                let middle = before + (after - before) / 2
                if isChanged(middle) { after = middle } else { before = middle }
            }
            return (before, after)
        }
        let start = isUp ? max(present, beyond(lead.number, false)) : min(present, beyond(lead.number, true))
        var ends = bisect(start, beyond(lead.number, isUp)) { leads(lead.pair, after: change($0), among: pairing) }
        // Another pair may lead a little earlier.
        if flip(to: change(ends.before), among: pairing) != nil {
            ends = bisect(present, ends.before) { flip(to: change($0), among: pairing) != nil }
        }
        return flip(to: change(ends.after), among: pairing)
    }

    /// The change with the least difference that flips; nil if none does.
    func flip(among changes: [(change: MissionFlip.Change, difference: Double)]) -> MissionFlip? {
        for change in changes.sorted(by: { $0.difference < $1.difference }) {
            if let flip = flip(to: change.change, among: present) { return flip }
        }
        return nil
    }

    /// The flip by a change; nil if the first mission stays the same.
    private func flip(to change: MissionFlip.Change, among pairing: MissionPairing) -> MissionFlip? {
        let after = situation(after: change, among: pairing)
        let other = after.first(from: first.flatMap { after.pair($0.tool, $0.space) })
        guard other?.tool.slot != first?.tool.slot || other?.space.slot != first?.space.slot else { return nil }
        return MissionFlip(change: change, mission: other.map { after.mission($0) })
    }

    /// The flip by the smallest change of one coordinate of the target.
    func flipOfTarget() -> MissionFlip? {
        guard let first else { return nil }
        let coordinates = SIMD16<Double>(request.target.coordinates)
        let length = (coordinates * coordinates).sum().squareRoot()
        // A change by δ turns the target by at most asin(δ ∕ length). The match of two sets of pleasures, as cosines of
        // unit vectors at most a right angle apart, differs by at most √2 times the chord of that turn.
        func leastScore(afterChange change: Double) -> Double {
            let turn = change < length ? asin(change / length) : .pi / 2
            let chord = 2 * sin(turn / 2)
            return first.score - Mission.Name.target.weight * 2.0.squareRoot() * chord - MissionPairing.slack
        }
        func change(_ dimension: Pleasure.Dimension, to value: Double) -> MissionFlip.Change {
            .target(dimension, Float(min(1, value)))
        }
        var nearest: (dimension: Pleasure.Dimension, lead: Lead, isUp: Bool)?
        var (largest, least) = (1.0, leastScore(afterChange: 1))
        // Of the pairs with the same pleasures, the one with the highest score leads after the smallest change.
        var highest: [UInt16: Double] = [first.pleasures: .infinity]
        present.search(from: least, rankedBy: present.scoreLimit) { pair in
            guard pair.score >= least, pair.score > highest[pair.pleasures, default: -.infinity] else { return least }
            highest[pair.pleasures] = pair.score
            for dimension in Pleasure.Dimension.allCases {
                for value in crossings(first, pair, dimension, coordinates) {
                    let difference = value - coordinates[dimension.rawValue]
                    for isUp in [false, true] where abs(difference) < largest {
                        guard isUp ? difference > -1e-9 : difference < 1e-9,
                            leads(pair, after: change(dimension, to: beyond(value, isUp)), among: present)
                        else { continue }
                        nearest = (dimension, (value, pair), isUp)
                        largest = abs(difference)
                        least = largest > 0 ? leastScore(afterChange: largest) : .infinity
                    }
                }
            }
            return least
        }
        return nearest.flatMap { dimension, lead, isUp in
            flip(at: lead, from: coordinates[dimension.rawValue], isUp: isUp, among: present) {
                change(dimension, to: $0)
            }
        }
    }

    /// The values of a coordinate from 0 to 1 at which two pairs have the same score.
    ///
    /// With the target's other coordinates fixed, the difference of the scores is k + w (a + b x) ∕ √(n² + x²).
    private func crossings(
        _ one: MissionPairing.Pair, _ other: MissionPairing.Pair, _ dimension: Pleasure.Dimension,
        _ target: SIMD16<Double>
    ) -> [Double] {
        let place = dimension.rawValue
        var rest = target
        rest[place] = 0
        let square = (rest * rest).sum()
        func parts(_ pair: MissionPairing.Pair) -> (a: Double, b: Double, rest: Double) {
            var sum = 0.0
            for bit in 0..<16 where pair.pleasures >> bit & 1 == 1 { sum += rest[bit] }
            let root = Double(max(1, pair.pleasures.nonzeroBitCount)).squareRoot()
            let match = Mission.Name.target.weight * present.match(pair.pleasures)
            return (sum / root, pair.pleasures >> place & 1 == 1 ? 1 / root : 0, pair.score - match)
        }
        let (p, q) = (parts(one), parts(other))
        let (a, b) = (q.a - p.a, q.b - p.b)
        let k = (q.rest - p.rest) / Mission.Name.target.weight
        // (a + b x)² = k² (n² + x²)
        let (quadratic, linear, constant) = (b * b - k * k, 2 * a * b, a * a - k * k * square)
        let root = (linear * linear - 4 * quadratic * constant).squareRoot()
        let solutions =
            abs(quadratic) < 1e-12
            ? [-constant / linear] : [(-linear + root) / (2 * quadratic), (-linear - root) / (2 * quadratic)]
        return solutions.filter { $0 >= 0 && $0 <= 1 }
    }
}
