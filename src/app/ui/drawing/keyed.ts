/** Items with their indices as React keys, for lists that are always rendered as a whole. */
export function keyed<T>(
  items: readonly T[],
): readonly { readonly key: number; readonly item: T }[] {
  return items.map((item, key) => ({ key, item }));
}
