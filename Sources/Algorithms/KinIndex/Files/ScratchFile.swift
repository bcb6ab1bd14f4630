import SystemPackage

/// An unlinked temporary file for data that is built in pieces and may be larger than memory. Its space is freed with
/// the last reference to the file and its images, and when the process ends for any reason.
struct ScratchFile: ~Copyable, Sendable {
    /// The file, for writing.
    let output: OutputFile
    private let reading: FileDescriptor

    /// Creates a file on the disk of a file that is about to be written.
    ///
    /// - Parameter path: The path of that file.
    /// - Throws: `.inputOutput` with the path.
    init(beside path: String, files: some FileOperations) throws(KinError) {
        do throws(KinError) {
            let output = try OutputFile(temporaryFor: path, files: files)
            // On return, the file is reachable only through its descriptors.
            defer { try? files.remove(output.path) }
            do throws(KinError) {
                reading = try attempt("open the temporary file") { () throws(Errno) in
                    try files.openForReading(output.path)
                }
            } catch {
                try? files.close(output.descriptor)
                throw error
            }
            self.output = output
        } catch {
            throw error.within("file", path)
        }
    }

    deinit {
        // The file is not read again, so closing cannot lose anything.
        try? output.files.close(output.descriptor)
        try? output.files.close(reading)
    }

    /// Reads bytes that were written at an offset.
    ///
    /// - Throws: `.inputOutput`.
    func read(at start: Int, into buffer: UnsafeMutableRawBufferPointer) throws(KinError) {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let offset = start + done
            let count = try attempt("read \(rest.count) bytes of the temporary file") { () throws(Errno) in
                let count = try unsafe output.files.read(reading, at: offset, into: rest)
                guard count > 0 else { throw Errno.ioError }
                return count
            }
            done += count
        }
    }

    /// Maps the bytes written so far, which must not be overwritten afterwards.
    ///
    /// - Parameter length: The number of bytes, at least 1.
    func image(length: Int) throws(KinError) -> FileImage {
        try attempt("map the temporary file to memory") { () throws(Errno) in
            try FileImage(mapping: reading, length: length, isTransient: true, files: output.files)
        }
    }
}
