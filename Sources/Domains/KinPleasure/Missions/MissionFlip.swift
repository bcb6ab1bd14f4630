public import KinCore
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
    /// The scores of two missions, as functions of one number, cross at the roots of a linear or quadratic equation. Only
    /// missions that can reach the score of the first one within a span of that number are compared, and the span grows
    /// until it has a crossing.
    ///
    /// - Parameter request: The situation.
    /// - Returns: The flips in the order above, without conditions whose changes keep the first mission.
    /// - Throws: As ``missions(for:k:)``.
    /// - Complexity: A few dozen searches for one mission, and O(pairs of similar score).
    public func flips(for request: MissionRequest) throws(KinError) -> [MissionFlip] {
        let search = FlipSearch(index: self, request: request, first: try first(for: request))
        let (outdoors, speed) = (request.weather?.outdoors ?? 0.5, request.travel.kilometersPerHour)
        let weathers = MissionRequest.Weather.allCases.map {
            (MissionFlip.Change.weather($0), abs($0.outdoors - outdoors))
        }
        let travels = MissionRequest.Travel.allCases.map {
            (MissionFlip.Change.travel($0), abs($0.kilometersPerHour - speed))
        }
        return try [
            search.flip(of: .minutes, isUp: false), search.flip(of: .minutes, isUp: true),
            search.flip(of: .radius, isUp: false), search.flip(of: .radius, isUp: true), search.flipOfTarget(),
            search.flip(among: weathers), search.flip(among: travels),
        ].compactMap(\.self)
    }

    /// The first mission's pair; nil if there is no mission.
    fileprivate func first(for request: MissionRequest) throws(KinError) -> MissionPairing.Pair? {
        MissionChoice(try pairing(for: request), k: 1, variety: 0).selectPairs().first
    }
}

/// The search for the flips of one situation.
private struct FlipSearch {
    let index: InventoryIndex
    let request: MissionRequest
    let first: MissionPairing.Pair?

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

    private typealias Curve = (base: Double, cost: Double, least: Double)

    private func curve(of pair: MissionPairing.Pair, _ scale: Scale, at request: MissionRequest) -> Curve {
        let items = [index.item(inSlot: pair.toolSlot), index.item(inSlot: pair.spaceSlot)]
        guard scale == .radius else {
            let cost = Mission.Name.time.weight * pair.travelMinutes
            let longest = items.map { $0.times.durationRange?.lowerBound ?? 0 }.reduce(0, max)
            return (pair.score + cost / request.minutes, cost, pair.travelMinutes + longest)
        }
        guard request.radiusKilometers > 0 else { return (pair.score, 0, 0) }
        let loss = Mission.Name.near.weight * (1 - pair.values[Mission.Name.allCases.firstIndex(of: .near) ?? 0])
        let places = items.compactMap(\.location)
        let ways = (places + [request.location]).flatMap { place in places.map { place.distance(to: $0) } }
        return (pair.score + loss, loss * request.radiusKilometers, ways.reduce(0, max))
    }

    /// The flip at the nearest number below or above the present one.
    func flip(of scale: Scale, isUp: Bool) throws(KinError) -> MissionFlip? {
        let present = scale.number(of: request)
        let own = first.map { curve(of: $0, scale, at: request) }
        guard isUp else {
            guard let own else { return nil }
            let lowest = own.least > 0 ? own.base - own.cost / own.least : own.base
            let numbers = try leads(over: own, of: scale, within: request, scoring: lowest, isUp: false)
            return try flip(at: numbers + [own.least], from: present, isUp: false) { scale.change(to: $0) }
        }
        var (step, limit) = (max(present, 1) / 4, present)
        while limit < scale.most {
            // A pair that leads first between the limits reaches the first one's score at the lower limit.
            let least = own.map { $0.cost > 0 ? $0.base - $0.cost / limit - 1e-12 : $0.base } ?? -.infinity
            limit = min(scale.most, limit + step)
            step *= 2
            let wider = try request.changed(by: scale.change(to: limit))
            let numbers = try leads(over: own, of: scale, within: wider, scoring: least, isUp: true)
            let flip = try flip(at: numbers.filter { $0 <= limit }, from: present, isUp: true) { scale.change(to: $0) }
            if let flip { return flip }
        }
        return nil
    }

    /// The numbers at which other pairs begin to lead over the first one, for pairs that can reach a score.
    private func leads(
        over own: Curve?, of scale: Scale, within wider: MissionRequest, scoring least: Double, isUp: Bool
    ) throws(KinError) -> [Double] {
        try index.pairing(for: wider).pairs(scoring: least).flatMap { pair in
            let other = curve(of: pair, scale, at: wider)
            guard let own else { return [other.least] }
            let (base, cost) = (other.base - own.base, other.cost - own.cost)
            return [cost / base, other.least].filter { number in
                let next = number + (isUp ? Self.margin : -Self.margin) * max(1, abs(number))
                return next >= other.least && base * next >= cost - 1e-12
            }
        }
    }

    /// The relative error of computed crossings.
    private static let margin = 1e-5

    /// The flip at the number nearest to the present one that has one; nil if none has.
    private func flip(
        at numbers: [Double], from present: Double, isUp: Bool, _ change: (Double) -> MissionFlip.Change
    ) throws(KinError) -> MissionFlip? {
        let ahead = Set(numbers.filter { isUp ? $0 >= present : $0 <= present })
        for number in ahead.sorted(by: { abs($0 - present) < abs($1 - present) }) {
            let scale = max(1, abs(number))
            let margin = (isUp ? Self.margin : -Self.margin) * scale
            var before = isUp ? max(present, number - margin) : min(present, number - margin)
            var after = max(0, number + margin)
            guard try isChanged(change(after)), try !isChanged(change(before)) else { continue }
            while abs(after - before) > 1e-9 * scale {
                let middle = before + (after - before) / 2
                if try isChanged(change(middle)) { after = middle } else { before = middle }
            }
            return try flip(to: change(after))
        }
        return nil
    }

    /// The change with the least difference that flips; nil if none does.
    func flip(among changes: [(change: MissionFlip.Change, difference: Double)]) throws(KinError) -> MissionFlip? {
        for change in changes.sorted(by: { $0.difference < $1.difference }) where try isChanged(change.change) {
            return try flip(to: change.change)
        }
        return nil
    }

    private func isChanged(_ change: MissionFlip.Change) throws(KinError) -> Bool {
        let other = try index.first(for: try request.changed(by: change))
        return other?.toolSlot != first?.toolSlot || other?.spaceSlot != first?.spaceSlot
    }

    private func flip(to change: MissionFlip.Change) throws(KinError) -> MissionFlip {
        MissionFlip(change: change, mission: try index.missions(for: try request.changed(by: change), k: 1).first)
    }

    /// The flip by the smallest change of one coordinate of the target.
    func flipOfTarget() throws(KinError) -> MissionFlip? {
        guard let first else { return nil }
        let coordinates = SIMD16<Double>(request.target.coordinates)
        let length = (coordinates * coordinates).sum().squareRoot()
        let pairing = try index.pairing(for: request)
        for span in [0.05, 0.1, 0.2, 0.4, 1] {
            // The cosine of any set changes by at most the angle that the target moves.
            let turn = span < length ? min(1, asin(span / length)) : 1
            var seen: Set<UInt16> = [first.pleasures]
            // Of pairs with the same pleasures, the best one remains the best.
            let rivals = pairing.pairs(scoring: first.score - 2 * Mission.Name.target.weight * turn)
                .filter { seen.insert($0.pleasures).inserted }
            let crossings = Pleasure.Dimension.allCases.flatMap { dimension in
                rivals.flatMap { self.crossings(first, $0, dimension, coordinates) }.map { (dimension, $0) }
            }
            func difference(_ crossing: (Pleasure.Dimension, Double)) -> Double {
                abs(crossing.1 - coordinates[crossing.0.rawValue])
            }
            for (dimension, value) in crossings.filter({ difference($0) <= span }).sorted(by: {
                difference($0) < difference($1)
            }) {
                for isUp in [false, true] {
                    let flip = try flip(at: [value], from: coordinates[dimension.rawValue], isUp: isUp) {
                        .target(dimension, Float(min(1, $0)))
                    }
                    if let flip { return flip }
                }
            }
        }
        return nil
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
            let match = pair.values[0] * Mission.Name.target.weight
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
