/** Whether a text is a UUID as Loom reads it: 8-4-4-4-12 hex digits in any case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/**
 * A UUID (RFC 9562, version 8) that depends on the text alone, so that a document always gets the
 * same id. Four FNV-1a hashes with different starts: enough for uniqueness, not for secrecy.
 */
export function uuidFrom(text: string): string {
  const words = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((start) => hash(text, start));
  const hex = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}

function hash(text: string, start: number): number {
  let word = start;
  for (let at = 0; at < text.length; at++) {
    word = Math.imul(word ^ text.charCodeAt(at), 0x01000193);
    word ^= word >>> 15;
  }
  return word >>> 0;
}

/**
 * Sorts items by id as Java compares UUIDs: both halves as signed numbers, so 8… to f… precede 0…
 * to 7….
 */
export function inUuidOrder<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: orderOf(item.id) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}

const signedDigits = "89abcdef01234567";

function orderOf(id: string): string {
  const hex = id.replaceAll("-", "").toLowerCase();
  return [0, 16]
    .map(
      (from) =>
        `${signedDigits.indexOf(hex[from] ?? "0").toString(16)}${hex.slice(from + 1, from + 16)}`,
    )
    .join("");
}
