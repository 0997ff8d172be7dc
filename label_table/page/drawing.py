"""A figure and its interval as a small drawing (SVG)."""

from agreement import Estimate

_WIDTH, _HEIGHT, _EDGE = 160, 16, 6


def interval_drawing(estimate: Estimate, name: str) -> str:
    """A line with a point on it, from -1 or 0 to 1; nothing for what does not lie there."""
    value = estimate.value
    ends = [end for end in (estimate.low, estimate.high) if end is not None]
    if value is None or any(not -1 <= each <= 1 for each in (value, *ends)):
        return ""
    least = -1.0 if min(value, *ends, 0.0) < 0 else 0.0

    def at(number: float) -> float:
        return round(_EDGE + (number - least) / (1 - least) * (_WIDTH - 2 * _EDGE), 1)

    middle = _HEIGHT // 2
    lines = [f'<line class="axis" x1="{at(least)}" y1="{middle}" x2="{at(1)}" y2="{middle}"/>']
    if len(ends) == 2:
        low, high = map(at, ends)
        lines.append(f'<line class="span" x1="{low}" y1="{middle}" x2="{high}" y2="{middle}"/>')
    lines.append(f'<circle cx="{at(value)}" cy="{middle}" r="3.5"/>')
    return (
        f'<svg role="img" aria-label="{name} on a line from {least:g} to 1" width="{_WIDTH}" '
        f'height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}">{"".join(lines)}</svg>'
    )
