extension BoundFilter {
    /// The rows of a store that the filter allows: bit r mod 64 of word r ÷ 64 for slot r.
    ///
    /// - Complexity: O(n · conditions), about 0.5 ns per row and condition.
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
                        let chunk = chunks[c]
                        unsafe evaluate(stack.baseAddress!, words: chunk.blocks, stride: wordsPerChunk) {
                            unsafe $0.test(chunk, into: $1)
                        }
                        if chunk.blocks > 0 { unsafe stack[chunk.blocks - 1] &= chunk.occupied(chunk.blocks - 1) }
                        let target = unsafe mask.baseAddress! + c * wordsPerChunk
                        unsafe target.initialize(from: stack.baseAddress!, count: chunk.blocks)
                    }
                }
            }
            count = words
        }
    }

    /// Whether the filter allows a row.
    ///
    /// - Parameters:
    ///   - id: The row's id.
    ///   - slot: Its slot in the store; nil for a row without attributes.
    func allows(_ id: VectorID, slot: Int?, in store: AttributeStore) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(height, 1)) { stack in
            unsafe evaluate(stack.baseAddress!, words: 1, stride: 1) { test, mask in
                unsafe mask.pointee = test.holds(id, slot: slot, in: store) ? 1 : 0
            }
            return unsafe stack[0] & 1 != 0
        }
    }

    /// Evaluates the filter for one row per bit of a mask.
    ///
    /// - Parameters:
    ///   - stack: Room for ``height`` masks; the first receives the result.
    ///   - words: The number of words in a mask.
    ///   - stride: The number of words from one mask to the next.
    ///   - test: Writes the mask of a test.
    @inline(__always)
    private func evaluate(
        _ stack: UnsafeMutablePointer<UInt64>, words: Int, stride: Int,
        _ test: (ColumnTest, UnsafeMutablePointer<UInt64>) -> Void
    ) {
        var top = 0
        for step in steps {
            switch step {
            case .condition(let condition):
                unsafe test(condition, stack + top * stride)
                top += 1
            case .not:
                let mask = unsafe stack + (top - 1) * stride
                for w in 0..<words { unsafe mask[w] = ~mask[w] }
            case .and(let count):
                top -= count - 1
                let mask = unsafe stack + (top - 1) * stride
                for other in 1..<count {
                    for w in 0..<words { unsafe mask[w] &= mask[other * stride + w] }
                }
            case .or(let count):
                top -= count - 1
                let mask = unsafe stack + (top - 1) * stride
                for other in 1..<count {
                    for w in 0..<words { unsafe mask[w] |= mask[other * stride + w] }
                }
            }
        }
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
        case .allowedIDs(let ids): return ids.filter.allows(id)
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
