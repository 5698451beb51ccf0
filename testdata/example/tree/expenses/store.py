"""Keeps expenses in a CSV file, one a line: date, category, amount, note."""

import csv
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True)
class Expense:
    day: date
    category: str
    amount: Decimal
    note: str = ""


class Store:
    def __init__(self, path):
        self.path = Path(path)

    def add(self, expense):
        with self.path.open("a", newline="") as f:
            csv.writer(f).writerow(
                [expense.day.isoformat(), expense.category, expense.amount, expense.note]
            )

    def all(self):
        if not self.path.exists():
            return []
        with self.path.open(newline="") as f:
            return [
                Expense(date.fromisoformat(day), category, Decimal(amount), note)
                for day, category, amount, note in csv.reader(f)
            ]
