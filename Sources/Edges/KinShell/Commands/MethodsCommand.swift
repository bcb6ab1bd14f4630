import ArgumentParser
import KinEngine

/// `kin methods`: the queries and commands that a program can send to a store.
struct MethodsCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "methods",
        abstract: "List the methods that programs call in JSON, from C and from Python.",
        discussion: "METHODS.md and the Python package's typed methods are made from what --json prints.")

    @Flag(help: "Print the whole table as JSON: parameters with types, ranges, defaults and help.")
    var json = false

    func run(on console: Console) throws {
        if json { return console.print(MethodTable.json) }
        for line in MethodHelp.groups(style: console.style) { console.print(line) }
    }
}
