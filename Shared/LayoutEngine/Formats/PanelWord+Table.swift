// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension PanelWord {
    /// The words of panels in all languages.
    static let table = WordTable.parsed(text, as: PanelWord.self)

    /// The text of ``table``, in the order of ``PanelWord`` and in the form of ``WordTable``.
    ///
    /// `%@` stands for a time, a number or an HTTP status code.
    private static let text = """
        en
          since %@ | Waiting for its first content | %@ today | High | Posts | Facts | Weather | Quote of the day
          Documents | List | The server says this page does not exist (%@) | The server refuses access (%@)
          The server reports an error (%@) | The server answered with status %@
          The server asks to wait before the next attempt | The server cannot be reached
          The answer cannot be read | This source cannot be used

        de
          seit %@ | Wartet auf den ersten Inhalt | %@ heute | Höchstwert | Beiträge | Fakten | Wetter
          Zitat des Tages | Dokumente | Liste | Der Server sagt, dass es diese Seite nicht gibt (%@)
          Der Server verweigert den Zugriff (%@) | Der Server meldet einen Fehler (%@)
          Der Server hat mit dem Status %@ geantwortet | Der Server bittet, vor dem nächsten Versuch zu warten
          Der Server ist nicht erreichbar | Die Antwort ist nicht lesbar | Diese Quelle ist nicht verwendbar

        ja
          %@から | 最初の内容を待っています | 今日%@件 | 最高 | 投稿 | 項目 | 天気 | 今日の名言 | 書類 | 一覧 | サーバによると、このページは存在しません（%@）
          サーバがアクセスを拒否しました（%@） | サーバがエラーを報告しました（%@） | サーバの応答はステータス%@でした | サーバが次の試行まで待つよう求めています | サーバに接続できません
          応答を読み取れません | この配信元は使用できません

        ar
          منذ %@ | في انتظار أول محتوى | %@ اليوم | العظمى | المنشورات | المعلومات | الطقس | اقتباس اليوم
          المستندات | القائمة | يقول الخادم إن هذه الصفحة غير موجودة (%@) | يرفض الخادم الوصول (%@)
          أبلغ الخادم عن خطأ (%@) | أجاب الخادم بالحالة %@ | يطلب الخادم الانتظار قبل المحاولة التالية
          تعذر الوصول إلى الخادم | تعذرت قراءة الرد | لا يمكن استخدام هذا المصدر

        es
          desde %@ | A la espera del primer contenido | %@ hoy | Máxima | Entradas | Datos | El tiempo
          Cita del día | Documentos | Lista | El servidor indica que esta página no existe (%@)
          El servidor deniega el acceso (%@) | El servidor informa de un error (%@)
          El servidor respondió con el estado %@ | El servidor pide esperar antes del próximo intento
          No se puede contactar con el servidor | No se puede leer la respuesta | No se puede usar esta fuente

        fr
          depuis %@ | En attente du premier contenu | %@ aujourd’hui | Maximale | Articles | Informations | Météo
          Citation du jour | Documents | Liste | Le serveur indique que cette page n’existe pas (%@)
          Le serveur refuse l’accès (%@) | Le serveur signale une erreur (%@) | Le serveur a répondu avec l’état %@
          Le serveur demande d’attendre avant le prochain essai | Le serveur est injoignable
          La réponse est illisible | Cette source est inutilisable

        it
          da %@ | In attesa del primo contenuto | %@ oggi | Massima | Articoli | Dati | Meteo
          Citazione del giorno | Documenti | Elenco | Il server segnala che questa pagina non esiste (%@)
          Il server nega l’accesso (%@) | Il server segnala un errore (%@) | Il server ha risposto con lo stato %@
          Il server chiede di attendere prima del prossimo tentativo | Il server non è raggiungibile
          La risposta non è leggibile | Questa fonte non è utilizzabile

        pt
          desde %@ | À espera do primeiro conteúdo | %@ hoje | Máxima | Publicações | Informações | Tempo
          Citação do dia | Documentos | Lista | O servidor diz que esta página não existe (%@)
          O servidor recusa o acesso (%@) | O servidor relata um erro (%@) | O servidor respondeu com o status %@
          O servidor pede para esperar antes da próxima tentativa | Não é possível acessar o servidor
          Não é possível ler a resposta | Não é possível usar esta fonte

        nl
          sinds %@ | Wacht op de eerste inhoud | %@ vandaag | Maximum | Berichten | Gegevens | Weer
          Citaat van de dag | Documenten | Lijst | De server zegt dat deze pagina niet bestaat (%@)
          De server weigert toegang (%@) | De server meldt een fout (%@) | De server antwoordde met status %@
          De server vraagt te wachten tot de volgende poging | De server is niet bereikbaar
          Het antwoord is niet leesbaar | Deze bron is niet bruikbaar

        sv
          sedan %@ | Väntar på det första innehållet | %@ i dag | Högsta | Inlägg | Uppgifter | Väder
          Dagens citat | Dokument | Lista | Servern säger att sidan inte finns (%@) | Servern nekar åtkomst (%@)
          Servern rapporterar ett fel (%@) | Servern svarade med status %@
          Servern ber om att vänta före nästa försök | Servern kan inte nås | Svaret kan inte läsas
          Källan kan inte användas

        da
          siden %@ | Venter på det første indhold | %@ i dag | Højeste | Indlæg | Oplysninger | Vejr | Dagens citat
          Dokumenter | Liste | Serveren siger, at siden ikke findes (%@) | Serveren nægter adgang (%@)
          Serveren melder en fejl (%@) | Serveren svarede med status %@
          Serveren beder om at vente før næste forsøg | Serveren kan ikke nås | Svaret kan ikke læses
          Kilden kan ikke bruges

        nb
          siden %@ | Venter på det første innholdet | %@ i dag | Høyeste | Innlegg | Opplysninger | Vær
          Dagens sitat | Dokumenter | Liste | Tjeneren sier at siden ikke finnes (%@)
          Tjeneren nekter tilgang (%@) | Tjeneren melder en feil (%@) | Tjeneren svarte med status %@
          Tjeneren ber om å vente før neste forsøk | Tjeneren kan ikke nås | Svaret kan ikke leses
          Kilden kan ikke brukes

        fi
          alkaen %@ | Odottaa ensimmäistä sisältöä | %@ tänään | Ylin | Julkaisut | Tiedot | Sää | Päivän lainaus
          Asiakirjat | Luettelo | Palvelin ilmoittaa, että sivua ei ole (%@) | Palvelin estää pääsyn (%@)
          Palvelin ilmoittaa virheestä (%@) | Palvelin vastasi tilalla %@
          Palvelin pyytää odottamaan ennen seuraavaa yritystä | Palvelimeen ei saada yhteyttä
          Vastausta ei voi lukea | Lähdettä ei voi käyttää

        pl
          od %@ | Oczekuje na pierwszą treść | %@ dzisiaj | Najwyższa | Wpisy | Informacje | Pogoda | Cytat dnia
          Dokumenty | Lista | Serwer informuje, że ta strona nie istnieje (%@) | Serwer odmawia dostępu (%@)
          Serwer zgłasza błąd (%@) | Serwer odpowiedział stanem %@ | Serwer prosi o odczekanie przed następną próbą
          Serwer jest nieosiągalny | Nie można odczytać odpowiedzi | Nie można użyć tego źródła

        cs
          od %@ | Čeká na první obsah | %@ dnes | Nejvyšší | Příspěvky | Údaje | Počasí | Citát dne | Dokumenty
          Seznam | Server hlásí, že tato stránka neexistuje (%@) | Server odmítá přístup (%@)
          Server hlásí chybu (%@) | Server odpověděl stavem %@ | Server žádá, aby se s dalším pokusem počkalo
          Server není dostupný | Odpověď nelze přečíst | Tento zdroj nelze použít

        uk
          з %@ | Очікує на перший вміст | %@ сьогодні | Найвища | Дописи | Відомості | Погода | Цитата дня
          Документи | Список | Сервер повідомляє, що такої сторінки немає (%@) | Сервер відмовляє в доступі (%@)
          Сервер повідомляє про помилку (%@) | Сервер відповів станом %@
          Сервер просить зачекати перед наступною спробою | Сервер недоступний | Відповідь неможливо прочитати
          Це джерело неможливо використати

        ru
          с %@ | Ожидает первого содержимого | %@ сегодня | Максимум | Записи | Сведения | Погода | Цитата дня
          Документы | Список | Сервер сообщает, что такой страницы нет (%@) | Сервер отказывает в доступе (%@)
          Сервер сообщает об ошибке (%@) | Сервер ответил состоянием %@
          Сервер просит подождать перед следующей попыткой | Сервер недоступен | Ответ невозможно прочитать
          Этот источник невозможно использовать

        tr
          %@ tarihinden beri | İlk içerik bekleniyor | Bugün %@ | En yüksek | Gönderiler | Bilgiler | Hava durumu
          Günün sözü | Belgeler | Liste | Sunucu bu sayfanın olmadığını söylüyor (%@)
          Sunucu erişimi reddediyor (%@) | Sunucu bir hata bildiriyor (%@) | Sunucu %@ durumuyla yanıt verdi
          Sunucu sonraki denemeden önce beklenmesini istiyor | Sunucuya ulaşılamıyor | Yanıt okunamıyor
          Bu kaynak kullanılamıyor

        el
          από %@ | Αναμονή για το πρώτο περιεχόμενο | %@ σήμερα | Μέγιστη | Αναρτήσεις | Στοιχεία | Καιρός
          Απόφθεγμα της ημέρας | Έγγραφα | Λίστα | Ο διακομιστής λέει ότι η σελίδα δεν υπάρχει (%@)
          Ο διακομιστής αρνείται την πρόσβαση (%@) | Ο διακομιστής αναφέρει σφάλμα (%@)
          Ο διακομιστής απάντησε με κατάσταση %@ | Ο διακομιστής ζητά αναμονή πριν από την επόμενη προσπάθεια
          Ο διακομιστής δεν είναι προσβάσιμος | Η απάντηση δεν διαβάζεται | Η πηγή δεν μπορεί να χρησιμοποιηθεί

        he
          מאז %@ | ממתין לתוכן הראשון | %@ היום | מרבי | רשומות | עובדות | מזג אוויר | ציטוט היום | מסמכים | רשימה
          השרת מודיע שהדף אינו קיים (%@) | השרת מסרב לאפשר גישה (%@) | השרת מדווח על שגיאה (%@) | השרת השיב במצב %@
          השרת מבקש להמתין לפני הניסיון הבא | אין גישה לשרת | אי אפשר לקרוא את התשובה | אי אפשר להשתמש במקור הזה

        hi
          %@ से | पहली सामग्री की प्रतीक्षा है | आज %@ | अधिकतम | पोस्ट | तथ्य | मौसम | आज का उद्धरण | दस्तावेज़
          सूची | सर्वर के अनुसार यह पृष्ठ मौजूद नहीं है (%@) | सर्वर ने पहुँच से मना किया (%@)
          सर्वर ने त्रुटि बताई (%@) | सर्वर ने स्थिति %@ के साथ उत्तर दिया
          सर्वर अगले प्रयास से पहले रुकने को कहता है | सर्वर तक पहुँचा नहीं जा सका | उत्तर पढ़ा नहीं जा सका
          इस स्रोत का उपयोग नहीं किया जा सकता

        th
          ตั้งแต่ %@ | กำลังรอเนื้อหาแรก | วันนี้ %@ | สูงสุด | โพสต์ | ข้อมูล | อากาศ | คำคมประจำวัน | เอกสาร
          รายการ | เซิร์ฟเวอร์แจ้งว่าไม่มีหน้านี้ (%@) | เซิร์ฟเวอร์ปฏิเสธการเข้าถึง (%@)
          เซิร์ฟเวอร์รายงานข้อผิดพลาด (%@) | เซิร์ฟเวอร์ตอบด้วยสถานะ %@ | เซิร์ฟเวอร์ขอให้รอก่อนลองครั้งถัดไป
          ติดต่อเซิร์ฟเวอร์ไม่ได้ | อ่านคำตอบไม่ได้ | ใช้แหล่งข้อมูลนี้ไม่ได้

        ta
          %@ முதல் | முதல் உள்ளடக்கத்திற்குக் காத்திருக்கிறது | இன்று %@ | அதிகபட்சம் | பதிவுகள் | தகவல்கள்
          வானிலை | இன்றைய மேற்கோள் | ஆவணங்கள் | பட்டியல் | இந்தப் பக்கம் இல்லை என்று சேவையகம் கூறுகிறது (%@)
          சேவையகம் அணுகலை மறுக்கிறது (%@) | சேவையகம் பிழையைத் தெரிவிக்கிறது (%@)
          சேவையகம் %@ நிலையுடன் பதிலளித்தது | அடுத்த முயற்சிக்கு முன் காத்திருக்குமாறு சேவையகம் கேட்கிறது
          சேவையகத்தை அணுக முடியவில்லை | பதிலைப் படிக்க முடியவில்லை | இந்த மூலத்தைப் பயன்படுத்த முடியாது

        ko
          %@부터 | 첫 콘텐츠를 기다리는 중 | 오늘 %@개 | 최고 | 게시물 | 정보 | 날씨 | 오늘의 명언 | 문서 | 목록 | 서버에 따르면 이 페이지가 없습니다(%@)
          서버가 접근을 거부했습니다(%@) | 서버가 오류를 보고했습니다(%@) | 서버가 상태 %@(으)로 응답했습니다 | 서버가 다음 시도 전에 기다리도록 요청합니다
          서버에 연결할 수 없습니다 | 응답을 읽을 수 없습니다 | 이 소스를 사용할 수 없습니다

        zh-Hans
          自%@起 | 正在等待首个内容 | 今日 %@ 条 | 最高 | 文章 | 信息 | 天气 | 每日名言 | 文稿 | 列表 | 服务器表示此页面不存在（%@） | 服务器拒绝访问（%@）
          服务器报告错误（%@） | 服务器返回状态 %@ | 服务器要求稍后再尝试 | 无法连接服务器 | 无法读取响应 | 无法使用此来源

        zh-Hant
          自%@起 | 正在等待首個內容 | 今日 %@ 則 | 最高 | 文章 | 資訊 | 天氣 | 每日名言 | 文件 | 列表 | 伺服器表示此頁面不存在（%@） | 伺服器拒絕存取（%@）
          伺服器回報錯誤（%@） | 伺服器回應狀態 %@ | 伺服器要求稍後再嘗試 | 無法連接伺服器 | 無法讀取回應 | 無法使用此來源
        """
}
