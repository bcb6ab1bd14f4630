/// The words of trackers for events.
enum LogWords {
    /// The kinds of rows.
    enum Kind: String {
        case sleep, feed, diaper, milestone
        /// The start and the end of a night or sleep in separate rows, and a time awake within it.
        case asleep, awake, waking
        /// The end of a feed in a row of its own.
        case fed
    }

    /// The kind that a row's type names; nil for an unknown one.
    static func kind(_ type: String) -> Kind? {
        if let kind = exactKind(type) { return kind }
        let words = words(type)
        // Start nap, Sleep ended and Woke from nap are the start or the end of an event.
        let bounds = words.compactMap(isStart)
        if bounds.count == 1 {
            switch exactKind(words.filter { isStart($0) == nil }.joined(separator: " ")) {
            case .sleep: return bounds[0] ? .asleep : .awake
            case .feed: return bounds[0] ? .feed : .fed
            default: return nil
            }
        }
        if words.contains("from"), !wakeWords.isDisjoint(with: words) { return .awake }
        // Details follow a mark or a preposition: Nap (stroller), Solids: carrot, Nap in car.
        let marks = ["(", ":", ",", " - ", " – ", " in ", " at ", " part "]
        let start = marks.lazy.compactMap { type.firstRange(of: $0)?.lowerBound }.min()
        if let start, notEvents.isDisjoint(with: words), let kind = exactKind(String(type[..<start])),
            [.sleep, .feed, .diaper].contains(kind)
        {
            return kind
        }
        guard notEvents.isDisjoint(with: words) else { return nil }
        // The last word decides: Contact nap, Dream feed.
        if let last = words.last, heads.contains(last), last != "bottle" || !words.contains("clean") {
            return kinds[last]
        }
        // In other languages the word may be any: Sueño nocturno, Gece uykusu. Words without spaces end with it: 夜間睡眠.
        let found = Set(
            words.compactMap { word in
                foreign[word] ?? (word.utf8.first ?? 0 < 0xE3 ? nil : foreign.first { word.hasSuffix($0.key) }?.value)
            })
        return found.count == 1 ? found.first : nil
    }

    private static let wakeWords: Set = ["up", "wake", "woke", "awake"]

    /// Whether a word is of the start of an event, and not of the end; nil for other words.
    static func isStart(_ word: String) -> Bool? {
        switch word {
        case "start", "starts", "started", "begin", "begins", "began", "on", "beginn", "anfang", "début": true
        case "end", "ends", "ended", "stop", "stops", "stopped", "finish", "finished", "off", "ende", "fin": false
        default: nil
        }
    }

    /// The kind of words that are all of it or details; nil for others.
    static func exactKind(_ type: String) -> Kind? {
        if let kind = kinds[type] { return kind }
        // The values of Apple Health. Its InBed and Awake are not sleeps.
        if type.hasPrefix("HKCategoryValueSleepAnalysisAsleep") { return .sleep }
        let words = words(type).map(singular)
        if words.count > 1, words[0] == "asleep", isAsleep(type) == true { return .sleep }
        if let kind = kinds[words.joined(separator: " ")] { return kind }
        // Words of one kind with details: Nap 2, Breast (left), Dirty Wet, pee and poo.
        let named = Set(
            words.filter { kinds[$0] != nil || Int($0) == nil && !details.contains($0) }.map { kinds[$0] })
        guard named.count == 1, let kind = named.first, [.sleep, .feed, .diaper].contains(kind) else { return nil }
        return kind
    }

    /// A word without the s of a plural, if the rest is a word for a kind.
    private static func singular(_ word: String) -> String {
        let isPlural = kinds[word] == nil && word.count > 3 && word.last == "s" && word != "sens"
        return isPlural && kinds[String(word.dropLast())] != nil ? String(word.dropLast()) : word
    }

    private static let heads = wordSet(
        "nap naps sleep feed feeding feeds nursing bottle diaper nappy breastfeed diaperchange")
    /// The words for kinds of other languages. Other words of English are kinds alone, at the end or next to details.
    static let foreign = kinds.filter { word, kind in
        !word.contains(" ") && [.sleep, .feed, .diaper].contains(kind) && !heads.union(english).contains(word)
    }
    private static let english = wordSet(
        """
        sleeping slept naptime night 72 catnap overnight breastfed bottlefeeding breast breastfeeding solids solid milk diapers
        diapering nappies change changes pee poo poop wet dirty mixed bm urine stool formula expressed pumped ebm meal food
        breakfast lunch dinner supper snack snacks brunch nurse self bf nursed bez ble sein toma caca pipi
        """)
    /// Words that make a type with such a last word a different one: Missed nap, Wash bottle.
    private static let notEvents = wordSet(
        """
        no not missed skipped skip refused attempt attempted failed before after between since until last next
        wake woke awake pump pumping wash washing sterilise sterilize prep prepare buy ran fight fought tried try
        without planned due ready cancelled canceled declined rejected dropped fighting resisting rash cream none
        note notes total trying mom mum mama mother dad papa father parent parents water medicine boil rinse warm
        sanitise sanitize order threw out kein keine nicht ohne verpasst abgelehnt verweigert geplant wasser
        abgepumpt abpumpen creme pas sans refusé manqué raté prévu eau tire sin planeado agua crema senza acqua
        água geen niet gemist zonder nie woda wody nej inte ingen vatten vann vand ikke не без нет вода değil yok
        ei vesi maman mamá papá mamma pumpen tummy bath bathing playtime medication
        """)

    /// Whether a type is known to be of no sleep, feed or diaper.
    static func isNoEvent(_ type: String) -> Bool {
        Double(type) != nil || isAsleep(type) == false || !notEvents.isDisjoint(with: words(type))
    }

    /// Whether an amount with such a name is of no milk that a baby drinks.
    static func isNoMilk(_ name: String) -> Bool {
        isNoEvent(name) || side(name) != nil
            || words(name).contains { ["pumped", "weight", "urine", "vitamin"].contains($0) }
    }

    /// Words next to that for a kind.
    private static let details = wordSet(
        "and und et y e en i og och ja ve и both dry fed morning afternoon evening first second third of the event entry record"
    ).union(lefts).union(rights).union(wets).union(dirties).union(boths)

    /// Whether the end of an event is a word for one that is not over.
    static func isRunning(_ end: String) -> Bool {
        // Programs write the zero of their calendar for a time that is unknown.
        if ["1970-01-01", "0001-01-01", "0000-00-00"].contains(where: end.hasPrefix) { return true }
        let words = words(end)
        return end == "0" || !words.isEmpty && runningWords.isSuperset(of: words)
    }

    private static let runningWords = wordSet(
        "ongoing running now in progress asleep still sleeping sleep going current currently active open not yet "
            + "ended finished läuft noch")

    /// The start or the end of a sleep that a state names; nil for other states.
    static func mark(_ state: String) -> Kind? {
        if let isAsleep = isStart(state.lowercased()) ?? isYes(state) ?? isAsleep(state) {
            return isAsleep ? .asleep : .awake
        }
        let kind = kinds[words(state).joined(separator: " ")]
        return kind == .asleep || kind == .awake ? kind : nil
    }

    /// Whether a stage of sleep is a time asleep, and not awake or in bed; nil for other texts.
    static func isAsleep(_ stage: String) -> Bool? {
        var words = words(stage).joined(separator: " ")
        for prefix in ["hkcategory value sleep analysis ", "sleep stage ", "stage type "] where words.hasPrefix(prefix)
        {
            words.removeFirst(prefix.count)
        }
        return stages[words]
    }

    /// 40001 to 40004 are the stages of Samsung Health, the values of intVal those of Google Fit.
    private static let stages = table(
        """
        true: asleep;sleeping;sleep;core;asleep core;rem;asleep rem;deep;asleep deep;light;light sleep;deep sleep
        true: rem sleep;restless;asleep unspecified;40002;40003;40004;value int val 2;value int val 4;value int val 5
        true: value int val 6
        false: awake;wake;in bed;inbed;awake in bed;out of bed;not asleep;not sleeping;wach;40001;value int val 1
        false: value int val 3
        """, Bool.init)

    /// Whether a state or status is of an event that did not happen.
    static func isUnreal(_ status: String) -> Bool {
        ["planned", "scheduled", "upcoming", "skipped", "missed", "cancelled", "canceled", "deleted", "removed"]
            .contains(status.lowercased())
    }

    /// The names of columns with the time of falling asleep, the surest first, and of waking.
    static let bedtimes = [
        "bedtime", "bed time", "fell asleep", "asleep", "went to sleep", "put down", "time down", "sleep time", "sleep",
        "einschlafzeit", "eingeschlafen", "schlafenszeit", "coucher", "heure de coucher", "heure du coucher", "endormi",
        "hora de dormir", "se durmió", "dormido", "dormiu", "fell asleep at", "asleep at", "sleep at", "adormecer",
        "addormentato", "zasnął", "入睡", "入睡时间", "就寝", "bed",
    ]
    static let wakings: Set = [
        "wake time", "waketime", "wake up time", "wake up", "woke up", "woke", "awake", "wake", "time up", "waking",
        "aufwachzeit", "aufgewacht", "lever", "heure de lever", "heure du lever", "réveil", "heure de réveil",
        "hora de despertar", "despertar", "se despertó", "despierto", "acordou", "wakeup", "woke up at", "woke at",
        "awake at", "wake at", "acordar", "svegliato", "obudził się", "醒来", "醒来时间", "起床", "up",
    ]

    /// Whether a column's name is of falling asleep or of waking; nil for others.
    static func bedtime(_ name: String) -> Kind? {
        let base = LogColumns.base(of: name).base
        return bedtimes.contains(base) ? .asleep : wakings.contains(base) ? .awake : nil
    }

    /// Whether a text is the heading of a row of totals.
    static func isTotal(_ text: String) -> Bool {
        let words = words(text)
        return words.count <= 3 && [words.first, words.last].contains { $0.map(totals.contains) ?? false }
    }

    private static let totals = wordSet(
        "total totals sum average averages avg mean summe gesamt durchschnitt somme moyenne suma promedio media")

    /// The type in the name of a file or list: `Mia_sleep.csv`, `feedings`.
    static func kind(ofFile name: String) -> String? {
        let words = words(name)
        if words.contains(where: { ["pump", "pumping", "pumped", "mixed", "notes"].contains($0) }) || isNoLog(name) {
            return nil
        }
        return words.map(singular).first { word in
            Int(word) == nil && [.sleep, .feed, .diaper, .milestone].contains { $0 == kinds[word] }
        }
    }

    /// Whether a file or list has no events by a word of its name, such as plans: `sleepPredictions`, `feedReminders`.
    static func isNoLog(_ name: String) -> Bool { words(name).contains { noLogs.contains($0) } }

    private static let noLogs = Set(
        words(
            "alarm alarms forecast forecasts goal goals inventory plan planned plans prediction predictions reminder "
                + "reminders schedule scheduled schedules score scores settings stash stock suggestion suggestions target "
                + "targets tips upcoming"))

    /// The kind of event that a text of a file's rows names; nil for other texts.
    ///
    /// - Parameter own: The kind of the file's rows, whose details are of that kind.
    static func kind(_ text: String, of own: Kind?) -> Kind? {
        switch own {
        case _ where Double(text) != nil: return nil
        case .diaper where diaper(text) != nil: return .diaper
        case .feed where method(text) != nil || side(text) != nil: return .feed
        default: break
        }
        let kind = isAsleep(text) == nil ? kind(text) : .sleep
        return kind == .asleep || kind == .awake || kind == .waking ? .sleep : kind
    }

    /// Whether a text has only details of an event, such as the time of day.
    static func isDetail(_ text: String) -> Bool {
        words(text).allSatisfy { details.contains($0) || $0 == "day" || $0 == "tag" || $0 == "jour" || Int($0) != nil }
    }

    /// The type of the rows of a file: that of its format, unless the file's name has a different one.
    static func type(_ format: String?, ofFile name: String) -> String? {
        let named = kind(ofFile: name)
        guard let format, let named, let kind = kind(format), format == "feed" || kind != self.kind(named)
        else { return format ?? named }
        return named
    }

    /// Whether a text is about an event: its type, method, side or kind of diaper.
    static func isOfEvents(_ text: String) -> Bool {
        kind(text) != nil || method(text) != nil || side(text) != nil || diaper(text) != nil || isYes(text) != nil
    }

    private static let kinds: [String: Kind] = {
        let words = table(
            """
            sleep: sleep;sleeping;slept;nap;naptime;night sleep;night;sleep session;long sleep;late nap;72;nacht;nuit
            sleep: noche;schläfchen;sonno;pisolino;sono;soneca;slaap;dutje;sen;drzemka;睡眠;睡觉;昼寝;수면;낮잠;schlaf;schlafen
            sleep: nickerchen;mittagsschlaf;nachtschlaf;sommeil;sieste;dodo;sueño;siesta;nanna;сон;ねんね;sonnellino;sömn
            sleep: søvn;lur;uyku;päiväunet;小睡;午睡;お昼寝;밤잠;middagdutje;nachtslaap;dormir;slaapje;siestas;дневной сон
            feed: combo feed;mahlzeit;füttern;fütterung;repas;comida;toma;direct nursing;feed;feeding;breastfed
            feed: bottle feed;bottle feeding;bottlefeeding;breast;breastfeed;breast feed;breastfeeding;breast feeding
            feed: solids;solid;solid food;solid feed;expressed milk;expressed breast milk;breast milk;milk;left breast
            feed: right breast;both breasts;voeding;수유;грудное вскармливание;latte;karmienie;karmienie piersią;mleko
            feed: 喂奶;кормление;muttermilch;lait;leche;leite;bröstmjölk;brystmælk;morsmelk;moedermelk;anne sütü;親餵
            diaper: windel;windeln;wickeln;windelwechsel;couche;couches;pañal;pañales;diaper;diapers;diaper change
            diaper: diaperchange;diapering;nappy;nappies;nappy change;change;changes;pee;poo;poop;wet;dirty;mixed;bm
            diaper: pipi;caca;kacka;urine;stool;stuhl;luier;luiers;luier verschonen;blöja;bleie;ble;vaippa;bez;기저귀
            diaper: памперс;소변;대변;change de couche;pannolino;pannolini;cambio pannolino;fralda;fraldas;troca de fralda
            diaper: pieluszka;pieluszki;pielucha;おむつ;オムツ;おしっこ;うんち;换尿布;尿布;小便;大便;подгузник;cambio de pañal
            diaper: смена подгузника;bowel movement
            sleep: catnap;overnight;notte;nattsömn;nattsøvn;tupplur;sover;uykusu;gündüz uykusu;yöunet;ねる;睡覺;drzemki
            milestone: milestone
            asleep: bed time;bedtime;fell asleep;asleep;sleep start
            awake: woke up;wake up;awake;wake;sleep end;woken;wach;wake window
            waking: night waking
            """, Kind.init)
        // Words of methods are feeds, except for milk that is not drunk yet. In a cell, a bed may be the place.
        let feeds = methods.keys.filter { !["self", "pumped"].contains($0) }.map { ($0, Kind.feed) }
        let bounds = bedtimes.map { ($0, Kind.asleep) } + wakings.map { ($0, Kind.awake) }
        return words.merging((feeds + bounds).filter { !["bed", "up"].contains($0.0) }) { first, _ in first }
    }()

    /// The meanings of words in lines such as `feed: bottle;formula`.
    static func table<Meaning>(_ text: String, _ meaning: (String) -> Meaning?) -> [String: Meaning] {
        let entries = text.split(separator: "\n").flatMap { line in
            let sides = line.split(separator: ": ")
            return sides[1].split(separator: ";").map { (String($0), meaning(String(sides[0]))) }
        }
        return Dictionary(entries) { first, _ in first }.compactMapValues(\.self)
    }

    /// The method of a feed that words name; nil for others.
    static func method(_ text: String) -> RhythmRecord.Feed.Method? {
        let found = Set(
            words(text).compactMap { word in
                methods[word] ?? (word.hasPrefix("solid") ? .solids : word.hasPrefix("breast") ? .breast : nil)
            })
        return [.bottle, .solids, .breast].first(where: found.contains)
    }

    private static let methods = table(
        """
        bottle: bottle;formula;expressed;pumped;ebm;flasche;fläschchen;biberon;biberón;mamadeira;butelka;ミルク;搾母乳;配方奶
        bottle: 奶粉;瓶喂;бутылочка;смесь;fles;flesvoeding;flaska;flaske;pullo;분유;flesje;flaschi
        solids: meal;food;breakfast;lunch;dinner;supper;snack;snacks;brunch;desayuno;almuerzo;cena;goûter;frühstück
        solids: mittagessen;abendessen;pappa;papinha;離乳食;辅食;이유식;прикорм;hapje;beikost;purée;brei;bouillie
        breast: nursing;nurse;self;bf;stillen;brust;tétée;sein;allaitement;pecho;lactancia;allattamento;poppata
        breast: amamentação;mamada;piersią;母乳;授乳;母乳亲喂;亲喂;borstvoeding;amning;amming;imetys;emzirme;peito;aleitamento
        breast: 모유;모유수유;грудь;грудное;nursed;borst
        bottle: biberão;fórmula;formula;artificiale;artificiel;korvike;ersättning;erstatning;modyfikowane;kunstvoeding
        """, RhythmRecord.Feed.Method.init)

    /// The side of a breastfeed that words name; nil for others.
    static func side(_ text: String) -> RhythmRecord.Feed.Side? {
        let words = words(text)
        // A single letter is a side at the end: Breast L.
        let (isLeft, isRight) = (isSide(words, lefts), isSide(words, rights))
        if words.contains("both") || isLeft && isRight { return .both }
        return isLeft ? .left : isRight ? .right : nil
    }

    private static func isSide(_ words: [String], _ side: Set<String>) -> Bool {
        words.contains { side.contains($0) && $0.count > 1 } || words.suffix(2).contains { side.contains($0) }
    }

    private static let lefts = wordSet(
        "left l links linker gauche izquierdo izquierda esquerdo esquerda sinistra lewa lewy vänster venstre 左 左侧 "
            + "왼쪽 левая")
    private static let rights = wordSet(
        "right r rechts rechter droite droit derecho derecha direito direita destra prawa prawy höger højre høyre "
            + "右 右侧 오른쪽 правая")

    /// The contents of a diaper that words name; nil for others.
    static func diaper(_ text: String) -> RhythmRecord.Diaper? {
        let words = Set(words(text))
        let (isWet, isDirty) = (!words.isDisjoint(with: wets), !words.isDisjoint(with: dirties))
        if !words.isDisjoint(with: boths) || isWet && isDirty { return .both }
        if isWet || isDirty { return isWet ? .wet : .dirty }
        return words.contains("dry") || words.contains("clean") ? .dry : nil
    }

    private static let boths = wordSet(
        "both mixed beides mixte mixta mixto misto mista beide båda begge molemmat смешанный karışık 両方 entrambi "
            + "entrambe obie")
    private static let wets = wordSet(
        """
        ıslak kissa kiss mouillées mojados bagnata molhado mokry våt märkä wet pee peed urine wee nass pipi
        mouillée mouillé mojado mojada pis orina pipí pipì bagnato xixi mokra おしっこ 小便 мокрый plas nat 소변 尿 molhada
        tiss siku tis
        """)
    private static let dirties = wordSet(
        """
        dirty poo poop pooped poopy blowout bowel stool bm soiled solid stuhl caca kacka selles sale sucio sucia
        voll cacca cocô kupa うんち 大便 poep vies 대변 kaka bajs bæsj popó sporco sporca грязный kirli sucios sujo suja
        brudna brudny skitten bæ
        """)

    /// The Boolean for yes, no and similar words; nil for other texts.
    static func isYes(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "t", "yes", "y", "x", "1.0", "✓", "✔", "☑", "✅", "ja", "oui", "sí", "sì", "wahr", "vrai",
            "vero":
            true
        case "0", "false", "f", "no", "n", "0.0", "☐", "nein", "non", "não", "falsch", "faux", "falso": false
        default: nil
        }
    }

    /// The words of a list in the source, between white space.
    static func wordSet(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The words of a text in lower case.
    static func words(_ text: String) -> [String] {
        text.isEmpty ? [] : LogColumns.base(of: text).base.split(separator: " ").map(String.init)
    }
}
