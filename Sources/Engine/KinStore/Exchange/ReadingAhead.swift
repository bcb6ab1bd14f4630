/// Makes batches of records from chunks and writes them in order. With 2 or more threads, one batch is made on a second
/// thread while the previous one is written.
///
/// The thrown error does not depend on the number of threads: it is the error of the first chunk that has one. If a
/// batch cannot be made, writing the batch throws the error.
///
/// - Parameters:
///   - threads: The most threads to use, 1 or more.
///   - next: The next chunk; nil after the last. It is called on the calling thread.
///   - make: Replaces the records of a batch by those of a chunk; called on either thread, for one chunk at a time.
///   - write: Writes a batch, on the calling thread.
func forEachBatch<Chunk>(
    threads: Int, next: () throws(KinError) -> Chunk?, make: (Chunk, inout RecordBatch) -> Void,
    write: (inout RecordBatch) throws -> Void
) throws {
    var (present, following) = (RecordBatch(), RecordBatch())
    guard threads > 1 else {
        while let chunk = try next() {
            make(chunk, &present)
            try write(&present)
        }
        return
    }
    guard let first = try next() else { return }
    make(first, &present)
    while true {
        let chunk = Result { () throws(KinError) in try next() }
        guard case .success(let chunk?) = chunk else {
            try write(&present)
            _ = try chunk.get()
            return
        }
        var written = Result<Void, any Error>.success(())
        runInParallel {
            make(chunk, &following)
        } with: {
            written = Result { try write(&present) }
        }
        try written.get()
        swap(&present, &following)
    }
}
