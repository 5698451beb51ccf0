"""Sums expenses up."""

from collections import defaultdict


def by_category(expenses):
    """Maps each category to what was spent on it, the largest first."""
    totals = defaultdict(float)
    for e in expenses:
        totals[e.category] += float(e.amount)
    return dict(sorted(totals.items(), key=lambda item: -item[1]))


def table(totals):
    width = max((len(name) for name in totals), default=0)
    lines = [f"{name:<{width}}  {amount:>10.2f}" for name, amount in totals.items()]
    lines.append("-" * (width + 12))
    lines.append(f"{'total':<{width}}  {sum(totals.values()):>10.2f}")
    return "\n".join(lines)
