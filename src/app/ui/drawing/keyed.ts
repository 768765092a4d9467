/** Items of a list that is always drawn anew as a whole, with their places as keys. */
export function keyed<T>(
  items: readonly T[],
): readonly { readonly key: number; readonly item: T }[] {
  return items.map((item, key) => ({ key, item }));
}
