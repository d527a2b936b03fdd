import type { CopyStorage } from '../local-copies.js';

/** The storage of a browser, which can be full. */
export class FakeStorage implements CopyStorage {
  isFull = false;
  /** Characters that were ever written. */
  written = 0;
  readonly #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  key(index: number) {
    return [...this.#items.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.written += value.length;
    this.#items.set(key, value);
  }
  removeItem(key: string) {
    this.#items.delete(key);
  }
}
