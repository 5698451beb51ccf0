/** An amount in the smallest unit of its currency, such as cents. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

export class CurrencyMismatch extends Error {
  constructor(left: Money, right: Money) {
    super(`cannot combine ${left.currency} with ${right.currency}`);
    this.name = 'CurrencyMismatch';
  }
}

export function zeroMoney(currency: string): Money {
  return { amount: 0, currency };
}

export function addMoney(left: Money, right: Money): Money {
  if (left.currency !== right.currency) {
    throw new CurrencyMismatch(left, right);
  }
  return { amount: left.amount + right.amount, currency: left.currency };
}

export function subtractMoney(left: Money, right: Money): Money {
  if (left.currency !== right.currency) {
    throw new CurrencyMismatch(left, right);
  }
  return { amount: left.amount - right.amount, currency: left.currency };
}

export function scaleMoney(money: Money, factor: number): Money {
  return { amount: Math.round(money.amount * factor), currency: money.currency };
}

export function compareMoney(left: Money, right: Money): number {
  if (left.currency !== right.currency) {
    throw new CurrencyMismatch(left, right);
  }
  return Math.sign(left.amount - right.amount);
}

/** Splits an amount into n parts that differ by one unit at most and add up to the whole. */
export function splitMoney(money: Money, parts: number): Money[] {
  const base = Math.floor(money.amount / parts);
  let rest = money.amount - base * parts;
  const result: Money[] = [];
  for (let i = 0; i < parts; i++) {
    const extra = rest > 0 ? 1 : 0;
    rest -= extra;
    result.push({ amount: base + extra, currency: money.currency });
  }
  return result;
}

const symbols: Record<string, string> = {
  EUR: '€',
  USD: '$',
  GBP: '£',
  JPY: '¥',
  CHF: 'Fr.',
  SEK: 'kr',
  PLN: 'zł',
};

const digits: Record<string, number> = {
  EUR: 2,
  USD: 2,
  GBP: 2,
  JPY: 0,
  CHF: 2,
  SEK: 2,
  PLN: 2,
};

export function formatMoney(money: Money): string {
  const places = digits[money.currency] ?? 2;
  const symbol = symbols[money.currency] ?? money.currency;
  const value = money.amount / 10 ** places;
  return `${symbol} ${value.toFixed(places)}`;
}

export function parseMoney(text: string, currency: string): Money {
  const places = digits[currency] ?? 2;
  const value = Number(text.replace(/[^0-9.,-]/g, '').replace(',', '.'));
  if (Number.isNaN(value)) {
    throw new TypeError(`not an amount: "${text}"`);
  }
  return { amount: Math.round(value * 10 ** places), currency };
}
