import Foundation

/// The rows and columns of a terminal, as they are now.
struct TerminalSize {
    let rows: Int
    let columns: Int

    /// The size of the terminal that a descriptor leads to; nil when it leads elsewhere, or the terminal does not tell.
    init?(of descriptor: Int32) {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return nil
        }
        (rows, columns) = (Int(size.ws_row), Int(size.ws_col))
    }
}
