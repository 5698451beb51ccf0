import { randomUUID } from 'node:crypto';
import { Database, Row } from './database';
import { hashPassword, verifyPassword } from './passwords';
import type { Logger } from './logger';

export type Role = 'customer' | 'clerk' | 'admin';

export interface User {
  id: string;
  email: string;
  displayName: string;
  role: Role;
  createdAt: Date;
  disabledAt: Date | null;
}

export interface NewUser {
  email: string;
  displayName: string;
  password: string;
}

export class UserExists extends Error {}
export class UserNotFound extends Error {}
export class LoginFailed extends Error {}

function userFromRow(row: Row): User {
  return {
    id: String(row.id),
    email: String(row.email),
    displayName: String(row.display_name),
    role: row.role as Role,
    createdAt: new Date(String(row.created_at)),
    disabledAt: row.disabled_at ? new Date(String(row.disabled_at)) : null,
  };
}

export class UserStore {
  constructor(
    private readonly db: Database,
    private readonly logger: Logger,
  ) {}

  async findById(id: string): Promise<User> {
    const rows = await this.db.query('SELECT * FROM users WHERE id = ?', [id]);
    if (rows.length === 0) {
      throw new UserNotFound(`no user with id ${id}`);
    }
    return userFromRow(rows[0]);
  }

  async findByEmail(email: string): Promise<User> {
    const rows = await this.db.query('SELECT * FROM users WHERE email = ?', [email.toLowerCase()]);
    if (rows.length === 0) {
      throw new UserNotFound(`no user with email ${email}`);
    }
    return userFromRow(rows[0]);
  }

  async createCustomer(input: NewUser): Promise<User> {
    const email = input.email.trim().toLowerCase();
    const taken = await this.db.query('SELECT 1 FROM users WHERE email = ?', [email]);
    if (taken.length > 0) {
      throw new UserExists(email);
    }
    const id = randomUUID();
    await this.db.execute(
      'INSERT INTO users (id, email, display_name, role, password) VALUES (?, ?, ?, ?, ?)',
      [id, email, input.displayName, 'customer', await hashPassword(input.password)],
    );
    this.logger.info('users: customer created', { id });
    return this.findById(id);
  }

  async createAdmin(input: NewUser): Promise<User> {
    const email = input.email.trim().toLowerCase();
    const taken = await this.db.query('SELECT 1 FROM users WHERE email = ?', [email]);
    if (taken.length > 0) {
      throw new UserExists(email);
    }
    const id = randomUUID();
    await this.db.execute(
      'INSERT INTO users (id, email, display_name, role, password) VALUES (?, ?, ?, ?, ?)',
      [id, email, input.displayName, 'admin', await hashPassword(input.password)],
    );
    this.logger.warn('users: admin created', { id });
    return this.findById(id);
  }

  async login(email: string, password: string): Promise<User> {
    const rows = await this.db.query('SELECT * FROM users WHERE email = ?', [email.toLowerCase()]);
    if (rows.length === 0 || rows[0].disabled_at) {
      throw new LoginFailed(email);
    }
    if (!(await verifyPassword(password, String(rows[0].password)))) {
      this.logger.info('users: wrong password', { email });
      throw new LoginFailed(email);
    }
    return userFromRow(rows[0]);
  }

  async changeEmail(id: string, email: string): Promise<void> {
    const count = await this.db.execute('UPDATE users SET email = ? WHERE id = ?', [email.toLowerCase(), id]);
    if (count === 0) {
      throw new UserNotFound(`no user with id ${id}`);
    }
  }

  async changeName(id: string, displayName: string): Promise<void> {
    const count = await this.db.execute('UPDATE users SET display_name = ? WHERE id = ?', [displayName, id]);
    if (count === 0) {
      throw new UserNotFound(`no user with id ${id}`);
    }
  }

  async changeRole(id: string, role: Role): Promise<void> {
    const count = await this.db.execute('UPDATE users SET role = ? WHERE id = ?', [role, id]);
    if (count === 0) {
      throw new UserNotFound(`no user with id ${id}`);
    }
    this.logger.warn('users: role changed', { id, role });
  }

  async disable(id: string, now: Date): Promise<void> {
    const count = await this.db.execute('UPDATE users SET disabled_at = ? WHERE id = ?', [now.toISOString(), id]);
    if (count === 0) {
      throw new UserNotFound(`no user with id ${id}`);
    }
    this.logger.info('users: disabled', { id });
  }

  async enable(id: string): Promise<void> {
    const count = await this.db.execute('UPDATE users SET disabled_at = NULL WHERE id = ?', [id]);
    if (count === 0) {
      throw new UserNotFound(`no user with id ${id}`);
    }
    this.logger.info('users: enabled', { id });
  }
}
