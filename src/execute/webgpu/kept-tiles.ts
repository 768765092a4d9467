import type { TileChoice } from "./tile-choice.ts";

/** Measurements of adapters in this page or process, by description. */
const measured = new Map<string, readonly TileChoice[]>();

/** The page's cache, and the address of measurements in it; new kernels need a new address. */
const [cacheName, folder] = ["shardboard-gpu", "/tiles-1/"];

/** The measurements of an adapter from before: of this page, or of an earlier visit. */
export async function keptTiles(adapter: string): Promise<readonly TileChoice[] | undefined> {
  const known = measured.get(adapter);
  if (known !== undefined || !("caches" in globalThis)) return known;
  try {
    const cache = await caches.open(cacheName);
    const found: unknown = await (await cache.match(addressOf(adapter)))?.json();
    if (!Array.isArray(found) || !found.every(isChoice)) return undefined;
    measured.set(adapter, found);
    return found;
  } catch {
    return undefined; // A page without storage measures again.
  }
}

/** Stores the measurements of an adapter. */
export async function keepTiles(adapter: string, choices: readonly TileChoice[]): Promise<void> {
  measured.set(adapter, choices);
  if (!("caches" in globalThis)) return;
  try {
    const cache = await caches.open(cacheName);
    await cache.put(addressOf(adapter), new Response(JSON.stringify(choices)));
  } catch {
    // A page without storage measures again.
  }
}

function addressOf(adapter: string): string {
  return `${folder}${encodeURIComponent(adapter)}`;
}

function isChoice(value: unknown): value is TileChoice {
  if (!hasNumbers(value, ["from", "groups"]) || !("tile" in value)) return false;
  const { tile } = value;
  if (!hasNumbers(tile, ["rows", "columns", "depth"]) || !("perThread" in tile)) return false;
  const { perThread } = tile;
  return Array.isArray(perThread) && perThread.length === 2 && perThread.every(Number.isInteger);
}

function hasNumbers(value: unknown, names: readonly string[]): value is object {
  if (typeof value !== "object" || value === null) return false;
  const numbers = new Map<string, unknown>(Object.entries(value));
  return names.every((name) => Number.isInteger(numbers.get(name)));
}
