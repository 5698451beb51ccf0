"""Transactions, and the journal that holds them in order of date."""

from __future__ import annotations

import bisect
import dataclasses
import datetime as dt
import logging
from decimal import Decimal

from .accounts import AccountError, Chart

logger = logging.getLogger(__name__)


class Unbalanced(Exception):
    def __init__(self, difference: Decimal) -> None:
        super().__init__(f"transaction is off by {difference}")
        self.difference = difference


@dataclasses.dataclass(frozen=True)
class Posting:
    account: str
    amount: Decimal
    currency: str = "EUR"
    memo: str = ""

    def negated(self) -> Posting:
        return dataclasses.replace(self, amount=-self.amount)


@dataclasses.dataclass(frozen=True)
class Transaction:
    date: dt.date
    payee: str
    postings: tuple[Posting, ...]
    tags: frozenset[str] = frozenset()

    def check(self) -> None:
        sums: dict[str, Decimal] = {}
        for posting in self.postings:
            sums[posting.currency] = sums.get(posting.currency, Decimal(0)) + posting.amount
        for difference in sums.values():
            if difference != 0:
                raise Unbalanced(difference)

    def reversed(self, date: dt.date) -> Transaction:
        return Transaction(
            date=date,
            payee=f"Reversal of {self.payee}",
            postings=tuple(p.negated() for p in self.postings),
            tags=self.tags | {"reversal"},
        )


class Journal:
    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self._dates: list[dt.date] = []
        self._transactions: list[Transaction] = []

    def __len__(self) -> int:
        return len(self._transactions)

    def add(self, transaction: Transaction) -> None:
        transaction.check()
        for posting in transaction.postings:
            account = self.chart.get(posting.account)
            if account.closed:
                raise AccountError(f"account {account.name!r} is closed")
            if account.currency != posting.currency:
                raise AccountError(f"account {account.name!r} is kept in {account.currency}")
        index = bisect.bisect_right(self._dates, transaction.date)
        self._dates.insert(index, transaction.date)
        self._transactions.insert(index, transaction)
        logger.debug("added %s at %d", transaction.payee, index)

    def between(self, start: dt.date, end: dt.date) -> list[Transaction]:
        first = bisect.bisect_left(self._dates, start)
        last = bisect.bisect_right(self._dates, end)
        return self._transactions[first:last]

    def before(self, date: dt.date) -> list[Transaction]:
        last = bisect.bisect_left(self._dates, date)
        return self._transactions[:last]

    def since(self, date: dt.date) -> list[Transaction]:
        first = bisect.bisect_left(self._dates, date)
        return self._transactions[first:]

    def balance(self, name: str, date: dt.date | None = None) -> Decimal:
        total = Decimal(0)
        transactions = self._transactions if date is None else self.before(date)
        for transaction in transactions:
            for posting in transaction.postings:
                if posting.account == name:
                    total += posting.amount
        return total

    def balances(self, date: dt.date | None = None) -> dict[str, Decimal]:
        totals: dict[str, Decimal] = {}
        transactions = self._transactions if date is None else self.before(date)
        for transaction in transactions:
            for posting in transaction.postings:
                totals[posting.account] = totals.get(posting.account, Decimal(0)) + posting.amount
        return totals

    def payees(self) -> list[str]:
        seen: dict[str, None] = {}
        for transaction in self._transactions:
            seen[transaction.payee] = None
        return list(seen)

    def tagged(self, tag: str) -> list[Transaction]:
        return [t for t in self._transactions if tag in t.tags]
