// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One post of a feed that the demo origin serves.
struct DemoPost: Sendable, Hashable {
    /// The post's `guid` (RSS) or `id` (Atom): globally unique, and never changed.
    var id: String
    var title: String
    var author: String
    var link: String
    var summary: String
    /// The time of publication, in seconds since 1970.
    var published: Int

    /// Returns the post with a given number, published at the time `published`, in seconds since 1970.
    ///
    /// The same number always gives the same title, author, link and summary.
    static func numbered(_ number: Int, published: Int) -> DemoPost {
        let (title, summary) = texts[number % texts.count]
        let part = number / texts.count
        return DemoPost(
            id: "tag:tidings.example,2025:post-\(number)",
            title: part == 0 ? title : "\(title), part \(part + 1)",
            author: authors[number % authors.count],
            link: "https://tidings.example/posts/\(number)",
            summary: summary,
            published: published
        )
    }

    private static let authors = ["Mina Okafor", "Jonas Brandt", "Aoife Byrne", "Tomás Rivera", "Yuki Hart"]
    /// The titles and the summaries of the posts; the summaries are HTML.
    private static let texts = [
        ("The harbour library opens on Sundays", "From March, the reading room is open from <b>10 to 16</b>."),
        ("New benches along the canal", "Twelve of them, made by the carpenters of the vocational school."),
        ("Night trains return to the central station", "Two a week at first, &amp; daily in summer."),
        ("A year of rooftop gardens", "What grew, what did not, and what we will plant next."),
        ("The winter market moves to the old town", "The stalls stay until the sixth of January."),
        ("Swimming lessons: places are left", "Courses for beginners begin after the holidays."),
        ("How the bakery on Mill Street makes its bread", "Flour, water, salt and <i>eighteen hours</i>."),
        ("Repair café: bring your lamp", "Volunteers help on the first Saturday of each month."),
        ("Tide tables for the coming month", "High water is earlier than usual in the second week."),
        ("A second bus line to the hospital", "Line 7 runs every twelve minutes on weekdays."),
        ("Choir looks for tenors", "No audition; rehearsals are on Tuesdays at seven."),
        ("The bees of the city hall", "Four hives gave 62 jars of honey this year."),
        ("Paper maps are back at the tourist office", "With the new paths along the river."),
        ("School kitchen gets a prize", "For soup that nobody leaves on the plate."),
        ("Street lights go out at one", "A trial in three quiet streets, until spring."),
        ("The ferry has a new timetable", "The first boat leaves at 6:10, the last at 22:40."),
        ("Trees for the square", "Eight lindens were planted on Friday."),
        ("Bicycle count: a record in October", "On one day, 4,812 people crossed the bridge."),
        ("Open day at the observatory", "If the sky is clear, Saturn can be seen after eight."),
        ("The puppet theatre plays again", "The first performance is sold out; the second is not."),
        ("Water mains are renewed in Garden Road", "Residents get a letter with the dates."),
        ("Chess club meets at the library", "Beginners are welcome &amp; boards are there."),
        ("A walk through the old mills", "Two hours, with a guide who worked in one."),
    ]
}
