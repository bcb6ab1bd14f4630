import Kin
import KinFiles

/// The tour's question of what belongs together.
extension Tour {
    func realms() throws {
        var files = ImageAnalysisFiles()
        try files.read([data.images], console: console)
        let start = ContinuousClock.now
        let collection = try ClusteredImages(
            files.reader.collection, options: ClusterOptions(seed: 7, threads: threads))
        let library = RealmLibrary(of: collection)
        let time = ContinuousClock.now - start
        let clusters = library.clusters
        chapter(
            "3  What belongs together?",
            "What a vision model saw in \(NumberText.count(clusters.imageCount, "image")). k-means, tried with 2 to 24 clusters, "
                + "settles on \(NumberText.count(clusters.clusters.count)) in \(NumberText.duration(time)):")
        var table = TextTable([("cluster", .left), ("images", .right), ("typical", .left), ("good for", .left)])
        for cluster in clusters.clusters {
            let top = cluster.topCategories.prefix(3).map(\.category).joined(separator: ", ")
            table.append([cluster.name, NumberText.count(cluster.size), top, cluster.focus.text(2)])
        }
        console.print(table)
        var world: RealmWorld?
        let made = try measure {
            world = try library.world(WorldRequest(name: "Quiet hills", goals: [.sleep], minutes: 60, seed: 7))
        }
        guard let world else { return }
        console.print("A world for an hour that helps to sleep, made of them in \(NumberText.duration(made)):")
        for realm in world.realms {
            let names = realm.zoneNames
            console.print("  \(realm.type): \(realm.zones.map { names[$0.id] ?? $0.name }.joined(separator: " · "))")
        }
        let images = Tour.quoted(data.images)
        next("kin cluster \(images) -o realms && kin world --in realms --goals sleep --plot world.svg")
    }
}
