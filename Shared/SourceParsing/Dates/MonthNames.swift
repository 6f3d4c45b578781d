// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The names of the months in lower case, in many languages.
///
/// Each element contains the names of one month, January first, separated by spaces; `_` stands for a space within a
/// name. A name may be in any case or number, and without its accents. A name that is the beginning of another one in
/// the element is left out, because ``DateWords`` finds it by that one.
enum MonthNames {
    /// The names in the languages of the widgets and in other common languages.
    ///
    /// These are English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Norwegian, Danish, Finnish,
    /// Polish, Czech, Greek, Turkish, Russian, Ukrainian, Hebrew, Hindi, Tamil, Thai, Arabic, Hungarian, Romanian,
    /// Bulgarian, Indonesian, Vietnamese and Chinese.
    static let common = [
        """
        enero gennaio ianuarie jaenner janeiro janner januari january janvier leden ledna ocak styczen stycznia \
        tammikuuta thang_gieng thang_mot január jänner styczeń tháng_giêng tháng_một ιανουάριος ιανουαρίου \
        ιανουαριος ιανουαριου січень січня январь января януари בינואר בינו׳ ינואר ינו׳ يناير जन जनवरी ஜன ஜனவரி ม.ค \
        มกราคม 一月
        """,
        """
        febbraio feber febrero februarie february fevereiro fevrier helmikuuta lutego luty pebruari subat thang_hai \
        unora február février tháng_hai února şubat φεβρουάριος φεβρουαρίου φεβρουαριος φεβρουαριου лютий лютого \
        февраль февраля февруари בפברואר בפבר׳ פברואר פבר׳ فبراير फरवरी फ़र फ़रवरी பிப் பிப்ரவரி ก.พ กุมภาพันธ์ 二月
        """,
        """
        brezen brezna maaliskuuta maart maerz marca march marcius marco maret mars martie marts marzec marzo mrt \
        thang_ba březen března março március märz tháng_ba μάρτιος μαρτίου μαρτιος μαρτιου березень березня марта \
        במרץ מרץ مارس मार्च மார் மார்ச் มี.ค มีนาคม 三月
        """,
        """
        abril aprile aprilie aprilis avril duben dubna huhtikuuta kwiecien kwietnia nisan thang_bon thang_tu \
        kwiecień tháng_bốn tháng_tư április απρίλιος απριλίου απριλιος απριλιου апрель апреля април квітень квітня \
        אפריל אפר׳ באפריל באפר׳ أبريل إبريل ابريل अप्रैल ஏப் ஏப்ரல் เม.ย เมษายน 四月
        """,
        """
        kveten kvetna maggio maio maja majus mayis mayo mei thang_nam toukokuuta květen května mayıs május tháng_năm \
        μάιος μαΐου μαιος μαιου май мая травень травня במאי מאי مايو मई மே พ.ค พฤษภาคม 五月
        """,
        """
        cerven cervna cvn czerwca czerwiec giugno haziran iunie juin june junho junio junius kesakuuta thang_sau \
        június kesäkuuta tháng_sáu červen června čvn ιουνίου ιουνιος ιουνιου ιούνιος июнь июня червень червня юни \
        ביוני יוני يونيو जून ஜூன் มิ.ย มิถุนายน 六月
        """,
        """
        cervence cervenec cvc heinakuuta iulie juillet julho julio julius july lipca lipiec luglio temmuz thang_bay \
        heinäkuuta július tháng_bảy července červenec čvc ιουλίου ιουλιος ιουλιου ιούλιος июль июля липень липня юли \
        ביולי יולי يوليو जुल जुलाई ஜூலை ก.ค กรกฎาคม 七月
        """,
        """
        agosto ags agt agustos agustus aout augusti augustus augusztus elokuuta sierpien sierpnia srpen srpna \
        thang_tam août ağustos sierpień tháng_tám αυγουστος αυγουστου αυγούστου αύγουστος августа серпень серпня \
        אוגוסט אוג׳ באוגוסט באוג׳ أغسطس اغسطس अग अगस्त ஆக ஆகஸ்ட் ส.ค สิงหาคม 八月
        """,
        """
        eylul september septembre septembrie septiembre setembro setiembre settembre syyskuuta szeptember thang_chin \
        wrzesien wrzesnia zari eylül tháng_chín wrzesień września září σεπτέμβριος σεπτεμβρίου σεπτεμβριος \
        σεπτεμβριου вересень вересня сентябрь сентября септември בספטמבר בספט׳ ספטמבר ספט׳ سبتمبر सित सितंबर सितम्बर \
        செப் செப்டம்பர் ก.ย กันยายน 九月
        """,
        """
        ekim lokakuuta october octobre octombrie octubre oktober ottobre outubro pazdziernika rijen rijna thang_muoi \
        október października tháng_mười říjen října οκτωβρίου οκτωβριος οκτωβριου οκτώβριος жовтень жовтня октомври \
        октябрь октября אוקטובר אוק׳ באוקטובר באוק׳ أكتوبر اكتوبر अक्टू अक्टूबर अक्तूबर அக் அக்டோபர் ต.ค ตุลาคม 十月
        """,
        """
        kasim listopada listopadu marraskuuta noiembrie nopember november novembre novembro noviembre thang_muoi_mot \
        kasım tháng_mười_một νοέμβριος νοεμβρίου νοεμβριος νοεμβριου листопада ноември ноябрь ноября בנובמבר בנוב׳ \
        נובמבר נוב׳ نوفمبر नव नवंबर नवम्बर நவ நவம்பர் พ.ย พฤศจิกายน 十一月
        """,
        """
        aralik december decembre decembrie desember dezember dezembro dicembre diciembre grudnia grudzien joulukuuta \
        prosince prosinec thang_chap thang_muoi_hai aralık décembre grudzień tháng_chạp tháng_mười_hai δεκέμβριος \
        δεκεμβρίου δεκεμβριος δεκεμβριου грудень грудня декабрь декабря декември בדצמבר בדצמ׳ דצמבר דצמ׳ ديسمبر दिस \
        दिसंबर दिसम्बर டிச டிசம்பர் ธ.ค ธันวาคม 十二月
        """,
    ]

    /// The names in further languages; a name that is also a common one of another month is left out.
    ///
    /// These are the names of Arabic in the Levant and the Maghreb, Persian, Urdu, Slovak, Croatian, Serbian, Slovenian,
    /// Macedonian, Albanian, Azerbaijani, Belarusian, Kazakh, Icelandic, Estonian, Latvian, Lithuanian, Bengali, Telugu,
    /// Marathi, Gujarati, Kannada, Malayalam, Punjabi, Nepali, Malay, Filipino, Georgian, Armenian, Catalan, Basque,
    /// Galician, Welsh, Irish, Afrikaans, Swahili and Esperanto.
    static let further = [
        """
        eanair gener ionawr jaanuar janar januara januarie januaro janvaris sausio sausis sijecanj sijecnja \
        urtarrila xaneiro yanvar eanáir januára janvāris janúar siječanj siječnja студзень студзеня јануари қаңтар \
        հնվ հունվարի جانفي جنوری كانون_الثاني ژانویه जाने जानेवारी জানু জানুয়ারি ਜਨ ਜਨਵਰੀ જાન્યુ જાન્યુઆરી జన జనవరి \
        ಜನ ಜನವರಿ ജനു ജനുവരി იანვარი
        """,
        """
        chwefror feabhra febreiro febrer februara februaris februaro fevral otsaila pebrero shkurt vasario vasaris \
        veebruar veljaca veljace februára februāris febrúar veljača veljače ақпан лютага люты фебруар փետրվարի փտվ \
        شباط فروری فوریه فيفري फेब्रु फेब्रुअरी फेब्रुवारी ফেব ফেব্রুয়ারি ਫ਼ਰ ਫ਼ਰਵਰੀ ફેબ્રુ ફેબ્રુઆરી ఫిబ్ర \
        ఫిబ్రవరి ಫೆಬ್ರವರಿ ഫെബ്രു ഫെബ്രുവരി თებერვალი
        """,
        """
        kovas kovo machi marec marso marta marto martxoa mawrth ozujak ozujka març márta märts ožujak ožujka наурыз \
        сакавіка մարտի մրտ آذار مارچ মার্চ ਮਾਰਚ માર્ચ మార్చి ಮಾರ್ಚ್ മാർ മാർച്ച് მარტი
        """,
        """
        aibrean apirila aprel aprila aprili aprill aprilo balandis balandzio ebrill prill travanj travnja aibreán \
        apríla aprīlis balandžio красавіка сәуір ապրիլի آوریل أفريل اپریل نيسان अप्रिल एप्रि एप्रिल এপ্রি এপ্রিল \
        ਅਪ੍ਰੈਲ એપ્રિલ ఏప్రి ఏప్రిల్ ಏಪ್ರಿಲ್ ഏപ്രി ഏപ്രിൽ აპრილი
        """,
        """
        bealtaine geguzes maiatza maig maijs majo svibanj svibnja gegužės maí mája мамыр мај մայիսի մյս أيار مئی ماي \
        مه मे মে ਮਈ મે మే ಮೇ മേയ് მაისი
        """,
        """
        birzelio birzelis ekaina hunyo iyn iyun juna junie junijs juny juuni lipanj lipnja mehefin meitheamh qershor \
        xuno birželio birželis júna júní jūnijs xuño маусым чэрвень чэрвеня јуни հնս հունիսի جوان جون حزيران ژوئن \
        जुन জুন ਜੂਨ જૂન జూన్ ಜೂನ್ ജൂൺ ივნისი
        """,
        """
        gorffennaf hulyo iuil iyl iyul julai julie julijs juliol juuli korrik liepa liepos srpanj srpnja uztaila \
        xullo iúil júla júlí jūlijs ліпень ліпеня шілде јули հլս հուլիսի تموز جولائی جويلية يوليوز ژوئیه जुलै জুল \
        জুলাই ਜੁਲਾ ਜੁਲਾਈ જુલાઈ జులై ಜುಲೈ ജൂലൈ ივლისი
        """,
        """
        abuztua agosti agust augusta augusto augusts avgust avqust awst gusht kolovoza lunasa ogos rugpjucio \
        rugpjutis aŭgusto lúnasa rugpjūtis rugpjūčio ágúst жнівень жніўня тамыз օգոստոսի օգս آب أوت اوت اگست غشت \
        अगस्ट ऑग ऑगस्ट আগ আগস্ট ਅਗ ਅਗਸਤ ઑગસ્ટ ఆగ ఆగస్టు ಆಗ ಆಗಸ್ಟ್ ഓഗ ഓഗസ്റ്റ് აგვისტო
        """,
        """
        iraila mean_fomhair medi mfomh rugsejis rugsejo rujan rujna sentyabr septembar septembra septembris \
        septembro setembre setyembre shtator meán_fómhair mfómh rugsėjis rugsėjo верасень верасня септембар қыркүйек \
        սեպտեմբերի أيلول ستمبر سپتامبر شتنبر सप्टें सप्टेंबर सेप्टेम्बर সেপ সেপ্ট সেপ্টেম্বর ਸਤੰ ਸਤੰਬਰ સપ્ટે \
        સપ્ટેમ્બર సెప్టెం సెప్టెంబర్ ಸೆಪ್ಟೆಂಬರ್ സെപ്റ്റം സെപ്റ്റംബർ სექტემბერი
        """,
        """
        deireadh_fomhair dfomh hydref oktobar oktobra oktobris oktobro oktoober oktubre oktyabr spalio spalis tetor \
        urria deireadh_fómhair dfómh októbra кастрычніка октобар қазан հոկտեմբերի اکتبر اکتوبر تشرين_الأول अक्टोबर \
        ऑक्टो ऑक्टोबर অক্টো অক্টোবর ਅਕਤੂਬਰ ઑક્ટો ઑક્ટોબર అక్టో అక్టోబర్ ಅಕ್ಟೋಬರ್ ഒക്ടോ ഒക്ടോബർ ოქტომბერი
        """,
        """
        azaroa lapkricio lapkritis nentor nobyembre novembar novembra novembris noyabr samhain studeni studenoga \
        tachwedd lapkričio nëntor nóvember лістапада новембар қараша նոյեմբերի تشرين_الثاني نوامبر نومبر نونبر \
        नोभेम्बर नोव्हें नोव्हेंबर নভে নভেম্বর ਨਵੰ ਨਵੰਬਰ નવે નવેમ્બર నవం నవంబర్ ನವೆಂ ನವೆಂಬರ್ നവം നവംബർ ნოემბერი
        """,
        """
        abendua decembar decembra decembris decembro dekabr desemba desembre detsember dhjetor disember disyembre \
        gruodis gruodzio nollaig prosinac prosinca rhagfyr gruodžio децембар желтоқсан снежань снежня դեկտեմբերի \
        دجنبر دسامبر دسمبر كانون_الأول डिसें डिसेंबर डिसेम्बर ডিসে ডিসেম্বর ਦਸੰ ਦਸੰਬਰ ડિસે ડિસેમ્બર డిసెం డిసెంబర్ \
        ಡಿಸೆಂ ಡಿಸೆಂಬರ್ ഡിസം ഡിസംബർ დეკემბერი
        """,
    ]
}
