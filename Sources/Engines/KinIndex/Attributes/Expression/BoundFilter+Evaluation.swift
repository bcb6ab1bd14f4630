import KinCore

// MARK: - Many rows

extension BoundFilter {
    /// The rows of a store that the filter allows: bit r mod 64 of word r ÷ 64 for slot r.
    ///
    /// - Complexity: O(n · conditions), some 0.5 ns a row and condition.
    func mask(_ store: AttributeStore, threads: Int = 1) -> [UInt64] {
        let wordsPerChunk = AttributeLayout.chunkRows / 64
        let chunks = store.chunks
        // Less work than about 100 µs is not worth a second thread.
        let parts = max(1, min(threads, chunks.count * steps.count / 16, chunks.count))
        let words = (store.count + 63) / 64
        return unsafe [UInt64](unsafeUninitializedCapacity: words) { mask, count in
            concurrently(parts) { part in
                let room = max(height, 1) * wordsPerChunk
                unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: room) { stack in
                    for c in chunks.count * part / parts..<chunks.count * (part + 1) / parts {
                        unsafe evaluate(chunks[c], stack: stack.baseAddress!)
                        let target = unsafe mask.baseAddress! + c * wordsPerChunk
                        unsafe target.initialize(from: stack.baseAddress!, count: chunks[c].blocks)
                    }
                }
            }
            count = words
        }
    }

    /// Evaluates the filter for the rows of a chunk; the result is the first of `height` masks of a chunk's words each.
    private func evaluate(_ chunk: AttributeChunk, stack: UnsafeMutablePointer<UInt64>) {
        let wordsPerChunk = AttributeLayout.chunkRows / 64
        let blocks = chunk.blocks
        var top = 0
        for step in steps {
            switch step {
            case .test(let test):
                unsafe test.test(chunk, into: stack + top * wordsPerChunk)
                top += 1
            case .not:
                let mask = unsafe stack + (top - 1) * wordsPerChunk
                for b in 0..<blocks { unsafe mask[b] = ~mask[b] }
            case .and(let count):
                top -= count - 1
                let mask = unsafe stack + (top - 1) * wordsPerChunk
                for other in 1..<count {
                    for b in 0..<blocks { unsafe mask[b] &= mask[other * wordsPerChunk + b] }
                }
            case .or(let count):
                top -= count - 1
                let mask = unsafe stack + (top - 1) * wordsPerChunk
                for other in 1..<count {
                    for b in 0..<blocks { unsafe mask[b] |= mask[other * wordsPerChunk + b] }
                }
            }
        }
        if blocks > 0 { unsafe stack[blocks - 1] &= chunk.occupied(blocks - 1) }
    }
}

// MARK: - One row

extension BoundFilter {
    /// Whether the filter allows a row.
    ///
    /// - Parameters:
    ///   - id: The row's id.
    ///   - slot: Its slot in the store, or nil for one that has no attributes.
    func allows(_ id: VectorID, slot: Int?, in store: AttributeStore) -> Bool {
        // The results that wait are the bits of a word, the latest lowest; only for more than 64 an array is needed.
        guard height <= 64 else { return allowsByArray(id, slot: slot, in: store) }
        var stack: UInt64 = 0
        for step in steps {
            switch step {
            case .test(let test): stack = stack << 1 | (test.holds(id, slot: slot, in: store) ? 1 : 0)
            case .not: stack ^= 1
            case .and(let count):
                let operands = UInt64.max >> UInt64(64 - count)
                stack = (stack >> UInt64(count)) << 1 | (stack & operands == operands ? 1 : 0)
            case .or(let count):
                let operands = UInt64.max >> UInt64(64 - count)
                stack = (stack >> UInt64(count)) << 1 | (stack & operands != 0 ? 1 : 0)
            }
        }
        return stack & 1 != 0
    }

    private func allowsByArray(_ id: VectorID, slot: Int?, in store: AttributeStore) -> Bool {
        var stack: [Bool] = []
        stack.reserveCapacity(height)
        for step in steps {
            switch step {
            case .test(let test): stack.append(test.holds(id, slot: slot, in: store))
            case .not: stack[stack.count - 1].toggle()
            case .and(let count):
                let all = !stack.suffix(count).contains(false)
                stack.removeLast(count)
                stack.append(all)
            case .or(let count):
                let any = stack.suffix(count).contains(true)
                stack.removeLast(count)
                stack.append(any)
            }
        }
        return stack[0]
    }
}

extension ColumnTest {
    fileprivate func holds(_ id: VectorID, slot: Int?, in store: AttributeStore) -> Bool {
        func value(_ column: Int) -> UInt64? { slot.flatMap { store.value(column, slot: $0) } }
        switch self {
        case .constant(let value): return value
        case .presence(let column, let isPresent): return (value(column) != nil) == isPresent
        case .idRange(let range, let isNegated): return range.contains(id.rawValue) != isNegated
        case .idList(let words): return words.containsSorted(id.rawValue)
        case .wordRange(let column, let range, let isNegated):
            return value(column).map { range.contains($0) != isNegated } ?? false
        case .wordList(let column, let words): return value(column).map(words.containsSorted) ?? false
        case .numberRange(let column, let range, let isNegated):
            return value(column).map { range.contains(Double(bitPattern: $0)) != isNegated } ?? false
        case .code(let column, let code, let isNegated): return value(column).map { ($0 == code) != isNegated } ?? false
        case .codeSet(let column, let bits):
            return value(column).map { Self.contains(UInt32(truncatingIfNeeded: $0), in: bits) } ?? false
        case .bit(let column, let isSet): return value(column).map { ($0 != 0) == isSet } ?? false
        case .overlap(let column, let start, let end):
            guard let from = value(column), let to = value(column + 1) else { return false }
            return Self.overlaps(from, to, start, end)
        }
    }
}
