"""Reports as plain text tables."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from .accounts import Kind
from .journal import Journal


def money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


class Table:
    def __init__(self, *titles: str) -> None:
        self.titles = titles
        self.rows: list[tuple[str, ...]] = []

    def add(self, *cells: str) -> None:
        if len(cells) != len(self.titles):
            raise ValueError(f"{len(cells)} cells for {len(self.titles)} columns")
        self.rows.append(cells)

    def rule(self) -> None:
        self.rows.append(tuple("" for _ in self.titles))

    def render(self) -> str:
        widths = [len(title) for title in self.titles]
        for row in self.rows:
            for i, cell in enumerate(row):
                widths[i] = max(widths[i], len(cell))
        lines = ["  ".join(t.ljust(w) for t, w in zip(self.titles, widths)).rstrip()]
        lines.append("  ".join("_" * w for w in widths))
        for row in self.rows:
            first, *rest = row
            cells = [first.ljust(widths[0])]
            cells += [c.rjust(w) for c, w in zip(rest, widths[1:])]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines) + "\n"


def balance_sheet(journal: Journal, date: dt.date) -> str:
    totals = journal.chart.roll_up(journal.balances(date))
    table = Table("Account", "Balance")
    for kind in (Kind.ASSET, Kind.LIABILITY, Kind.EQUITY):
        subtotal = Decimal(0)
        for account in journal.chart:
            if account.kind is not kind or account.name not in totals:
                continue
            amount = totals[account.name]
            table.add("  " * account.depth + account.name, money(amount))
            if account.depth == 0:
                subtotal += amount
        table.add(f"Total {kind.value}", money(subtotal))
        table.rule()
    return table.render()


def income_statement(journal: Journal, start: dt.date, end: dt.date) -> str:
    sums: dict[str, Decimal] = {}
    for transaction in journal.between(start, end):
        for posting in transaction.postings:
            sums[posting.account] = sums.get(posting.account, Decimal(0)) + posting.amount
    totals = journal.chart.roll_up(sums)
    table = Table("Account", "Amount")
    for kind in (Kind.INCOME, Kind.EXPENSE):
        subtotal = Decimal(0)
        for account in journal.chart:
            if account.kind is not kind or account.name not in totals:
                continue
            amount = totals[account.name]
            table.add("  " * account.depth + account.name, money(amount))
            if account.depth == 0:
                subtotal += amount
        table.add(f"Total {kind.value}", money(subtotal))
        table.rule()
    return table.render()


def register(journal: Journal, name: str) -> str:
    table = Table("Date", "Payee", "Amount", "Balance")
    balance = Decimal(0)
    for transaction in journal.since(dt.date.min):
        for posting in transaction.postings:
            if posting.account != name:
                continue
            balance += posting.amount
            table.add(
                transaction.date.isoformat(),
                transaction.payee,
                money(posting.amount),
                money(balance),
            )
    return table.render()


def monthly(journal: Journal, name: str, year: int) -> str:
    table = Table("Month", "Debit", "Credit", "Net")
    for month in range(1, 13):
        start = dt.date(year, month, 1)
        end = dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)
        debit = credit = Decimal(0)
        for transaction in journal.between(start, end):
            for posting in transaction.postings:
                if posting.account != name:
                    continue
                if posting.amount > 0:
                    debit += posting.amount
                else:
                    credit -= posting.amount
        table.add(start.strftime("%b"), money(debit), money(credit), money(debit - credit))
    return table.render()
