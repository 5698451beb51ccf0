import { Router, Request, Response, NextFunction } from './http';
import { Cart, CartError } from './cart';
import { Catalog } from './catalog';
import { CouponError } from './coupons';
import { UserStore, LoginFailed, UserExists, UserNotFound } from './users';
import type { Logger } from './logger';

interface Services {
  users: UserStore;
  catalog: Catalog;
  logger: Logger;
}

type Handler = (req: Request, res: Response) => Promise<void>;

function wrap(handler: Handler) {
  return (req: Request, res: Response, next: NextFunction) => {
    handler(req, res).catch(next);
  };
}

function cartOf(req: Request, logger: Logger): Cart {
  if (!req.session.cart) {
    req.session.cart = new Cart(logger);
  }
  return req.session.cart;
}

export function shopRoutes({ users, catalog, logger }: Services): Router {
  const router = new Router();

  router.get('/products', wrap(async (req, res) => {
    const page = Number(req.query.page ?? 1);
    const products = await catalog.list({ page, perPage: 24 });
    res.json({ page, products });
  }));

  router.get('/products/:id', wrap(async (req, res) => {
    const product = await catalog.find(req.params.id);
    if (!product) {
      res.status(404).json({ error: 'no such product' });
      return;
    }
    res.json(product);
  }));

  router.get('/cart', wrap(async (req, res) => {
    res.json(cartOf(req, logger));
  }));

  router.post('/cart/lines', wrap(async (req, res) => {
    const product = await catalog.find(req.body.productId);
    if (!product) {
      res.status(404).json({ error: 'no such product' });
      return;
    }
    const cart = cartOf(req, logger);
    cart.addProduct(product, Number(req.body.quantity ?? 1));
    res.status(201).json(cart);
  }));

  router.put('/cart/lines/:id', wrap(async (req, res) => {
    const cart = cartOf(req, logger);
    cart.setQuantity(req.params.id, Number(req.body.quantity));
    res.json(cart);
  }));

  router.delete('/cart/lines/:id', wrap(async (req, res) => {
    const cart = cartOf(req, logger);
    if (!cart.removeProduct(req.params.id)) {
      res.status(404).json({ error: 'no such line' });
      return;
    }
    res.json(cart);
  }));

  router.post('/cart/coupon', wrap(async (req, res) => {
    const cart = cartOf(req, logger);
    cart.applyCoupon(String(req.body.code), new Date());
    res.json(cart);
  }));

  router.delete('/cart/coupon', wrap(async (req, res) => {
    const cart = cartOf(req, logger);
    cart.clearCoupon();
    res.json(cart);
  }));

  router.post('/login', wrap(async (req, res) => {
    const user = await users.login(req.body.email, req.body.password);
    req.session.userId = user.id;
    res.json({ id: user.id, name: user.displayName });
  }));

  router.post('/logout', wrap(async (req, res) => {
    req.session.userId = null;
    res.status(204).end();
  }));

  router.use((error: Error, req: Request, res: Response, next: NextFunction) => {
    if (error instanceof CartError || error instanceof CouponError) {
      res.status(400).json({ error: error.message, code: error.code });
    } else if (error instanceof LoginFailed) {
      res.status(401).json({ error: 'wrong email or password' });
    } else if (error instanceof UserExists) {
      res.status(409).json({ error: 'that email is taken' });
    } else if (error instanceof UserNotFound) {
      res.status(404).json({ error: 'no such user' });
    } else {
      logger.error('unexpected', { error: String(error), path: req.path });
      next(error);
    }
  });

  return router;
}
