/** Cache of the most recently used values by key; a lookup renews a value. */
export interface LruCache<T> {
  readonly find: (key: string) => T | undefined;
  readonly keep: (key: string, value: T) => void;
}

/**
 * An empty cache.
 *
 * @param most values that are kept
 */
export function createLruCache<T>(most: number): LruCache<T> {
  const kept = new Map<string, T>();
  const keep = (key: string, value: T) => {
    kept.delete(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  };
  return {
    find: (key) => {
      const value = kept.get(key);
      if (value !== undefined) keep(key, value);
      return value;
    },
    keep,
  };
}
