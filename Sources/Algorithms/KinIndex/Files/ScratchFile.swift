import KinCore
import SystemPackage

/// A file that no folder shows, for what is built in pieces and may be larger than memory. Its space is free again with the last
/// reference to it and to its images, and however the process ends.
struct ScratchFile: ~Copyable, Sendable {
    /// The file as it is written.
    let output: OutputFile
    private let reading: FileDescriptor

    /// Creates a file on the disk of another one that is to be written.
    ///
    /// - Parameter path: The path of that other one.
    /// - Throws: `.inputOutput` with the path.
    init(beside path: String, files: some FileOperations) throws(KinError) {
        do throws(KinError) {
            let output = try OutputFile(temporaryFor: path, files: files)
            // From here on the file is its descriptors' alone, whatever happens.
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
        // Nobody will read it again, so there is nothing that closing could lose.
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

    /// Maps what has been written; nothing may be written to these bytes any more.
    ///
    /// - Parameter length: The number of bytes, more than 0.
    func image(length: Int) throws(KinError) -> FileImage {
        try attempt("map the temporary file to memory") { () throws(Errno) in
            try FileImage(mapping: reading, length: length, isTransient: true, files: output.files)
        }
    }
}
