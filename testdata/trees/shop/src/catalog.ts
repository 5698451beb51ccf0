import { Database, Row } from './database';
import type { Money } from './money';

export type ProductId = string;

export interface Product {
  id: ProductId;
  name: string;
  description: string;
  price: Money;
  stock: number;
  tags: string[];
}

export interface ListOptions {
  page: number;
  perPage: number;
  tag?: string;
  sort?: 'name' | 'price' | 'newest';
}

function productFromRow(row: Row): Product {
  return {
    id: String(row.id),
    name: String(row.name),
    description: String(row.description ?? ''),
    price: { amount: Number(row.price), currency: String(row.currency) },
    stock: Number(row.stock),
    tags: String(row.tags ?? '').split(',').filter(Boolean),
  };
}

const orders = {
  name: 'name ASC',
  price: 'price ASC, name ASC',
  newest: 'created_at DESC',
};

export class Catalog {
  private readonly cache = new Map<ProductId, Product>();

  constructor(private readonly db: Database, private readonly cacheSize = 500) {}

  async find(id: ProductId): Promise<Product | null> {
    const cached = this.cache.get(id);
    if (cached) {
      return cached;
    }
    const rows = await this.db.query('SELECT * FROM products WHERE id = ?', [id]);
    if (rows.length === 0) {
      return null;
    }
    const product = productFromRow(rows[0]);
    this.remember(product);
    return product;
  }

  async list({ page, perPage, tag, sort = 'name' }: ListOptions): Promise<Product[]> {
    const where = tag ? 'WHERE tags LIKE ?' : '';
    const values = tag ? [`%${tag}%`] : [];
    const offset = (page - 1) * perPage;
    const rows = await this.db.query(
      `SELECT * FROM products ${where} ORDER BY ${orders[sort]} LIMIT ${perPage} OFFSET ${offset}`,
      values,
    );
    return rows.map(productFromRow);
  }

  async search(text: string, limit = 20): Promise<Product[]> {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    if (words.length === 0) {
      return [];
    }
    const where = words.map(() => '(lower(name) LIKE ? OR lower(description) LIKE ?)').join(' AND ');
    const values = words.flatMap((word) => [`%${word}%`, `%${word}%`]);
    const rows = await this.db.query(`SELECT * FROM products WHERE ${where} LIMIT ${limit}`, values);
    return rows.map(productFromRow);
  }

  async reserve(id: ProductId, quantity: number): Promise<boolean> {
    const changed = await this.db.execute(
      'UPDATE products SET stock = stock - ? WHERE id = ? AND stock >= ?',
      [quantity, id, quantity],
    );
    this.cache.delete(id);
    return changed === 1;
  }

  async release(id: ProductId, quantity: number): Promise<void> {
    await this.db.execute('UPDATE products SET stock = stock + ? WHERE id = ?', [quantity, id]);
    this.cache.delete(id);
  }

  async updatePrice(id: ProductId, price: Money): Promise<void> {
    await this.db.execute('UPDATE products SET price = ?, currency = ? WHERE id = ?', [
      price.amount,
      price.currency,
      id,
    ]);
    this.cache.delete(id);
  }

  private remember(product: Product): void {
    if (this.cache.size >= this.cacheSize) {
      const oldest = this.cache.keys().next().value;
      if (oldest !== undefined) {
        this.cache.delete(oldest);
      }
    }
    this.cache.set(product.id, product);
  }
}
