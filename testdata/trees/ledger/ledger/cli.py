"""The command line."""

import argparse
import datetime as dt
import pathlib
import sys

from . import importer, reports
from .accounts import AccountError
from .journal import Journal, Unbalanced
from .storage import load_journal, save_journal


def parse_date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a date: {text!r} (write 2024-12-31)") from None


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ledger", description="Keep books in plain text.")
    parser.add_argument("-f", "--file", type=pathlib.Path, default=pathlib.Path("books.ledger"))
    parser.add_argument("-v", "--verbose", action="count", default=0)
    commands = parser.add_subparsers(dest="command", required=True)

    balance = commands.add_parser("balance", help="print the balance sheet")
    balance.add_argument("--date", type=parse_date, default=dt.date.today())
    balance.set_defaults(run=run_balance)

    income = commands.add_parser("income", help="print the income statement")
    income.add_argument("--from", dest="start", type=parse_date, required=True)
    income.add_argument("--to", dest="end", type=parse_date, default=dt.date.today())
    income.set_defaults(run=run_income)

    register = commands.add_parser("register", help="print the postings of an account")
    register.add_argument("account")
    register.set_defaults(run=run_register)

    imports = commands.add_parser("import", help="import a bank statement")
    imports.add_argument("statement", type=pathlib.Path)
    imports.add_argument("--format", choices=sorted(importer.FORMATS))
    imports.add_argument("--account", required=True)
    imports.set_defaults(run=run_import)

    close = commands.add_parser("close", help="close an account")
    close.add_argument("account")
    close.set_defaults(run=run_close)
    return parser


def run_balance(journal: Journal, args: argparse.Namespace) -> int:
    sys.stdout.write(reports.balance_sheet(journal, args.date))
    return 0


def run_income(journal: Journal, args: argparse.Namespace) -> int:
    if args.start > args.end:
        print("ledger: --from is after --to", file=sys.stderr)
        return 2
    sys.stdout.write(reports.income_statement(journal, args.start, args.end))
    return 0


def run_register(journal: Journal, args: argparse.Namespace) -> int:
    if args.account not in journal.chart:
        print(f"ledger: no account {args.account!r}", file=sys.stderr)
        return 1
    sys.stdout.write(reports.register(journal, args.account))
    return 0


def run_import(journal: Journal, args: argparse.Namespace) -> int:
    data = args.statement.read_bytes()
    fmt = importer.FORMATS.get(args.format) if args.format else importer.guess(data)
    if fmt is None:
        print("ledger: cannot tell the format, give --format", file=sys.stderr)
        return 2
    count = 0
    for entry in importer.read(data, fmt):
        print(f"{entry.date} {entry.amount:>12} {entry.text}")
        count += 1
    print(f"{count} entries for {args.account}", file=sys.stderr)
    return 0


def run_close(journal: Journal, args: argparse.Namespace) -> int:
    if journal.balance(args.account) != 0:
        print(f"ledger: {args.account} is not empty", file=sys.stderr)
        return 1
    journal.chart.close(args.account)
    save_journal(args.file, journal)
    return 0


def main(argv: list[str] | None = None) -> int:
    args = build_parser().parse_args(argv)
    try:
        journal = load_journal(args.file)
        return args.run(journal, args)
    except FileNotFoundError as error:
        print(f"ledger: {error.filename}: no such file", file=sys.stderr)
        return 2
    except (AccountError, Unbalanced, importer.FormatError) as error:
        print(f"ledger: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
