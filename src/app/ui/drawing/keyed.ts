/** Items with their indices as keys, for a list that is always drawn anew as a whole. */
export function keyed<T>(
  items: readonly T[],
): readonly { readonly key: number; readonly item: T }[] {
  return items.map((item, key) => ({ key, item }));
}
