'use strict';

const { EventEmitter } = require('node:events');

/**
 * Runs jobs at intervals, one at a time for each name, and retries those that fail.
 */
class Scheduler extends EventEmitter {
  constructor({ clock = Date, maxRetries = 3, backoff = 1000 } = {}) {
    super();
    this.clock = clock;
    this.maxRetries = maxRetries;
    this.backoff = backoff;
    this.jobs = new Map();
    this.running = new Set();
    this.stopped = false;
  }

  every(seconds, name, run) {
    if (this.jobs.has(name)) {
      throw new Error(`a job named ${name} exists`);
    }
    this.jobs.set(name, {
      name,
      run,
      interval: seconds * 1000,
      next: this.clock.now() + seconds * 1000,
      failures: 0,
    });
  }

  once(delay, name, run) {
    if (this.jobs.has(name)) {
      throw new Error(`a job named ${name} exists`);
    }
    this.jobs.set(name, {
      name,
      run,
      interval: 0,
      next: this.clock.now() + delay * 1000,
      failures: 0,
    });
  }

  cancel(name) {
    const had = this.jobs.delete(name);
    if (had) {
      this.emit('cancelled', name);
    }
    return had;
  }

  due() {
    const now = this.clock.now();
    const result = [];
    for (const job of this.jobs.values()) {
      if (job.next <= now && !this.running.has(job.name)) {
        result.push(job);
      }
    }
    result.sort((a, b) => a.next - b.next);
    return result;
  }

  async tick() {
    if (this.stopped) {
      return 0;
    }
    const jobs = this.due();
    await Promise.all(jobs.map((job) => this.runOne(job)));
    return jobs.length;
  }

  async runOne(job) {
    this.running.add(job.name);
    this.emit('started', job.name);
    try {
      await job.run();
      job.failures = 0;
      this.emit('finished', job.name);
      if (job.interval === 0) {
        this.jobs.delete(job.name);
      } else {
        job.next = this.clock.now() + job.interval;
      }
    } catch (error) {
      job.failures += 1;
      this.emit('failed', job.name, error);
      if (job.failures > this.maxRetries) {
        this.jobs.delete(job.name);
        this.emit('dropped', job.name);
      } else {
        job.next = this.clock.now() + this.backoff * 2 ** (job.failures - 1);
      }
    } finally {
      this.running.delete(job.name);
    }
  }

  stop() {
    this.stopped = true;
    this.emit('stopped');
  }
}

module.exports = { Scheduler };
