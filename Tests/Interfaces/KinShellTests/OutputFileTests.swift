import Foundation
import KinDrawings
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@testable import KinShell

/// Every parameter of every command that names an output file: no existing file may be lost.
@Suite("Output files")
struct OutputFileTests {
    private let folder = TemporaryFolder()
    private let store: String
    private let index: String

    /// A command with an output file.
    private struct Output {
        let form: any CommandSpec
        let parameter: ParameterDescription
        var writesIndex: Bool { ["index build", "save"].contains(form.name) }
    }

    init() throws {
        (store, index) = (folder.path("people.db"), folder.path("profiles.kin"))
        #expect(kin("store", "import", datasets + "/people.jsonl", "--store", store).status == 0)
        #expect(kin("index", "build", datasets + "/sample-16d.csv", "-o", index).status == 0)
    }

    private var outputs: [Output] {
        let forms: [any CommandSpec] = KinCommand.all + MethodCommand.all + IndexCommands.all
        return forms.flatMap { form in
            form.parameters.filter { $0.type == .output }.map { Output(form: form, parameter: $0) }
        }
    }

    /// The message that refuses an output path; nil if the path is accepted.
    private func refusal(
        _ output: Output, at path: String, reading input: [String: String] = [:], isForced: Bool = false
    ) throws -> String? {
        var words: [Word] = isForced ? [Word(text: "--force", range: 0..<1)] : []
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
                add(
                    parameter,
                    isFile ? folder.path("other-\(parameter.name)") : MethodHelp.notation(of: parameter).sample)
            }
        }
        do { _ = try MethodRequest(words, for: output.form) } catch let error as CommandError { return error.message }
        return nil
    }

    @Test("commands overwrite their own kind of file, others with --force, and never a store")
    func kinds() throws {
        #expect(outputs.count >= 18)
        let text = try folder.file("notes.txt", "a line\n")
        let empty = try folder.file("empty.txt", "")
        for output in outputs {
            let name: Comment = "\(output.form.name) --\(output.parameter.name)"
            for isForced in [false, true] {
                let overStore = try refusal(output, at: store, isForced: isForced)
                #expect(overStore?.contains("this is a store, which would be lost") == true, name)
                let overIndex = try refusal(output, at: index, isForced: isForced)
                let isSpared = overIndex?.contains("this is an index, which would be lost") == true
                #expect(isSpared != (isForced || output.writesIndex), name)
                let overText = try refusal(output, at: text, isForced: isForced)
                #expect((overText?.contains("there is already a file") == true) != isForced, name)
                for path in [empty, folder.path("new"), "/dev/null"] {
                    #expect(try refusal(output, at: path, isForced: isForced) == nil, name)
                }
            }
        }
    }

    @Test("the tool and the REPL overwrite other files only with --force")
    func forced() throws {
        let csv = try folder.file("v1.csv", "id,x\n1,2\n")
        for path in [csv, index] {
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(kin("generate", "souls", "--count", "3", "-o", path).status == 64)
            #expect(
                kin("index", "build", datasets + "/sample-16d.csv", "-o", path).status
                    == (path == csv ? 64 : 0))
            #expect(kin("repl", index, "-c", "save \(csv)").status == 64)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
        #expect(kin("repl", index, "-c", "save \(csv) --force").status == 0)
        #expect(FileContent.indexes.contains(try FileContent(of: csv)))
        #expect(kin("generate", "souls", "--count", "3", "-o", csv, "--force").status == 0)
        #expect(try FileContent(of: csv) == .other)
        // The column file next to the index may be the user's.
        let columns = try folder.file("scaled.kin.columns.json", "{\"mine\": 1}")
        let scaled = [
            "index", "build", datasets + "/sample-16d.csv", "-o", folder.path("scaled.kin"), "--scale",
            "minmax",
        ]
        #expect(kin(scaled).status == 64)
        #expect(try String(contentsOfFile: columns, encoding: .utf8) == "{\"mine\": 1}")
        for arguments in [scaled + ["--force"], scaled, scaled.dropLast(2)] { #expect(kin(arguments).status == 0) }
        #expect(!FileManager.default.fileExists(atPath: columns))
    }

    @Test("no writer overwrites a file of another kind")
    func everyWriter() throws {
        let flat = try VectorIndex(opening: index)
        var lists = VectorIndex(dimension: 2)
        try lists.upsert(Matrix(rows: 1, columns: 2, elements: [1, 2]), ids: [1])
        let (images, realms) = (folder.path("images.jsonl"), folder.path("realms"))
        #expect(kin("generate", "images", "--count", "60", "-o", images).status == 0)
        #expect(kin("cluster", images, "-o", realms).status == 0)
        let library = try RealmLibraryFolder(realms).read()
        let log = try RhythmLogFile.read(datasets + "/babies/baby-1.csv")
        let open = try Store(at: store, for: .reading)
        let writers: [(String, (String) throws -> Void)] = [
            ("flat VectorIndex.save", { try flat.save(to: $0) }),
            ("VectorIndex.save of lists", { [lists] in try lists.save(to: $0) }),
            (
                "IndexBuilder",
                { path in
                    var builder = try IndexBuilder(path: path, dimension: 2)
                    try builder.append(Matrix(rows: 1, columns: 2, elements: [1, 2]))
                    _ = try builder.finish()
                }
            ),
            ("IndexFile.save", { try IndexFile(index: flat, space: VectorSpace(dimension: 16)).save(to: $0) }),
            ("WholeFile", { try WholeFile.make($0) { try $0.write([1]) } }),
            ("WholeFile of text", { try WholeFile.make($0, text: "x") }),
            ("NPYFile", { try NPYFile.write([1], columns: 1, to: $0) }),
            ("RhythmLogFile", { try RhythmLogFile.write(log, to: $0) }),
            (
                "ProfileGenerator",
                { path in
                    let generator = try ProfileGenerator(.uniform, count: 5, dimension: 2, seed: 1)
                    try generator.write(to: path, format: .csv)
                }
            ),
            ("drawing", { try DayPlot(log).drawing.write(to: $0) }),
            (
                "VectorSpace",
                { path in
                    try VectorSpace(dimension: 1, names: ["x"]).write(
                        beside: String(path.dropLast(".columns.json".count)))
                }
            ),
            (
                "RealmLibraryFolder",
                { path in
                    let folder = (path as NSString).deletingLastPathComponent
                    try RealmLibraryFolder(folder).write(library)
                }
            ),
            ("Store.backup", { _ = try open.backup(to: $0) }),
        ]
        for (name, write) in writers {
            let files = ["RealmLibraryFolder": "realm_index.json", "drawing": "file.svg"]
            let file = files[name] ?? "file.columns.json"
            let place = folder.path("\(name)")
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            let path = "\(place)/\(file)"
            let mine = Data("mine, and nobody else's".utf8)
            try mine.write(to: URL(filePath: path))
            #expect(errorCode { try write(path) } == .invalidArgument, "\(name)")
            #expect(try Data(contentsOf: URL(filePath: path)) == mine, "\(name)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [file], "\(name)")
            if name != "Store.backup" { try withOverwriting { try write(path) } }
            try Data().write(to: URL(filePath: path))
            #expect(throws: Never.self, "\(name)") { try write(path) }
            // A database is never replaced, even with `--force`.
            let database = try Data(contentsOf: URL(filePath: store)).prefix(4096)
            try Data(database).write(to: URL(filePath: path))
            #expect(throws: KinError.self, "\(name)") { try withOverwriting { try write(path) } }
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(database), "\(name)")
        }
    }

    @Test("no command overwrites one of its inputs, under any name")
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

    @Test("files of a library in a folder are inputs too, but other files are not")
    func library() throws {
        let (images, realms) = (folder.path("images.jsonl"), folder.path("realms"))
        #expect(kin("generate", "images", "--count", "60", "-o", images).status == 0)
        #expect(kin("cluster", images, "-o", realms).status == 0)
        for file in ["clusters.json", "realm_index.json"] {
            #expect(kin("world", "--in", realms, "-o", "\(realms)/\(file)").status == 64)
        }
        for _ in 0..<2 { #expect(kin("world", "--in", realms, "-o", "\(realms)/world.json").status == 0) }
    }

    @Test("a list of ids next to an array does not overwrite stores and indexes")
    func sideFiles() throws {
        for path in [store, index] {
            let ids = path.dropLast(4) + ".ids"
            try FileManager.default.copyItem(atPath: path, toPath: String(ids))
            let vectors = ["store", "export", "--vectors", "points", "--store", store, "-o", String(path.dropLast(4))]
            #expect(kin(vectors).status == 64)
            try FileManager.default.removeItem(atPath: String(ids))
        }
    }

    @Test("an export of an unknown person leaves the old file unchanged")
    func exportOfNobody() throws {
        let file = try folder.file("backup.jsonl", "kept\n")
        #expect(kin("store", "export", "--store", store, "--user", "nobody", "-o", file, "--force").status == 65)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept\n")
        #expect(kin("store", "export", "--store", store, "--vectors", "points", "-o", "-").status == 64)
    }

    @Test("devices can be written to and stay devices")
    func devices() {
        #expect(kin("generate", "souls", "--count", "3", "-o", "/dev/null").status == 0)
        #expect(FileIdentity(of: "/dev/null")?.isRegular == false)
        if FileManager.default.fileExists(atPath: "/dev/full") {
            #expect(kin("generate", "souls", "--count", "3", "-o", "/dev/full").status == 74)
        }
    }

    @Test("k-means writes only to .npy files")
    func centroids() throws {
        let vectors = datasets + "/sample-16d.csv"
        for name in ["k.csv", "k.kin", "k"] {
            #expect(kin("kmeans", vectors, "-k", "2", "-o", folder.path(name)).status == 64)
        }
        let found = kin("kmeans", vectors, "-k", "2", "-o", folder.path("k.npy"))
        #expect(found.results.contains(#/, mean squared distance \d\.\d{1,6}, /#), "\(found.results)")
    }
}
