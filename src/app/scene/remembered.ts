/** Caches a function of immutable objects, one result per object. */
export function rememberedFor<Key extends object, Result extends object>(
  make: (key: Key) => Result,
): (key: Key) => Result {
  const known = new WeakMap<Key, Result>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** `rememberedFor` for pairs of objects. */
export function rememberedForPairs<One extends object, Other extends object, Result extends object>(
  make: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const byOne = rememberedFor((one: One) => rememberedFor((other: Other) => make(one, other)));
  return (one, other) => byOne(one)(other);
}
