import datetime as dt
import unittest
from decimal import Decimal

from ledger.accounts import AccountError, Chart, Kind
from ledger.journal import Journal, Posting, Transaction, Unbalanced


def transfer(day, amount, source="Assets:Bank", target="Expenses:Food"):
    return Transaction(
        date=dt.date(2024, 3, day),
        payee="Corner shop",
        postings=(Posting(source, -Decimal(amount)), Posting(target, Decimal(amount))),
    )


class JournalTest(unittest.TestCase):
    def setUp(self):
        self.chart = Chart()
        self.chart.open("Assets:Bank", Kind.ASSET)
        self.chart.open("Assets:Cash", Kind.ASSET)
        self.chart.open("Expenses:Food", Kind.EXPENSE)
        self.chart.open("Income:Salary", Kind.INCOME)
        self.journal = Journal(self.chart)

    def test_empty(self):
        self.assertEqual(len(self.journal), 0)
        self.assertEqual(self.journal.balance("Assets:Bank"), Decimal(0))

    def test_add_one(self):
        self.journal.add(transfer(1, "12.50"))
        self.assertEqual(len(self.journal), 1)
        self.assertEqual(self.journal.balance("Assets:Bank"), Decimal("-12.50"))
        self.assertEqual(self.journal.balance("Expenses:Food"), Decimal("12.50"))

    def test_add_two(self):
        self.journal.add(transfer(1, "12.50"))
        self.journal.add(transfer(2, "7.25"))
        self.assertEqual(len(self.journal), 2)
        self.assertEqual(self.journal.balance("Assets:Bank"), Decimal("-19.75"))
        self.assertEqual(self.journal.balance("Expenses:Food"), Decimal("19.75"))

    def test_keeps_order_of_dates(self):
        self.journal.add(transfer(9, "1"))
        self.journal.add(transfer(3, "2"))
        self.journal.add(transfer(6, "3"))
        days = [t.date.day for t in self.journal.since(dt.date.min)]
        self.assertEqual(days, [3, 6, 9])

    def test_unbalanced(self):
        broken = Transaction(
            date=dt.date(2024, 3, 1),
            payee="Typo",
            postings=(Posting("Assets:Bank", Decimal(-5)), Posting("Expenses:Food", Decimal(4))),
        )
        with self.assertRaises(Unbalanced) as caught:
            self.journal.add(broken)
        self.assertEqual(caught.exception.difference, Decimal(-1))

    def test_unknown_account(self):
        with self.assertRaises(AccountError):
            self.journal.add(transfer(1, "5", target="Expenses:Rent"))
        self.assertEqual(len(self.journal), 0)

    def test_closed_account(self):
        self.chart.close("Expenses:Food")
        with self.assertRaises(AccountError):
            self.journal.add(transfer(1, "5"))
        self.assertEqual(len(self.journal), 0)

    def test_between(self):
        for day in (1, 5, 10, 15, 20):
            self.journal.add(transfer(day, "1"))
        found = self.journal.between(dt.date(2024, 3, 5), dt.date(2024, 3, 15))
        self.assertEqual([t.date.day for t in found], [5, 10, 15])

    def test_before(self):
        for day in (1, 5, 10):
            self.journal.add(transfer(day, "1"))
        found = self.journal.before(dt.date(2024, 3, 10))
        self.assertEqual([t.date.day for t in found], [1, 5])

    def test_reversal(self):
        original = transfer(1, "30")
        self.journal.add(original)
        self.journal.add(original.reversed(dt.date(2024, 3, 2)))
        self.assertEqual(self.journal.balance("Assets:Bank"), Decimal(0))
        self.assertEqual(len(self.journal.tagged("reversal")), 1)


if __name__ == "__main__":
    unittest.main()
