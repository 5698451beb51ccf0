import { describe, expect, it, beforeEach } from 'vitest';
import { Cart, CartError } from '../src/cart';
import { quietLogger } from './quiet';

const tea = { id: 'p1', name: 'Green tea', description: '', price: { amount: 450, currency: 'EUR' }, stock: 10, tags: [] };
const mug = { id: 'p2', name: 'Blue mug', description: '', price: { amount: 1290, currency: 'EUR' }, stock: 3, tags: [] };

describe('Cart', () => {
  let cart: Cart;

  beforeEach(() => {
    cart = new Cart(quietLogger());
  });

  it('starts empty', () => {
    expect(cart.isEmpty).toBe(true);
    expect(cart.size).toBe(0);
    expect(cart.subtotal().amount).toBe(0);
  });

  it('adds a product once', () => {
    cart.addProduct(tea);
    expect(cart.isEmpty).toBe(false);
    expect(cart.size).toBe(1);
    expect(cart.subtotal().amount).toBe(450);
  });

  it('adds a product twice', () => {
    cart.addProduct(tea);
    cart.addProduct(tea);
    expect(cart.size).toBe(2);
    expect(cart.subtotal().amount).toBe(900);
  });

  it('adds several products', () => {
    cart.addProduct(tea, 2);
    cart.addProduct(mug, 1);
    expect(cart.size).toBe(3);
    expect(cart.subtotal().amount).toBe(2190);
  });

  it('refuses a quantity of zero', () => {
    expect(() => cart.addProduct(tea, 0)).toThrow(CartError);
    expect(cart.isEmpty).toBe(true);
  });

  it('refuses a negative quantity', () => {
    expect(() => cart.addProduct(tea, -1)).toThrow(CartError);
    expect(cart.isEmpty).toBe(true);
  });

  it('removes a product', () => {
    cart.addProduct(tea);
    cart.addProduct(mug);
    expect(cart.removeProduct('p1')).toBe(true);
    expect(cart.size).toBe(1);
    expect(cart.subtotal().amount).toBe(1290);
  });

  it('does not remove what is not there', () => {
    cart.addProduct(tea);
    expect(cart.removeProduct('p2')).toBe(false);
    expect(cart.size).toBe(1);
  });

  it('drops a line when its quantity becomes zero', () => {
    cart.addProduct(tea, 3);
    cart.setQuantity('p1', 0);
    expect(cart.isEmpty).toBe(true);
  });

  it('charges shipping below the limit', () => {
    cart.addProduct(tea);
    expect(cart.totals().shipping.amount).toBe(490);
  });

  it('charges more for gift wrap', () => {
    cart.addProduct(tea);
    cart.setGiftWrap('p1', true);
    expect(cart.totals().shipping.amount).toBe(790);
  });

  it('ships for free above the limit', () => {
    cart.addProduct(mug, 4);
    expect(cart.totals().shipping.amount).toBe(0);
  });

  it('taxes goods and shipping', () => {
    cart.addProduct(tea, 2);
    const totals = cart.totals();
    expect(totals.tax.amount).toBe(Math.round((900 + 490) * 0.19));
    expect(totals.total.amount).toBe(900 + 490 + totals.tax.amount);
  });
});
