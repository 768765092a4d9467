/**
 * Tells whether two plain values say the same. Objects are shared within and between the values
 * that it is asked about: each pair of them is compared once.
 */
export function createAlike(): (before: unknown, after: unknown) => boolean {
  const alike = new Map<object, object>();
  const areAlike = (before: unknown, after: unknown): boolean => {
    if (Object.is(before, after)) return true;
    if (!isObject(before) || !isObject(after)) return false;
    if (alike.get(after) === before) return true;
    if (!areObjectsAlike(before, after, areAlike)) return false;
    alike.set(after, before);
    return true;
  };
  return areAlike;
}

type AreAlike = (before: unknown, after: unknown) => boolean;

function areObjectsAlike(before: object, after: object, areAlike: AreAlike): boolean {
  if (Array.isArray(before) || Array.isArray(after)) {
    if (!Array.isArray(before) || !Array.isArray(after)) return false;
    return before.length === after.length && before.every((item, at) => areAlike(item, after[at]));
  }
  if (before instanceof Map || after instanceof Map) {
    if (!(before instanceof Map) || !(after instanceof Map)) return false;
    return before.size === after.size && areAlike([...before], [...after]);
  }
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(after).length &&
    keys.every((key) => areAlike(Reflect.get(before, key), Reflect.get(after, key))) &&
    keys.every((key) => key in after)
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
