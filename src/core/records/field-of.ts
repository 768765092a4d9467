/**
 * A field of a record whose keys people write, such as identifiers and names: `undefined` for what
 * it does not hold itself, also where all objects inherit something by that name (`constructor`).
 */
export function fieldOf<T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
