/**
 * Makes plain values that say the same one object: a graph of thousands of operations has few
 * ranges and projections, and what follows from it is kept and sent the quicker.
 */
export function createSharing<T>(): (value: T) => T {
  const known = new Map<string, T>();
  return (value) => {
    const key = JSON.stringify(value);
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, value);
    return value;
  };
}
