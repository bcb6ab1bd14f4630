import Foundation

/// The current rows and columns of a terminal.
struct TerminalSize {
    let rows: Int
    let columns: Int

    /// The size of a descriptor's terminal; nil if the descriptor is no terminal or the terminal does not report its
    /// size.
    init?(of descriptor: Int32) {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return nil
        }
        (rows, columns) = (Int(size.ws_row), Int(size.ws_col))
    }
}
