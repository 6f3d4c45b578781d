// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The built-in words of boards, with their translations.
enum BoardWord {
    /// Returns "Changed" with a time of day, such as `Changed 08:41`.
    static func changed(at time: String, in language: WidgetLanguage) -> String {
        (changed[language] ?? "Changed %@").replacing("%@", with: time)
    }

    private static let changed: [WidgetLanguage: String] = [
        .english: "Changed %@", .german: "Geändert %@", .japanese: "%@ 更新", .arabic: "تغيّر %@", .spanish: "Cambio: %@",
        .french: "Modifié : %@", .italian: "Modifica: %@", .portuguese: "Alterado: %@", .dutch: "Gewijzigd %@",
        .swedish: "Ändrad %@", .danish: "Ændret %@", .norwegian: "Endret %@", .finnish: "Muuttunut %@",
        .polish: "Zmiana: %@", .czech: "Změna: %@", .ukrainian: "Зміна: %@", .russian: "Изменение: %@",
        .turkish: "Değişiklik: %@", .greek: "Αλλαγή: %@", .hebrew: "שינוי: %@", .hindi: "बदलाव: %@", .thai: "เปลี่ยน %@",
        .tamil: "மாற்றம்: %@", .korean: "%@ 변경", .simplifiedChinese: "%@ 更新", .traditionalChinese: "%@ 更新",
    ]
}
