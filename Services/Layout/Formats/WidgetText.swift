// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What widgets say in words of their own.
enum WidgetText: Hashable, Sendable {
    case loading
    case refreshing
    case failed
    /// Where an app has to give the first content; nil stands for "the app".
    case openFirst(name: String?)
    case noPosts
    case untitled
    case noFacts
    case noForecast
    case noQuotes
    case noDocuments
    case noRows
    case showMore
    case showLess
    case today

    func string(in language: WidgetLanguage) -> String {
        switch language {
        case .english: english
        case .german: german
        case .japanese: japanese
        case .arabic: arabic
        }
    }

    private var english: String {
        switch self {
        case .loading: "Loading…"
        case .refreshing: "Refreshing…"
        case .failed: "An error occurred while retrieving data"
        case .openFirst(let name): "Open \(name ?? "the app") at least once before using this widget"
        case .noPosts: "No posts"
        case .untitled: "Untitled"
        case .noFacts: "No facts"
        case .noForecast: "No forecast"
        case .noQuotes: "No quotes"
        case .noDocuments: "No recent documents"
        case .noRows: "Nothing to show"
        case .showMore: "Show more"
        case .showLess: "Show less"
        case .today: "Today"
        }
    }

    private var german: String {
        switch self {
        case .loading: "Wird geladen …"
        case .refreshing: "Wird aktualisiert …"
        case .failed: "Beim Abrufen der Daten ist ein Fehler aufgetreten"
        case .openFirst(let name): "Öffne \(name ?? "die App") mindestens einmal, bevor du dieses Widget verwendest"
        case .noPosts: "Keine Beiträge"
        case .untitled: "Ohne Titel"
        case .noFacts: "Keine Angaben"
        case .noForecast: "Keine Vorhersage"
        case .noQuotes: "Keine Zitate"
        case .noDocuments: "Keine zuletzt benutzten Dokumente"
        case .noRows: "Nichts anzuzeigen"
        case .showMore: "Mehr anzeigen"
        case .showLess: "Weniger anzeigen"
        case .today: "Heute"
        }
    }

    private var japanese: String {
        switch self {
        case .loading: "読み込み中…"
        case .refreshing: "更新中…"
        case .failed: "データの取得中にエラーが発生しました"
        case .openFirst(let name): "このウィジェットを使う前に、\(name ?? "アプリ")を一度開いてください"
        case .noPosts: "投稿はありません"
        case .untitled: "無題"
        case .noFacts: "情報はありません"
        case .noForecast: "予報はありません"
        case .noQuotes: "引用はありません"
        case .noDocuments: "最近使った書類はありません"
        case .noRows: "表示する項目はありません"
        case .showMore: "表示を増やす"
        case .showLess: "表示を減らす"
        case .today: "今日"
        }
    }

    private var arabic: String {
        switch self {
        case .loading: "جارٍ التحميل…"
        case .refreshing: "جارٍ التحديث…"
        case .failed: "حدث خطأ أثناء جلب البيانات"
        case .openFirst(let name): "افتح \(name ?? "التطبيق") مرة واحدة على الأقل قبل استخدام هذه الأداة"
        case .noPosts: "لا توجد منشورات"
        case .untitled: "بلا عنوان"
        case .noFacts: "لا توجد معلومات"
        case .noForecast: "لا توجد توقعات"
        case .noQuotes: "لا توجد اقتباسات"
        case .noDocuments: "لا توجد مستندات حديثة"
        case .noRows: "لا يوجد ما يُعرض"
        case .showMore: "عرض المزيد"
        case .showLess: "عرض أقل"
        case .today: "اليوم"
        }
    }
}
