import argparse
import sys
from datetime import date
from decimal import Decimal

from expenses.report import by_category, table
from expenses.store import Expense, Store


def main(argv=None):
    parser = argparse.ArgumentParser(prog="expenses")
    parser.add_argument("--file", default="expenses.csv")
    commands = parser.add_subparsers(dest="command", required=True)

    add = commands.add_parser("add", help="note an expense")
    add.add_argument("category")
    add.add_argument("amount", type=Decimal)
    add.add_argument("--note", default="")

    commands.add_parser("report", help="show what was spent, by category")

    args = parser.parse_args(argv)
    store = Store(args.file)
    if args.command == "add":
        store.add(Expense(date.today(), args.category, args.amount, args.note))
    else:
        print(table(by_category(store.all())))


if __name__ == "__main__":
    sys.exit(main())
