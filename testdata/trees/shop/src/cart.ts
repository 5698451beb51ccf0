import { Money, addMoney, scaleMoney, zeroMoney } from './money';
import { Product, ProductId } from './catalog';
import { Coupon, CouponError, findCoupon } from './coupons';
import type { Logger } from './logger';

export interface CartLine {
  productId: ProductId;
  name: string;
  unitPrice: Money;
  quantity: number;
  giftWrap: boolean;
}

export interface CartTotals {
  subtotal: Money;
  discount: Money;
  shipping: Money;
  tax: Money;
  total: Money;
}

export interface CartOptions {
  currency: string;
  taxRate: number;
  freeShippingFrom: number;
  maxLines: number;
}

const defaultOptions: CartOptions = {
  currency: 'EUR',
  taxRate: 0.19,
  freeShippingFrom: 5000,
  maxLines: 100,
};

export class CartError extends Error {
  constructor(message: string, readonly code: string) {
    super(message);
    this.name = 'CartError';
  }
}

export class Cart {
  private readonly lines: CartLine[] = [];
  private readonly options: CartOptions;
  private coupon: Coupon | null = null;

  constructor(private readonly logger: Logger, options: Partial<CartOptions> = {}) {
    this.options = { ...defaultOptions, ...options };
  }

  get size(): number {
    return this.lines.reduce((sum, line) => sum + line.quantity, 0);
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  addProduct(product: Product, quantity = 1): CartLine {
    if (quantity <= 0) {
      throw new CartError(`cannot add ${quantity} of ${product.name}`, 'bad-quantity');
    }
    const existing = this.lines.find((line) => line.productId === product.id);
    if (existing) {
      existing.quantity += quantity;
      this.logger.debug('cart: increased', { id: product.id, quantity: existing.quantity });
      return existing;
    }
    if (this.lines.length >= this.options.maxLines) {
      throw new CartError('the cart is full', 'cart-full');
    }
    const line: CartLine = {
      productId: product.id,
      name: product.name,
      unitPrice: product.price,
      quantity,
      giftWrap: false,
    };
    this.lines.push(line);
    this.logger.debug('cart: added', { id: product.id, quantity });
    return line;
  }

  removeProduct(id: ProductId): boolean {
    const index = this.lines.findIndex((line) => line.productId === id);
    if (index < 0) {
      return false;
    }
    this.lines.splice(index, 1);
    this.logger.debug('cart: removed', { id });
    return true;
  }

  setQuantity(id: ProductId, quantity: number): void {
    const line = this.lines.find((line) => line.productId === id);
    if (!line) {
      throw new CartError(`no line for product ${id}`, 'no-such-line');
    }
    if (quantity === 0) {
      this.removeProduct(id);
      return;
    }
    line.quantity = quantity;
  }

  setGiftWrap(id: ProductId, giftWrap: boolean): void {
    const line = this.lines.find((line) => line.productId === id);
    if (!line) {
      throw new CartError(`no line for product ${id}`, 'no-such-line');
    }
    line.giftWrap = giftWrap;
  }

  applyCoupon(code: string, now: Date): Coupon {
    const coupon = findCoupon(code);
    if (coupon.expires && coupon.expires < now) {
      throw new CouponError(`coupon ${code} expired`, 'expired');
    }
    if (this.subtotal().amount < coupon.minimum) {
      throw new CouponError(`coupon ${code} needs a larger cart`, 'too-small');
    }
    this.coupon = coupon;
    return coupon;
  }

  clearCoupon(): void {
    this.coupon = null;
  }

  subtotal(): Money {
    let sum = zeroMoney(this.options.currency);
    for (const line of this.lines) {
      sum = addMoney(sum, scaleMoney(line.unitPrice, line.quantity));
    }
    return sum;
  }

  totals(): CartTotals {
    const subtotal = this.subtotal();
    const discount = this.coupon
      ? scaleMoney(subtotal, this.coupon.percent / 100)
      : zeroMoney(this.options.currency);
    const reduced = addMoney(subtotal, scaleMoney(discount, -1));
    const shipping = this.shippingFor(reduced);
    const tax = scaleMoney(addMoney(reduced, shipping), this.options.taxRate);
    return {
      subtotal,
      discount,
      shipping,
      tax,
      total: addMoney(addMoney(reduced, shipping), tax),
    };
  }

  private shippingFor(reduced: Money): Money {
    if (reduced.amount >= this.options.freeShippingFrom) {
      return zeroMoney(this.options.currency);
    }
    if (this.lines.some((line) => line.giftWrap)) {
      return { amount: 790, currency: this.options.currency };
    }
    return { amount: 490, currency: this.options.currency };
  }

  toJSON(): object {
    return {
      lines: this.lines,
      coupon: this.coupon?.code ?? null,
      totals: this.totals(),
    };
  }
}
