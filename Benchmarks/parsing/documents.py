# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Typical feeds, the same in every run."""
import html
import random

SIZE = 60 * 1024
ENGLISH = """the harbour light keeper writes about tides ropes knots charts weather lamps boats nets wind rain morning
evening quay stone bridge water salt engine signal flag bell""".split()
MIXED = ENGLISH + """Grüße Straße mañana café naïve Brücke Fähre “quoted” – it’s Москва море свет 東京 港 灯台 € 🧭""".split()


class Writer:
    def __init__(self, words):
        self.random = random.Random(20261121)
        self.words = words

    def sentence(self, least, most):
        count = self.random.randint(least, most)
        return " ".join(self.random.choice(self.words) for _ in range(count)).capitalize() + "."

    def body(self, number):
        paragraphs = []
        for _ in range(4):
            link = f'<a href="https://blog.example/see?post={number}&amp;from=feed">{self.sentence(3, 6)}</a>'
            paragraphs.append(f"<p>{self.sentence(12, 30)} {link} <em>{self.sentence(2, 4)}</em> {self.sentence(8, 16)}</p>")
        return "\n".join(paragraphs)


def rss(words=ENGLISH, size=SIZE):
    """Returns the RSS 2.0 feed of a blog, in the style of WordPress: about 30 posts of 2 KB."""
    writer = Writer(words)
    head = """<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:atom="http://www.w3.org/2005/Atom"
	xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
	xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
	>

<channel>
	<title>Harbour &amp; Light</title>
	<atom:link href="https://blog.example/feed/" rel="self" type="application/rss+xml" />
	<link>https://blog.example/</link>
	<description>Notes from the quay</description>
	<lastBuildDate>Sat, 21 Nov 2026 09:00:00 +0000</lastBuildDate>
	<language>en</language>
	<sy:updatePeriod>hourly</sy:updatePeriod>
	<sy:updateFrequency>1</sy:updateFrequency>
"""
    items, length, number = [], len(head.encode()), 0
    while length < size:
        number += 1
        text = f"""	<item>
		<title>{html.escape(writer.sentence(3, 8))} &#8211; {number}</title>
		<link>https://blog.example/2026/11/post-{number}/</link>
		<dc:creator><![CDATA[Ines Falk]]></dc:creator>
		<pubDate>Sat, {21 - number % 20:02d} Nov 2026 08:{number % 60:02d}:00 +0000</pubDate>
		<category><![CDATA[Harbour]]></category>
		<category><![CDATA[Light]]></category>
		<guid isPermaLink="false">https://blog.example/?p={number}</guid>
		<description><![CDATA[<p>{writer.sentence(20, 40)} [&#8230;]</p>]]></description>
		<content:encoded><![CDATA[{writer.body(number)}]]></content:encoded>
		<slash:comments>0</slash:comments>
	</item>
"""
        items.append(text)
        length += len(text.encode())
    return head + "".join(items) + "</channel>\n</rss>\n"


def atom(words=ENGLISH, size=SIZE):
    """Returns the Atom feed of a blog, with escaped HTML as most site generators write it."""
    writer = Writer(words)
    head = """<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title>
<link href="https://blog.example/feed.xml" rel="self"/><link href="https://blog.example/"/>
<updated>2026-11-21T09:00:00+00:00</updated><id>https://blog.example/</id><author><name>Ines Falk</name></author>
"""
    items, length, number = [], len(head.encode()), 0
    while length < size:
        number += 1
        text = f"""<entry><title type="html">{html.escape(writer.sentence(3, 8))}</title>
<link href="https://blog.example/post-{number}" rel="alternate" type="text/html" title="Post"/>
<published>2026-11-{21 - number % 20:02d}T08:{number % 60:02d}:00+00:00</published>
<updated>2026-11-{21 - number % 20:02d}T08:{number % 60:02d}:00+00:00</updated>
<id>https://blog.example/post-{number}</id><author><name>Ines Falk</name></author>
<summary type="html">{html.escape(writer.sentence(20, 40))}</summary>
<content type="html" xml:base="https://blog.example/post-{number}">{html.escape(writer.body(number))}</content></entry>
"""
        items.append(text)
        length += len(text.encode())
    return head + "".join(items) + "</feed>\n"


DOCUMENTS = {
    "RSS": (rss(), 1.0),
    "RSS, several scripts": (rss(MIXED), None),
    "Atom, escaped HTML": (atom(), None),
}
