// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension WidgetWord {
    /// The words of widgets in all languages.
    static let table = WordTable.parsed(text, as: WidgetWord.self)

    /// The text of ``table``, in the order of ``WidgetWord`` and in the form of ``WordTable``.
    ///
    /// `%@` stands for the name of the app, and for the number of items.
    private static let text = """
        en
          Loading… | Refreshing… | An error occurred while retrieving data
          Open %@ at least once before using this widget | Open the app at least once before using this widget
          No posts | Untitled | No facts | No forecast | No quotes | No recent documents | Nothing to show
          Show more | Show less | Today
          Posts: %@ | Facts: %@ | Days: %@ | Quotes: %@ | Documents: %@ | Items: %@
          Clear | Mostly clear | Partly cloudy | Cloudy | Fog | Drizzle | Freezing drizzle | Rain | Heavy rain
          Freezing rain | Sleet | Snow | Heavy snow | Rain showers | Sleet showers | Snow showers | Thunderstorm
          Hail | Unknown

        de
          Wird geladen … | Wird aktualisiert … | Beim Abrufen der Daten ist ein Fehler aufgetreten
          Öffne %@ mindestens einmal, bevor du dieses Widget verwendest
          Öffne die App mindestens einmal, bevor du dieses Widget verwendest
          Keine Beiträge | Ohne Titel | Keine Angaben | Keine Vorhersage | Keine Zitate
          Keine zuletzt benutzten Dokumente | Nichts anzuzeigen
          Mehr anzeigen | Weniger anzeigen | Heute
          Beiträge: %@ | Fakten: %@ | Tage: %@ | Zitate: %@ | Dokumente: %@ | Einträge: %@
          Klar | Überwiegend klar | Teils bewölkt | Bedeckt | Nebel | Nieselregen | Gefrierender Nieselregen | Regen
          Starker Regen | Gefrierender Regen | Schneeregen | Schnee | Starker Schneefall | Regenschauer
          Schneeregenschauer | Schneeschauer | Gewitter | Hagel | Unbekannt

        ja
          読み込み中… | 更新中… | データの取得中にエラーが発生しました
          このウィジェットを使う前に、%@を一度開いてください | このウィジェットを使う前に、アプリを一度開いてください
          投稿はありません | 無題 | 情報はありません | 予報はありません | 名言はありません | 最近使った書類はありません | 表示する項目はありません
          表示を増やす | 表示を減らす | 今日
          投稿：%@件 | 項目：%@件 | %@日分 | 名言：%@件 | 書類：%@件 | 項目：%@件
          晴れ | おおむね晴れ | 晴れ時々曇り | 曇り | 霧 | 霧雨 | 着氷性の霧雨 | 雨 | 大雨 | 着氷性の雨 | みぞれ | 雪 | 大雪 | にわか雨 | 一時みぞれ | にわか雪 | 雷雨 | ひょう
          不明

        ar
          جارٍ التحميل… | جارٍ التحديث… | حدث خطأ أثناء جلب البيانات
          افتح %@ مرة واحدة على الأقل قبل استخدام هذه الأداة | افتح التطبيق مرة واحدة على الأقل قبل استخدام هذه الأداة
          لا توجد منشورات | بلا عنوان | لا توجد معلومات | لا توجد توقعات | لا توجد اقتباسات | لا توجد مستندات حديثة
          لا يوجد ما يُعرض
          عرض المزيد | عرض أقل | اليوم
          المنشورات: %@ | المعلومات: %@ | الأيام: %@ | الاقتباسات: %@ | المستندات: %@ | العناصر: %@
          صافٍ | صافٍ غالبًا | غائم جزئيًا | غائم | ضباب | رذاذ | رذاذ متجمد | مطر | مطر غزير | مطر متجمد | مطر ثلجي
          ثلج | ثلج كثيف | زخات مطر | زخات مطر ثلجي | زخات ثلج | عاصفة رعدية | بَرَد | غير معروف

        es
          Cargando… | Actualizando… | Se produjo un error al obtener los datos
          Abre %@ al menos una vez antes de usar este widget | Abre la app al menos una vez antes de usar este widget
          No hay entradas | Sin título | No hay datos | No hay pronóstico | No hay citas | No hay documentos recientes
          Nada que mostrar
          Mostrar más | Mostrar menos | Hoy
          Publicaciones: %@ | Datos: %@ | Días: %@ | Citas: %@ | Documentos: %@ | Elementos: %@
          Despejado | Mayormente despejado | Parcialmente nublado | Nublado | Niebla | Llovizna | Llovizna helada
          Lluvia | Lluvia intensa | Lluvia helada | Aguanieve | Nieve | Nevada intensa | Chubascos
          Chubascos de aguanieve | Chubascos de nieve | Tormenta | Granizo | Desconocido

        fr
          Chargement… | Actualisation… | Une erreur s’est produite lors de la récupération des données
          Ouvrez %@ au moins une fois avant d’utiliser ce widget
          Ouvrez l’app au moins une fois avant d’utiliser ce widget
          Aucun article | Sans titre | Aucune information | Aucune prévision | Aucune citation | Aucun document récent
          Rien à afficher
          Afficher plus | Afficher moins | Aujourd’hui
          Articles\u{A0}: %@ | Infos\u{A0}: %@ | Jours\u{A0}: %@ | Citations\u{A0}: %@ | Documents\u{A0}: %@
          Éléments\u{A0}: %@
          Dégagé | Plutôt dégagé | Partiellement nuageux | Nuageux | Brouillard | Bruine | Bruine verglaçante | Pluie
          Forte pluie | Pluie verglaçante | Neige fondue | Neige | Fortes chutes de neige | Averses
          Averses de neige fondue | Averses de neige | Orage | Grêle | Inconnu

        it
          Caricamento… | Aggiornamento… | Si è verificato un errore durante il recupero dei dati
          Apri %@ almeno una volta prima di usare questo widget
          Apri l’app almeno una volta prima di usare questo widget
          Nessun articolo | Senza titolo | Nessun dato | Nessuna previsione | Nessuna citazione
          Nessun documento recente | Niente da mostrare
          Mostra altro | Mostra meno | Oggi
          Articoli: %@ | Dati: %@ | Giorni: %@ | Citazioni: %@ | Documenti: %@ | Elementi: %@
          Sereno | Prevalentemente sereno | Parzialmente nuvoloso | Nuvoloso | Nebbia | Pioviggine | Pioviggine gelata
          Pioggia | Pioggia forte | Pioggia gelata | Nevischio | Neve | Neve intensa | Rovesci | Rovesci di nevischio
          Rovesci di neve | Temporale | Grandine | Sconosciuto

        pt
          Carregando… | Atualizando… | Ocorreu um erro ao obter os dados
          Abra %@ pelo menos uma vez antes de usar este widget
          Abra o app pelo menos uma vez antes de usar este widget
          Nenhuma publicação | Sem título | Nenhuma informação | Nenhuma previsão | Nenhuma citação
          Nenhum documento recente | Nada para mostrar
          Mostrar mais | Mostrar menos | Hoje
          Publicações: %@ | Dados: %@ | Dias: %@ | Citações: %@ | Documentos: %@ | Itens: %@
          Céu limpo | Predominantemente limpo | Parcialmente nublado | Nublado | Nevoeiro | Garoa | Garoa congelante
          Chuva | Chuva forte | Chuva congelante | Chuva com neve | Neve | Neve forte | Pancadas de chuva
          Pancadas de chuva com neve | Pancadas de neve | Trovoada | Granizo | Desconhecido

        nl
          Laden… | Vernieuwen… | Er is een fout opgetreden bij het ophalen van de gegevens
          Open %@ minstens één keer voordat je deze widget gebruikt
          Open de app minstens één keer voordat je deze widget gebruikt
          Geen berichten | Naamloos | Geen gegevens | Geen weersverwachting | Geen citaten | Geen recente documenten
          Niets om te tonen
          Toon meer | Toon minder | Vandaag
          Berichten: %@ | Feiten: %@ | Dagen: %@ | Citaten: %@ | Documenten: %@ | Onderdelen: %@
          Helder | Overwegend helder | Half bewolkt | Bewolkt | Mist | Motregen | Onderkoelde motregen | Regen
          Zware regen | IJzel | Natte sneeuw | Sneeuw | Zware sneeuwval | Regenbuien | Buien met natte sneeuw
          Sneeuwbuien | Onweer | Hagel | Onbekend

        sv
          Läser in… | Uppdaterar… | Ett fel uppstod när data hämtades
          Öppna %@ minst en gång innan du använder den här widgeten
          Öppna appen minst en gång innan du använder den här widgeten
          Inga inlägg | Namnlös | Inga uppgifter | Ingen prognos | Inga citat | Inga nyligen använda dokument
          Inget att visa
          Visa mer | Visa mindre | I dag
          Inlägg: %@ | Fakta: %@ | Dagar: %@ | Citat: %@ | Dokument: %@ | Objekt: %@
          Klart | Mestadels klart | Delvis molnigt | Molnigt | Dimma | Duggregn | Underkylt duggregn | Regn
          Kraftigt regn | Underkylt regn | Snöblandat regn | Snö | Kraftigt snöfall | Regnskurar
          Byar av snöblandat regn | Snöbyar | Åska | Hagel | Okänt

        da
          Indlæser… | Opdaterer… | Der opstod en fejl under hentning af data
          Åbn %@ mindst én gang, før du bruger denne widget | Åbn appen mindst én gang, før du bruger denne widget
          Ingen indlæg | Uden titel | Ingen oplysninger | Ingen prognose | Ingen citater | Ingen nylige dokumenter
          Intet at vise
          Vis mere | Vis mindre | I dag
          Indlæg: %@ | Fakta: %@ | Dage: %@ | Citater: %@ | Dokumenter: %@ | Emner: %@
          Klart | Overvejende klart | Delvis skyet | Skyet | Tåge | Støvregn | Underafkølet støvregn | Regn
          Kraftig regn | Isslag | Slud | Sne | Kraftigt snefald | Regnbyger | Sludbyger | Snebyger | Tordenvejr | Hagl
          Ukendt

        nb
          Laster inn… | Oppdaterer… | Det oppsto en feil under henting av data
          Åpne %@ minst én gang før du bruker denne widgeten | Åpne appen minst én gang før du bruker denne widgeten
          Ingen innlegg | Uten tittel | Ingen opplysninger | Ikke noe varsel | Ingen sitater | Ingen nylige dokumenter
          Ingenting å vise
          Vis mer | Vis mindre | I dag
          Innlegg: %@ | Fakta: %@ | Dager: %@ | Sitater: %@ | Dokumenter: %@ | Elementer: %@
          Klarvær | Stort sett klart | Delvis skyet | Skyet | Tåke | Yr | Underkjølt yr | Regn | Kraftig regn
          Underkjølt regn | Sludd | Snø | Kraftig snøfall | Regnbyger | Sluddbyger | Snøbyger | Tordenvær | Hagl
          Ukjent

        fi
          Ladataan… | Päivitetään… | Tietojen hakemisessa tapahtui virhe
          Avaa %@ vähintään kerran, ennen kuin käytät tätä widgetiä
          Avaa appi vähintään kerran, ennen kuin käytät tätä widgetiä
          Ei julkaisuja | Nimetön | Ei tietoja | Ei ennustetta | Ei sitaatteja | Ei viimeaikaisia dokumentteja
          Ei näytettävää
          Näytä lisää | Näytä vähemmän | Tänään
          Julkaisut: %@ | Tiedot: %@ | Päivät: %@ | Sitaatit: %@ | Dokumentit: %@ | Kohteet: %@
          Selkeää | Enimmäkseen selkeää | Puolipilvistä | Pilvistä | Sumua | Tihkusadetta | Jäätävää tihkua | Sadetta
          Rankkasadetta | Jäätävää sadetta | Räntää | Lunta | Sakeaa lumisadetta | Sadekuuroja | Räntäkuuroja
          Lumikuuroja | Ukkosta | Rakeita | Tuntematon

        pl
          Wczytywanie… | Odświeżanie… | Podczas pobierania danych wystąpił błąd
          Zanim użyjesz tego widżetu, otwórz %@ przynajmniej raz
          Zanim użyjesz tego widżetu, otwórz aplikację przynajmniej raz
          Brak wpisów | Bez tytułu | Brak informacji | Brak prognozy | Brak cytatów | Brak ostatnich dokumentów
          Brak treści
          Pokaż więcej | Pokaż mniej | Dzisiaj
          Wpisy: %@ | Fakty: %@ | Dni: %@ | Cytaty: %@ | Dokumenty: %@ | Elementy: %@
          Bezchmurnie | Przeważnie bezchmurnie | Częściowe zachmurzenie | Pochmurno | Mgła | Mżawka | Marznąca mżawka
          Deszcz | Ulewny deszcz | Marznący deszcz | Deszcz ze śniegiem | Śnieg | Intensywne opady śniegu
          Przelotny deszcz | Przelotny deszcz ze śniegiem | Przelotny śnieg | Burza | Grad | Nieznane

        cs
          Načítání… | Aktualizace… | Při načítání dat došlo k chybě
          Před použitím widgetu alespoň jednou otevřete %@ | Před použitím widgetu alespoň jednou otevřete aplikaci
          Žádné příspěvky | Bez názvu | Žádné údaje | Žádná předpověď | Žádné citáty | Žádné nedávné dokumenty
          Není co zobrazit
          Zobrazit více | Zobrazit méně | Dnes
          Příspěvky: %@ | Údaje: %@ | Dny: %@ | Citáty: %@ | Dokumenty: %@ | Položky: %@
          Jasno | Převážně jasno | Polojasno | Oblačno | Mlha | Mrholení | Mrznoucí mrholení | Déšť | Silný déšť
          Mrznoucí déšť | Déšť se sněhem | Sníh | Husté sněžení | Přeháňky | Smíšené přeháňky | Sněhové přeháňky
          Bouřka | Kroupy | Neznámé

        uk
          Завантаження… | Оновлення… | Під час отримання даних сталася помилка
          Відкрийте %@ принаймні один раз, перш ніж користуватися цим віджетом
          Відкрийте програму принаймні один раз, перш ніж користуватися цим віджетом
          Немає дописів | Без назви | Немає відомостей | Немає прогнозу | Немає цитат | Немає недавніх документів
          Немає що показати
          Показати більше | Показати менше | Сьогодні
          Дописи: %@ | Факти: %@ | Дні: %@ | Цитати: %@ | Документи: %@ | Елементи: %@
          Ясно | Переважно ясно | Мінлива хмарність | Хмарно | Туман | Мряка | Крижана мряка | Дощ | Сильний дощ
          Крижаний дощ | Дощ зі снігом | Сніг | Сильний снігопад | Короткочасні дощі | Короткочасний дощ зі снігом
          Короткочасний сніг | Гроза | Град | Невідомо

        ru
          Загрузка… | Обновление… | При получении данных произошла ошибка
          Откройте %@ хотя бы раз, прежде чем пользоваться этим виджетом
          Откройте приложение хотя бы раз, прежде чем пользоваться этим виджетом
          Нет записей | Без названия | Нет сведений | Нет прогноза | Нет цитат | Нет недавних документов
          Нечего показать
          Показать больше | Показать меньше | Сегодня
          Записи: %@ | Факты: %@ | Дни: %@ | Цитаты: %@ | Документы: %@ | Объекты: %@
          Ясно | Преимущественно ясно | Переменная облачность | Облачно | Туман | Морось | Ледяная морось | Дождь
          Сильный дождь | Ледяной дождь | Дождь со снегом | Снег | Сильный снегопад | Кратковременный дождь
          Кратковременный дождь со снегом | Кратковременный снег | Гроза | Град | Неизвестно

        tr
          Yükleniyor… | Yenileniyor… | Veriler alınırken bir hata oluştu
          Bu araç takımını kullanmadan önce %@ uygulamasını en az bir kez açın
          Bu araç takımını kullanmadan önce uygulamayı en az bir kez açın
          Gönderi yok | Adsız | Bilgi yok | Tahmin yok | Alıntı yok | Son kullanılan belge yok
          Gösterilecek bir şey yok
          Daha fazla göster | Daha az göster | Bugün
          %@ yazı | %@ bilgi | %@ gün | %@ alıntı | %@ belge | %@ öğe
          Açık | Çoğunlukla açık | Parçalı bulutlu | Bulutlu | Sis | Çisenti | Dondurucu çisenti | Yağmur
          Şiddetli yağmur | Dondurucu yağmur | Sulu kar | Kar | Yoğun kar | Sağanak | Sulu kar sağanağı | Kar sağanağı
          Gök gürültülü fırtına | Dolu | Bilinmiyor

        el
          Φόρτωση… | Ανανέωση… | Παρουσιάστηκε σφάλμα κατά τη λήψη των δεδομένων
          Ανοίξτε το %@ τουλάχιστον μία φορά πριν χρησιμοποιήσετε αυτό το widget
          Ανοίξτε την εφαρμογή τουλάχιστον μία φορά πριν χρησιμοποιήσετε αυτό το widget
          Καμία ανάρτηση | Χωρίς τίτλο | Καμία πληροφορία | Καμία πρόγνωση | Κανένα απόφθεγμα
          Κανένα πρόσφατο έγγραφο | Τίποτα για προβολή
          Περισσότερα | Λιγότερα | Σήμερα
          Αναρτήσεις: %@ | Στοιχεία: %@ | Ημέρες: %@ | Ρητά: %@ | Έγγραφα: %@ | Στοιχεία: %@
          Αίθριος | Κυρίως αίθριος | Μερική συννεφιά | Συννεφιά | Ομίχλη | Ψιχάλες | Παγωμένες ψιχάλες | Βροχή
          Ισχυρή βροχή | Παγωμένη βροχή | Χιονόνερο | Χιόνι | Ισχυρή χιονόπτωση | Μπόρες | Μπόρες χιονόνερου
          Χιονομπόρες | Καταιγίδα | Χαλάζι | Άγνωστο

        he
          טוען… | מרענן… | אירעה שגיאה בעת קבלת הנתונים
          יש לפתוח את %@ לפחות פעם אחת לפני השימוש בווידג׳ט | יש לפתוח את היישום לפחות פעם אחת לפני השימוש בווידג׳ט
          אין פוסטים | ללא כותרת | אין פרטים | אין תחזית | אין ציטוטים | אין מסמכים אחרונים | אין מה להציג
          הצג עוד | הצג פחות | היום
          פוסטים: %@ | עובדות: %@ | ימים: %@ | ציטוטים: %@ | מסמכים: %@ | פריטים: %@
          בהיר | בהיר ברובו | מעונן חלקית | מעונן | ערפל | טפטוף | טפטוף קופא | גשם | גשם כבד | גשם קופא
          גשם מעורב בשלג | שלג | שלג כבד | ממטרים | ממטרי גשם ושלג | ממטרי שלג | סופת רעמים | ברד | לא ידוע

        hi
          लोड हो रहा है… | रीफ़्रेश हो रहा है… | डेटा प्राप्त करते समय त्रुटि हुई
          इस विजेट का उपयोग करने से पहले %@ को कम से कम एक बार खोलें
          इस विजेट का उपयोग करने से पहले ऐप को कम से कम एक बार खोलें
          कोई पोस्ट नहीं | शीर्षकहीन | कोई जानकारी नहीं | कोई पूर्वानुमान नहीं | कोई उद्धरण नहीं
          कोई हालिया दस्तावेज़ नहीं | दिखाने के लिए कुछ नहीं
          और दिखाएँ | कम दिखाएँ | आज
          पोस्ट: %@ | तथ्य: %@ | दिन: %@ | उद्धरण: %@ | दस्तावेज़: %@ | आइटम: %@
          साफ़ | अधिकतर साफ़ | आंशिक बादल | बादल | कोहरा | बूँदाबाँदी | जमाने वाली बूँदाबाँदी | बारिश | भारी बारिश
          जमाने वाली बारिश | बर्फ़ मिली बारिश | बर्फ़बारी | भारी बर्फ़बारी | बारिश की बौछारें
          बर्फ़ मिली बारिश की बौछारें | बर्फ़ की बौछारें | गरज के साथ तूफ़ान | ओले | अज्ञात

        th
          กำลังโหลด… | กำลังรีเฟรช… | เกิดข้อผิดพลาดขณะดึงข้อมูล
          เปิด %@ อย่างน้อยหนึ่งครั้งก่อนใช้วิดเจ็ตนี้ | เปิดแอปอย่างน้อยหนึ่งครั้งก่อนใช้วิดเจ็ตนี้
          ไม่มีโพสต์ | ไม่มีชื่อ | ไม่มีข้อมูล | ไม่มีพยากรณ์ | ไม่มีคำคม | ไม่มีเอกสารล่าสุด | ไม่มีรายการที่จะแสดง
          แสดงเพิ่ม | แสดงน้อยลง | วันนี้
          โพสต์: %@ | ข้อมูล: %@ | วัน: %@ | คำคม: %@ | เอกสาร: %@ | รายการ: %@
          แจ่มใส | แจ่มใสเป็นส่วนใหญ่ | มีเมฆบางส่วน | มีเมฆมาก | หมอก | ฝนปรอยๆ | ฝนปรอยเยือกแข็ง | ฝน | ฝนตกหนัก
          ฝนเยือกแข็ง | ฝนปนหิมะ | หิมะ | หิมะตกหนัก | ฝนตกเป็นช่วงๆ | ฝนปนหิมะเป็นช่วงๆ | หิมะตกเป็นช่วงๆ
          พายุฝนฟ้าคะนอง | ลูกเห็บ | ไม่ทราบ

        ta
          ஏற்றுகிறது… | புதுப்பிக்கிறது… | தரவைப் பெறுவதில் பிழை ஏற்பட்டது
          இந்த விட்ஜெட்டைப் பயன்படுத்தும் முன் %@ செயலியை ஒருமுறையேனும் திறக்கவும்
          இந்த விட்ஜெட்டைப் பயன்படுத்தும் முன் செயலியை ஒருமுறையேனும் திறக்கவும்
          இடுகைகள் இல்லை | தலைப்பு இல்லை | தகவல்கள் இல்லை | முன்னறிவிப்பு இல்லை | மேற்கோள்கள் இல்லை
          சமீபத்திய ஆவணங்கள் இல்லை | காட்ட எதுவும் இல்லை
          மேலும் காட்டு | குறைவாகக் காட்டு | இன்று
          பதிவுகள்: %@ | தகவல்கள்: %@ | நாட்கள்: %@ | மேற்கோள்கள்: %@ | ஆவணங்கள்: %@ | உருப்படிகள்: %@
          தெளிவான வானம் | பெரும்பாலும் தெளிவு | ஓரளவு மேகமூட்டம் | மேகமூட்டம் | மூடுபனி | தூறல் | உறைபனித் தூறல் | மழை
          கனமழை | உறைபனி மழை | பனியுடன் கூடிய மழை | பனிப்பொழிவு | கடும் பனிப்பொழிவு | விட்டுவிட்டு மழை
          விட்டுவிட்டுப் பனி மழை | விட்டுவிட்டுப் பனிப்பொழிவு | இடியுடன் கூடிய மழை | ஆலங்கட்டி மழை | தெரியவில்லை

        ko
          로드 중… | 새로 고치는 중… | 데이터를 가져오는 중 오류가 발생했습니다
          이 위젯을 사용하기 전에 %@ 앱을 한 번 이상 여십시오 | 이 위젯을 사용하기 전에 앱을 한 번 이상 여십시오
          게시물 없음 | 제목 없음 | 정보 없음 | 예보 없음 | 인용구 없음 | 최근 문서 없음 | 표시할 항목 없음
          더 보기 | 간략히 보기 | 오늘
          게시물 %@개 | 정보 %@개 | %@일 | 명언 %@개 | 문서 %@개 | 항목 %@개
          맑음 | 대체로 맑음 | 구름 조금 | 흐림 | 안개 | 이슬비 | 어는 이슬비 | 비 | 폭우 | 어는 비 | 진눈깨비 | 눈 | 폭설 | 소나기 | 소낙성 진눈깨비 | 소낙눈 | 뇌우
          우박 | 알 수 없음

        zh-Hans
          正在载入… | 正在刷新… | 获取数据时出错
          使用此小组件前，请至少打开一次%@ | 使用此小组件前，请至少打开一次 App
          没有文章 | 无标题 | 没有信息 | 没有预报 | 没有名言 | 没有最近使用的文稿 | 没有可显示的内容
          显示更多 | 显示较少 | 今天
          %@ 篇文章 | %@ 条信息 | %@ 天 | %@ 条名言 | %@ 个文稿 | %@ 个项目
          晴 | 大致晴朗 | 局部多云 | 多云 | 雾 | 毛毛雨 | 冻毛毛雨 | 雨 | 大雨 | 冻雨 | 雨夹雪 | 雪 | 大雪 | 阵雨 | 阵性雨夹雪 | 阵雪 | 雷暴 | 冰雹 | 未知

        zh-Hant
          正在載入… | 正在更新… | 取得資料時發生錯誤
          使用此小工具前，請至少開啟一次%@ | 使用此小工具前，請至少開啟一次 App
          沒有文章 | 未命名 | 沒有資訊 | 沒有預報 | 沒有語錄 | 沒有最近使用的文件 | 沒有可顯示的內容
          顯示更多 | 顯示較少 | 今天
          %@ 篇文章 | %@ 則資訊 | %@ 天 | %@ 則名言 | %@ 份文件 | %@ 個項目
          晴 | 大致晴朗 | 局部多雲 | 多雲 | 霧 | 毛毛雨 | 凍毛毛雨 | 雨 | 大雨 | 凍雨 | 雨夾雪 | 雪 | 大雪 | 陣雨 | 陣性雨夾雪 | 陣雪 | 雷雨 | 冰雹 | 未知
        """
}
