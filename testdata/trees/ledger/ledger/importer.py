"""Read bank statements in the formats that banks really send."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import io
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation


@dataclasses.dataclass
class Entry:
    date: dt.date
    text: str
    amount: Decimal
    reference: str = ""


class FormatError(ValueError):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


def german_amount(text: str) -> Decimal:
    return Decimal(text.replace(".", "").replace(",", "."))


def english_amount(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def swiss_amount(text: str) -> Decimal:
    return Decimal(text.replace("'", ""))


def german_date(text: str) -> dt.date:
    return dt.datetime.strptime(text, "%d.%m.%Y").date()


def english_date(text: str) -> dt.date:
    return dt.datetime.strptime(text, "%d/%m/%Y").date()


def iso_date(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


@dataclasses.dataclass(frozen=True)
class Format:
    name: str
    delimiter: str
    skip: int
    date_column: int
    text_column: int
    amount_column: int
    date: Callable[[str], dt.date]
    amount: Callable[[str], Decimal]
    encoding: str = "utf-8"


SPARKASSE = Format(
    name="sparkasse",
    delimiter=";",
    skip=1,
    date_column=1,
    text_column=4,
    amount_column=14,
    date=german_date,
    amount=german_amount,
    encoding="latin-1",
)

POSTFINANCE = Format(
    name="postfinance",
    delimiter=";",
    skip=6,
    date_column=0,
    text_column=1,
    amount_column=2,
    date=german_date,
    amount=swiss_amount,
)

BARCLAYS = Format(
    name="barclays",
    delimiter=",",
    skip=1,
    date_column=1,
    text_column=5,
    amount_column=3,
    date=english_date,
    amount=english_amount,
)

WISE = Format(
    name="wise",
    delimiter=",",
    skip=1,
    date_column=1,
    text_column=4,
    amount_column=2,
    date=iso_date,
    amount=english_amount,
)

FORMATS = {f.name: f for f in (SPARKASSE, POSTFINANCE, BARCLAYS, WISE)}


def read(data: bytes, fmt: Format) -> Iterable[Entry]:
    text = data.decode(fmt.encoding)
    reader = csv.reader(io.StringIO(text), delimiter=fmt.delimiter)
    for number, row in enumerate(reader, start=1):
        if number <= fmt.skip or not row:
            continue
        try:
            yield Entry(
                date=fmt.date(row[fmt.date_column].strip()),
                text=" ".join(row[fmt.text_column].split()),
                amount=fmt.amount(row[fmt.amount_column].strip()),
            )
        except IndexError:
            raise FormatError(number, f"only {len(row)} columns") from None
        except InvalidOperation:
            raise FormatError(number, f"not an amount: {row[fmt.amount_column]!r}") from None
        except ValueError as error:
            raise FormatError(number, str(error)) from error


def guess(data: bytes) -> Format | None:
    """Return the only format that reads the data without an error."""
    fitting = []
    for fmt in FORMATS.values():
        try:
            entries = list(read(data, fmt))
        except (FormatError, UnicodeDecodeError):
            continue
        if entries:
            fitting.append(fmt)
    return fitting[0] if len(fitting) == 1 else None
