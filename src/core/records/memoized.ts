/**
 * A function of objects that never change, computed once per object and remembered as long as it
 * lives.
 */
export function memoized<Key extends object, Result>(
  make: (key: Key) => Result,
): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.result;
    const result = make(key);
    known.set(key, { result });
    return result;
  };
}

/** Items by their ids, in order; made once for a list that never changes. */
export function createById<Id, Item extends { readonly id: Id }>(): (
  items: readonly Item[],
) => ReadonlyMap<Id, Item> {
  return memoized((items: readonly Item[]) => {
    const found = new Map<Id, Item>();
    for (const item of items) found.set(item.id, item);
    return found;
  });
}
