// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One post of a feed that the demo origin serves.
public struct DemoPost: Sendable, Hashable {
    /// The post's `guid` (RSS) or `id` (Atom): globally unique, and never changed.
    public var id: String
    public var title: String
    public var author: String
    public var link: String
    public var summary: String
    /// The time of publication, in seconds since 1970.
    public var published: Int

    public init(id: String, title: String, author: String, link: String, summary: String, published: Int) {
        self.id = id
        self.title = title
        self.author = author
        self.link = link
        self.summary = summary
        self.published = published
    }

    /// Returns the post with a given number, published at the time `published`, in seconds since 1970.
    ///
    /// The same number always gives the same title, author, link and summary.
    static func numbered(_ number: Int, published: Int) -> DemoPost {
        let subject = subjects[number % subjects.count]
        let angle = angles[(number / subjects.count + number) % angles.count]
        let part = number / (subjects.count * angles.count)
        let title = part == 0 ? "\(subject): \(angle)" : "\(subject): \(angle), part \(part + 1)"
        return DemoPost(
            id: "tag:tidings.example,2025:post-\(number)",
            title: title,
            author: authors[number % authors.count],
            link: "https://tidings.example/posts/\(number)",
            summary: "\(openings[number % openings.count]) Today: \(subject.lowercased()), seen from the side of "
                + "“\(angle)”. With <b>numbers</b>, two pictures & a question at the end.",
            published: published
        )
    }

    private static let subjects = [
        "Night trains", "The harbour library", "Rooftop gardens", "A radio made of scrap", "Sourdough",
        "The last lamplighter", "Paper maps", "Tide tables", "Bicycle couriers", "Winter markets", "Bees in the city",
    ]
    private static let angles = [
        "what we learned in a year", "a walk with those who do it", "the plan & the budget",
        "why it takes three attempts", "notes from the workshop", "a reader asks, we answer", "before and after",
    ]
    private static let authors = ["Mina Okafor", "Jonas Brandt", "Aoife Byrne", "Tomás Rivera", "Yuki Hart"]
    private static let openings = [
        "We went to look for ourselves.", "It began with a letter.", "The numbers surprised everybody.",
        "Some things are better done slowly.",
    ]
}
