/**
 * What a map holds by a key.
 *
 * @param what is held, as in "no tensor x"
 * @throws Error where it holds nothing: a fault of this code
 */
export function required<Key, Held>(map: ReadonlyMap<Key, Held>, key: Key, what: string): Held {
  const held = map.get(key);
  if (held === undefined) throw new Error(`no ${what} ${key}`);
  return held;
}
