import KinIndex

func evening(_ row: Int) -> [Float] { (0..<16).map { Float((row * row + row * $0 * 37) % 211) / 211 } }

var index = VectorIndex(dimension: 16)
try index.upsert(Matrix(rows: (0..<200).map(evening)), ids: (1000..<1200).map { VectorID($0) })

let wish = [Float](repeating: 0.6, count: 16)
for neighbor in try index.search(wish, k: 3) {
    print(neighbor.id, neighbor.distance)
}
