"""Keep a journal in one text file, written in full and replaced at once."""

from __future__ import annotations

import datetime as dt
import os
import pathlib
import tempfile
from decimal import Decimal

from .accounts import Chart, Kind
from .journal import Journal, Posting, Transaction


class ParseError(Exception):
    def __init__(self, path: pathlib.Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line


def load_journal(path: pathlib.Path) -> Journal:
    chart = Chart()
    journal = Journal(chart)
    date: dt.date | None = None
    payee = ""
    tags: set[str] = set()
    postings: list[Posting] = []

    def finish() -> None:
        nonlocal date
        if date is not None:
            journal.add(Transaction(date, payee, tuple(postings), frozenset(tags)))
        date = None
        tags.clear()
        postings.clear()

    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                finish()
            elif text.startswith("open "):
                finish()
                _, name, kind, *rest = text.split()
                try:
                    chart.open(name, Kind(kind), *rest)
                except ValueError as error:
                    raise ParseError(path, number, str(error)) from error
            elif text.startswith("close "):
                finish()
                _, name = text.split()
                chart.close(name)
            elif line[0] not in " \t":
                finish()
                day, _, payee = text.partition(" ")
                try:
                    date = dt.date.fromisoformat(day)
                except ValueError:
                    raise ParseError(path, number, f"not a date: {day!r}") from None
            elif text.startswith(";"):
                tags.update(word[1:] for word in text.split() if word.startswith("+"))
            else:
                name, amount, *memo = text.split(maxsplit=2)
                postings.append(Posting(name, Decimal(amount), memo=" ".join(memo)))
    finish()
    return journal


def save_journal(path: pathlib.Path, journal: Journal) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            for account in journal.chart:
                out.write(f"open {account.name} {account.kind.value} {account.currency}\n")
            for transaction in journal.since(dt.date.min):
                out.write(f"\n{transaction.date.isoformat()} {transaction.payee}\n")
                if transaction.tags:
                    words = " ".join("+" + tag for tag in sorted(transaction.tags))
                    out.write(f"    ; {words}\n")
                for posting in transaction.postings:
                    out.write(f"    {posting.account}  {posting.amount}  {posting.memo}".rstrip() + "\n")
            for account in journal.chart:
                if account.closed:
                    out.write(f"close {account.name}\n")
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
