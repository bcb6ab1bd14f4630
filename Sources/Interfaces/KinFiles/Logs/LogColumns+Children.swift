/// The columns of names and numbers of children.
extension LogColumns {
    /// The columns whose name leaves open whether they name children.
    var maybeChildren: [LogColumn] {
        names.indices.filter { Self.names(Self.base(of: names[$0]).base, Self.persons) }
            .map { LogColumn(name: names[$0], index: $0, unit: nil) }
    }

    /// Whether one of a name's words is among some, and the others are of a name or number of its thing: `Baby's name`,
    /// `childUUID`.
    static func names(_ base: String, _ things: Set<String>) -> Bool {
        let words = Set(base.split(separator: " ").map(String.init))
        return !words.isDisjoint(with: things) && words.subtracting(things).isSubset(of: identifiers)
    }

    /// Words for a child, or for its profile.
    static let children = LogWords.wordSet(
        """
        baby babies child children kid kids infant infants newborn toddler twin twins profile profiles patient bebis
        kindname kindes kinder säugling bébé bébés enfant enfants bebe bebé bebés niño niña niños hijo hija hijos bambino
        bambina bambini bimbo bimba neonato figlio figlia bebê bebês criança crianças filho filha kindje dziecko dziecka
        dzieci niemowlę barn barnet barnets ребёнок ребенок ребёнка ребенка дети малыш çocuk bebek bebeğin lapsi vauva
        赤ちゃん 赤ちゃんの名前 お子さま お子様 子供 子ども 宝宝 宝宝名字 宝宝姓名 寶寶 孩子 婴儿 嬰兒 아기 아이
        """)
    /// Words that may be for a child.
    private static let persons = LogWords.wordSet(
        """
        name vorname prénom nom nombre nome nickname spitzname initials naam imię namn navn имя isim adı nimi 名前 姓名 이름
        who wer qui quién person member kind user
        """)
    private static let identifiers = persons.union(
        LogWords.wordSet(
            "id ids uuid uid guid fk pk key ref no nr number num code first given full s a b c of the de del do da"))
}
