"""A figure as part of a page: an SVG in the page's own colours that clashes with no other one.

The security policy of the pages forbids styles within them, so colours are attributes that name
the page's colours: one figure serves light and dark pages alike.
"""

import re

from results.figures.drawing import INKS, STEPS, Theme

# A figure of more characters is linked as an image: docs/decisions/0013.
LARGEST = 100_000
NUMBER = re.compile(r"-?\d+\.\d{3,}")
# Colours that stand for those of the page until a figure is drawn, each a different one and none
# black, which SVG leaves out.
_INK, _LINE, _PARTY, _MORE, _LESS = "#00000{}", "#00010{}", "#00020{}", "#0003{:02x}", "#0004{:02x}"
PAGE = Theme(
    ink=_INK.format(1),
    line=_LINE.format(0),
    parties=tuple(_PARTY.format(at) for at in range(INKS)),
    shades_up=tuple(_MORE.format(at) for at in range(STEPS)),
    shades_down=tuple(_LESS.format(at) for at in range(STEPS)),
)


def inline(svg: str, name: str) -> str:
    """The drawn SVG as an element of a page. name: begins all of its ids."""
    svg = svg[svg.index("<svg ") :]
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (width|height)="[^"]*pt"| xmlns(:xlink)?="[^"]*"| version="[^"]*"', "", svg)
    svg = re.sub(r' d="([^"]*)"', lambda found: f' d="{_short(found.group(1))}"', svg)
    svg = re.sub(r"<[^>]*>", lambda found: NUMBER.sub(_rounded, found.group()), svg)
    svg = _own_ids(svg.replace("xlink:href", "href"), name)
    svg = re.sub(r'"#000[0-4][0-9a-f]{2}"', lambda found: _colour(found.group()), svg)
    return re.sub(r">\s+<", "><", svg).strip()


def _short(path: str) -> str:
    """Letters need no spaces around them."""
    return re.sub(r" ?([A-Za-z]) ?", r"\1", " ".join(path.split()))


def _rounded(found: re.Match[str]) -> str:
    """A hundredth of a point is seen by nobody; below one, numbers may be factors."""
    number = float(found.group())
    text = f"{number:.2f}" if abs(number) >= 1 else f"{number:.4f}"
    return text.rstrip("0").rstrip(".")


def _own_ids(svg: str, name: str) -> str:
    """Ids under a name of their own; those that nothing points to are dropped."""
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    used |= {one for found in re.findall(r'aria-\w+="([^"]*)"', svg) for one in found.split()}

    def renamed(found: re.Match[str]) -> str:
        return f' id="{name}-{found.group(1)}"' if found.group(1) in used else ""

    svg = re.sub(r' id="([^"]*)"', renamed, svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", svg)
    return re.sub(r'(aria-\w+by)="([^"]*)"', rf'\1="{name}-\2"', svg)


def _colour(quoted: str) -> str:
    """The page's colour for one that stands for it; shades are that colour made thinner."""
    kind, at = int(quoted[5]), int(quoted[6:8], 16)
    if kind <= 1:
        return f'"var(--figure-{("ink", "line")[kind]})"'
    if kind == 2:
        return f'"var(--figure-{at + 1})"'
    share = (at + 0.5) / STEPS
    return f'"var(--figure-{"most" if kind == 3 else "least"})" fill-opacity="{share:.2f}"'
