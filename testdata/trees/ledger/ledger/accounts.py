"""Accounts of a double-entry ledger and the tree they form."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Iterator
from decimal import Decimal

NAME = re.compile(r"^[A-Z][\w-]*(:[\w-]+)*$")


class Kind(enum.Enum):
    ASSET = "asset"
    LIABILITY = "liability"
    EQUITY = "equity"
    INCOME = "income"
    EXPENSE = "expense"


class AccountError(Exception):
    """An account is unknown, closed or badly named."""


@dataclasses.dataclass
class Account:
    name: str
    kind: Kind
    currency: str = "EUR"
    closed: bool = False
    notes: list[str] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        if not NAME.match(self.name):
            raise AccountError(f"bad account name {self.name!r}")

    @property
    def parent(self) -> str | None:
        head, sep, _ = self.name.rpartition(":")
        return head if sep else None

    @property
    def depth(self) -> int:
        return self.name.count(":")

    def is_debit(self) -> bool:
        return self.kind in (Kind.ASSET, Kind.EXPENSE)

    def is_credit(self) -> bool:
        return self.kind in (Kind.LIABILITY, Kind.EQUITY, Kind.INCOME)


class Chart:
    """All accounts, by name."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}

    def __len__(self) -> int:
        return len(self._accounts)

    def __iter__(self) -> Iterator[Account]:
        return iter(sorted(self._accounts.values(), key=lambda a: a.name))

    def __contains__(self, name: str) -> bool:
        return name in self._accounts

    def open(self, name: str, kind: Kind, currency: str = "EUR") -> Account:
        if name in self._accounts:
            raise AccountError(f"account {name!r} exists")
        account = Account(name, kind, currency)
        if account.parent is not None and account.parent not in self._accounts:
            self.open(account.parent, kind, currency)
        self._accounts[name] = account
        return account

    def close(self, name: str) -> Account:
        account = self.get(name)
        if account.closed:
            raise AccountError(f"account {name!r} is closed")
        for child in self.children(name):
            if not child.closed:
                raise AccountError(f"account {name!r} has open children")
        account.closed = True
        return account

    def reopen(self, name: str) -> Account:
        account = self.get(name)
        if not account.closed:
            raise AccountError(f"account {name!r} is open")
        account.closed = False
        return account

    def get(self, name: str) -> Account:
        try:
            return self._accounts[name]
        except KeyError:
            raise AccountError(f"no account {name!r}") from None

    def children(self, name: str) -> list[Account]:
        prefix = name + ":"
        return [a for a in self if a.name.startswith(prefix)]

    def rename(self, old: str, new: str) -> None:
        account = self.get(old)
        if new in self._accounts:
            raise AccountError(f"account {new!r} exists")
        for child in self.children(old):
            del self._accounts[child.name]
            child.name = new + child.name[len(old):]
            self._accounts[child.name] = child
        del self._accounts[old]
        account.name = new
        self._accounts[new] = account

    def roll_up(self, balances: dict[str, Decimal]) -> dict[str, Decimal]:
        """Add each account's balance to all accounts above it."""
        total: dict[str, Decimal] = {}
        for name, amount in balances.items():
            current: str | None = name
            while current is not None:
                total[current] = total.get(current, Decimal(0)) + amount
                current = self.get(current).parent
        return total
