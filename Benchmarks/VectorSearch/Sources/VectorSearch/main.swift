import KinIndex

let evenings = try Matrix<Float>(
    rows: (0..<200).map { row in (0..<16).map { column in Float((row * row + row * column * 37) % 211) / 211 } })
var index = VectorIndex(dimension: 16)
try index.upsert(evenings, ids: (1000..<1200).map { VectorID($0) })

let wish = [Float](repeating: 0.6, count: 16)
for neighbor in try index.search(wish, k: 3) {
    print(neighbor.id, neighbor.distance)
}
