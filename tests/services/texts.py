"""What a page says, to its readers and to screen readers, and what of it stayed English."""

import re

from playwright.sync_api import Page

# Texts of elements, and the attributes that are read aloud or shown by scripts. Keys and their
# signs are the same on every keyboard.
TEXTS = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (!holder.closest('script, style, kbd')) texts.push(walker.currentNode.textContent);
  }
  for (const element of document.querySelectorAll('*')) {
    for (const {name, value} of element.attributes) {
      if (/^(aria-label|title|placeholder|alt|data-.*)$/.test(name)) texts.push(value);
    }
  }
  return texts;
}"""
# What is written alike.
ALIKE = frozenset({"Text", "Link", "Error", "No", "base", "USD", "UTC"})
_WORD = re.compile(r"[A-Za-z]{2,}")


def texts_of(page: Page) -> set[str]:
    """Every text of the page in one line each."""
    return {" ".join(text.split()) for text in page.evaluate(TEXTS)}


def english_left(english: set[str], translated: set[str], own: str) -> set[str]:
    """Texts of the English page that the translated one has too, but for `own`, the study's."""
    return {text for text in english & translated if _is_said(text) and text not in own}


def _is_said(text: str) -> bool:
    """Whether these are words for people: a value for a script, such as `labels`, has no blank and
    no capital. A link is no words."""
    words = set(_WORD.findall(text)) - ALIKE
    return bool(words) and "://" not in text and re.search(r"[A-Z]|\w \w", text) is not None
