import Foundation
import Kin
import KinEngine
import KinFiles
import KinTestSupport
import Testing

@testable import KinShell

/// Every parameter of every command that names a file to write: nothing that is there may be lost by it.
@Suite("Files that are written")
struct OutputFileTests {
    private let folder = TemporaryFolder()
    private let store: String
    private let index: String

    /// A command with a file that it writes.
    private struct Output {
        let form: any Form
        let parameter: ParameterDescription
        var writesIndex: Bool { ["index build", "save"].contains(form.name) }
    }

    init() throws {
        (store, index) = (folder.path("people.db"), folder.path("profiles.kin"))
        #expect(kin("store", "import", repository + "/datasets/people.jsonl", "--store", store).status == 0)
        #expect(kin("index", "build", repository + "/datasets/sample-16d.csv", "-o", index).status == 0)
    }

    private var outputs: [Output] {
        let forms: [any Form] = KinCommand.all + MethodForm.all + IndexCommands.all
        return forms.flatMap { form in
            form.parameters.filter { $0.type == .output }.map { Output(form: form, parameter: $0) }
        }
    }

    /// What a request for an output at a path is refused with; nil when it is not.
    private func refusal(_ output: Output, at path: String, reading input: [String: String] = [:]) throws -> String? {
        var words: [Word] = []
        func add(_ parameter: ParameterDescription, _ value: String) {
            let isBare = output.form.takesBareNames && output.form.method == nil
            words.append(Word(text: (isBare ? "" : "--") + parameter.name, range: 0..<1))
            words.append(Word(text: value, range: 0..<1, isQuoted: true))
        }
        for parameter in output.form.parameters {
            if parameter.name == output.parameter.name {
                add(parameter, path)
            } else if let value = input[parameter.name] {
                add(parameter, value)
            } else if parameter.presence == .required {
                let isFile = [.path, .output, .list("path")].contains(parameter.type)
                add(parameter, isFile ? folder.path("other-\(parameter.name)") : MethodHelp.sample(of: parameter))
            }
        }
        do { _ = try MethodRequest(words, for: output.form) } catch let error as CommandError { return error.message }
        return nil
    }

    @Test("no command takes the place of a store, nor of an index unless it writes one")
    func kinds() throws {
        #expect(outputs.count >= 18)
        let text = try folder.file("notes.txt", "a line\n")
        for output in outputs {
            let name: Comment = "\(output.form.name) --\(output.parameter.name)"
            #expect(try refusal(output, at: store)?.contains("this is a store, which would be lost") == true, name)
            let overIndex = try refusal(output, at: index)
            #expect((overIndex?.contains("this is an index, which would be lost") == true) != output.writesIndex, name)
            #expect(try refusal(output, at: text) == nil, name)
            #expect(try refusal(output, at: folder.path("new")) == nil, name)
        }
    }

    @Test("no command takes the place of a file that it reads, under whatever name")
    func inputs() throws {
        let file = try folder.file("input.csv", "id,x\n1,2\n")
        let link = folder.path("link.csv")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        var count = 0
        for output in outputs {
            for input in output.form.parameters where [.path, .list("path")].contains(input.type) {
                for name in [file, link] {
                    let message = try refusal(output, at: name, reading: [input.name: file])
                    #expect(message?.contains("and would be lost") == true, "\(output.form.name) --\(input.name)")
                    count += 1
                }
            }
        }
        #expect(count > 20)
    }

    @Test("a library in a folder is read too, and other files of the folder are not")
    func library() throws {
        let (images, realms) = (folder.path("images.jsonl"), folder.path("realms"))
        #expect(kin("generate", "images", "--count", "60", "-o", images).status == 0)
        #expect(kin("cluster", images, "-o", realms).status == 0)
        for file in ["clusters.json", "realm_index.json"] {
            #expect(kin("world", "--in", realms, "-o", "\(realms)/\(file)").status == 64)
        }
        for _ in 0..<2 { #expect(kin("world", "--in", realms, "-o", "\(realms)/world.json").status == 0) }
    }

    @Test("files that are written beside others, and by other callers, spare stores and indexes")
    func writers() throws {
        let before = try (Data(contentsOf: URL(filePath: store)), Data(contentsOf: URL(filePath: index)))
        for path in [store, index] {
            #expect(throws: KinError.self) { try WholeFile.make(path, text: "x") }
            #expect(throws: KinError.self) { try NPYFile.write([1], columns: 1, to: path) }
            let ids = path.dropLast(4) + ".ids"
            try FileManager.default.copyItem(atPath: path, toPath: String(ids))
            let vectors = ["store", "export", "--vectors", "points", "--store", store, "-o", String(path.dropLast(4))]
            #expect(kin(vectors).status == 64)
            try FileManager.default.removeItem(atPath: String(ids))
        }
        #expect(throws: KinError.self) { try IndexFile(opening: index).save(to: store) }
        let after = try (Data(contentsOf: URL(filePath: store)), Data(contentsOf: URL(filePath: index)))
        #expect(before == after)
    }

    @Test("an export of nobody leaves the file of before")
    func exportOfNobody() throws {
        let file = try folder.file("backup.jsonl", "kept\n")
        #expect(kin("store", "export", "--store", store, "--user", "nobody", "-o", file).status == 65)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept\n")
        #expect(kin("store", "export", "--store", store, "--vectors", "points", "-o", "-").status == 64)
    }

    @Test("devices are written to and stay devices")
    func devices() {
        #expect(kin("generate", "souls", "--count", "3", "-o", "/dev/null").status == 0)
        #expect(FileIdentity(of: "/dev/null")?.isRegular == false)
        if FileManager.default.fileExists(atPath: "/dev/full") {
            #expect(kin("generate", "souls", "--count", "3", "-o", "/dev/full").status == 74)
        }
    }

    @Test("k-means writes NPY under no other name")
    func centroids() throws {
        let vectors = repository + "/datasets/sample-16d.csv"
        for name in ["k.csv", "k.kin", "k"] {
            #expect(kin("kmeans", vectors, "-k", "2", "-o", folder.path(name)).status == 64)
        }
        let found = kin("kmeans", vectors, "-k", "2", "-o", folder.path("k.npy"))
        #expect(found.results.contains(#/, mean squared distance \d\.\d{1,6}, /#), "\(found.results)")
    }
}
