import SystemPackage

extension KinError {
    /// The error for damage in a file, with the advice that ends every such message.
    package static func corrupt(_ damage: String) -> KinError {
        KinError(.corruptFile, damage + damageAdvice)
    }

    /// The end of the message of every damage.
    static var damageAdvice: String { "; rebuild the file or restore a copy" }

    /// The error for a version that this release does not read, with advice.
    static func unreadable(_ found: String, known: UInt16, isNewer: Bool) -> KinError {
        KinError(
            .unsupportedFormat,
            "the file is \(found), and this release of Kin reads version \(known): "
                + (isNewer ? "use a newer release, or write the file again with this one" : "write the file again")
        )
    }

    /// The error with the file's path, unless it already has the path, as errors of the container do.
    func naming(_ path: String) -> KinError {
        context.contains { $0.name == "file" } ? self : within("file", path)
    }

    /// The error for a refused file operation, with the system's reason and advice.
    ///
    /// - Parameters:
    ///   - action: The operation, as in "cannot `action`".
    ///   - number: The system's error.
    package static func refused(_ action: String, number: CInt) -> KinError {
        refused(action, Errno(rawValue: number))
    }

    static func refused(_ action: String, _ errno: Errno) -> KinError {
        let reason =
            switch errno {
            case .noSuchFileOrDirectory: "there is no such file or folder; check the path"
            case .permissionDenied, .notPermitted: "permission denied; change the permissions or choose another place"
            case .noSpace: "the disk is full; free some space and try again"
            case .diskQuotaExceeded: "your disk quota is used up; free some space and try again"
            case .readOnlyFileSystem: "the file system is read-only; choose another place"
            case .isDirectory: "it is a folder; give the path of a file"
            case .notDirectory: "a part of the path is not a folder; check the path"
            case .fileNameTooLong: "the name is too long for the file system; choose a shorter one"
            case .tooManySymbolicLinkLevels: "it is a link, or its links lead in a circle; check the path"
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "too many files are open; close some and try again"
            case .noMemory: "not enough address space or memory; free some and try again"
            case .ioError: "the disk reported an error; check the disk and try again"
            default: "\(errno); try again or choose another place"
            }
        return KinError(.inputOutput, "cannot \(action): \(reason)")
    }
}
