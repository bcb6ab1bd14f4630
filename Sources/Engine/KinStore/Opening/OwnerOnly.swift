import Foundation

/// Permissions of the store's files: readable and writable only by their owner (mode 0600, folders 0700), regardless of
/// the umask.
///
/// New files get this mode. Existing files retain their mode; `check` reports a wider one (``StoreReport/warnings``).
enum OwnerOnly {
    static let file: mode_t = 0o600
    static let folder: mode_t = 0o700

    /// Opens a file for reading and writing, and creates it if it is missing. A link is an error, even to an existing
    /// file.
    ///
    /// - Returns: The descriptor, or a negative number with `errno`.
    static func open(_ path: String) -> CInt {
        // A different process may create or remove the file between two calls, but not eight times in a row.
        for _ in 0..<8 {
            let known = unsafe Foundation.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard known < 0, errno == ENOENT else { return known }
            let new = unsafe Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, file)
            if new >= 0 { fchmod(new, file) }
            guard new < 0, errno == EEXIST else { return new }
        }
        return -1
    }

    /// Creates an empty file unless it exists.
    static func create(_ path: String) throws(KinError) {
        let descriptor = open(path)
        guard descriptor >= 0 else { throw .system("make the file", at: path) }
        close(descriptor)
    }

    /// Creates a folder unless it exists.
    static func makeFolder(_ path: String) throws(KinError) {
        guard unsafe mkdir(path, folder) != 0 else {
            unsafe chmod(path, folder)
            return
        }
        guard errno == EEXIST else { throw .system("make the folder", at: path) }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw KinError(.inputOutput, "cannot make the folder: a file or a link to nothing has its name; remove it")
                .within("file", path)
        }
    }

    /// One sentence for each path whose mode allows more than the owner.
    static func wider(_ paths: [String]) -> [String] {
        paths.compactMap { path in
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return nil }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            guard status.st_mode & 0o077 != 0 else { return nil }
            let mode = String(status.st_mode & 0o777, radix: 8)
            return
                "other accounts of this machine may use \(path) (mode 0\(mode)); chmod \(isFolder ? "700" : "600") restricts it to its owner"
        }
    }
}
