# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""The text lines of the page are those of the pictures."""
import urllib.request
import xml.etree.ElementTree as xml
from .browser import Browser
from .scene import choose, expect, quiet, settle
from .stage import DEMO, Stage

SVG = "{http://www.w3.org/2000/svg}"
# Points: the layout gives widths in halves, and browsers round the baseline to whole pixels of the font's metrics.
PLACE_TOLERANCE = 0.75
WIDTH_TOLERANCE = 1.0


def svg_lines(text):
    """Returns (text, left edge, baseline, width) of each line of an SVG."""
    lines = []
    for node in xml.fromstring(text).iter(f"{SVG}text"):
        lines.append((node.text, float(node.get("x")), float(node.get("y")), float(node.get("textLength"))))
    return lines


# Lines of a card: text, left edge, baseline by a probe of no height, and the width of the glyphs.
CARD_LINES = """
const surface = document.querySelector(`[data-widget="${arguments[0]}"] .surface`);
const origin = surface.getBoundingClientRect();
return [...surface.querySelectorAll('.line')].map((line) => {
  const range = document.createRange(); range.selectNodeContents(line);
  const box = range.getBoundingClientRect();
  const probe = document.createElement('span');
  probe.style.cssText = 'display:inline-block;width:0;height:0';
  line.prepend(probe);
  const baseline = probe.getBoundingClientRect().bottom - origin.top;
  probe.remove();
  return [line.textContent, box.left - origin.left, baseline, box.width];
});
"""


def compare(stage, browser, widget, query=""):
    display = browser.run("return document.querySelector(`[data-widget=\"${arguments[0]}\"] .surface`).dataset.display", widget)
    with urllib.request.urlopen(f"{stage.address}/widgets/{widget}/{display}.svg{query}", timeout=20) as answer:
        wanted = svg_lines(answer.read().decode())
    # Fonts of other scripts are loaded when their first text is drawn.
    browser.until("document.fonts.status === 'loaded'", "the fonts are not loaded")
    found = browser.run(CARD_LINES, widget)
    expect([line[0] for line in found] == [line[0] for line in wanted],
           f"{widget} on {display}: the lines are {[line[0] for line in found]}, not {[line[0] for line in wanted]}")
    for (text, x, baseline, width), (_, wanted_x, wanted_baseline, wanted_width) in zip(found, wanted):
        places = f"{widget} on {display}: '{text}' is at {x:.2f}, {baseline:.2f} with {width:.2f}, not at {wanted_x}, {wanted_baseline} with {wanted_width}"
        expect(abs(x - wanted_x) <= PLACE_TOLERANCE and abs(baseline - wanted_baseline) <= PLACE_TOLERANCE
               and abs(width - wanted_width) <= WIDTH_TOLERANCE, places)
    return len(wanted)


# Text sizes and directions that the toolbar offers: as configured, and the ends of the scale.
SIZES = ["", "extraSmall", "accessibilityExtraExtraExtraLarge"]
DIRECTIONS = ["leftToRight", "rightToLeft"]


def lines(build):
    """The text lines of the page are those of the SVG, at the same places, on every device, at each text size and direction."""
    displays = """
  phone: {family: today}
  classic: {family: todayClassic}
  "320": {family: today, width: 304}
  large: {family: today, contentSizeCategory: accessibilityMedium}
  pad: {family: today, width: 414}
  rtl: {family: today, locale: ar}
"""
    with Stage(build, displays=displays, interval="1h") as stage, Browser(height=2000) as browser:
        settle(stage, browser)
        count = 0
        for device in browser.run("return [...document.getElementById('device').options].map((o) => o.value)"):
            choose(browser, "device", device)
            for size in SIZES:
                for direction in DIRECTIONS:
                    choose(browser, "size", size)
                    choose(browser, "direction", direction)
                    query = "&".join(([f"textSize={size}"] if size else []) + [f"direction={direction}"])
                    # The largest text makes cards so high that some are out of view, where nothing is drawn.
                    browser.look(1440, 6000)
                    browser.until(
                        f"document.querySelectorAll('.surface').length === {len(DEMO)} && [...document.querySelectorAll('.surface')]"
                        f".every((s) => s.dataset.display?.startsWith('{device}') && s.dataset.variant === '{query}')",
                        f"{device} with {query} is not shown")
                    count += sum(compare(stage, browser, widget, f"?{query}") for widget in DEMO)
        quiet(browser)
        return f"{count} lines"
