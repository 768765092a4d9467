import { brotliCompressSync } from "node:zlib";

/** What the scripts of a first visit may weigh. */
export const mostKilobytes = 200;

/** The scripts that the page names, with those that they cannot run without; compressed. */
export async function initialKilobytes(address: string): Promise<number> {
  const page = await (await fetch(address)).text();
  const named = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = ""]) => path);
  const loaded = new Map<string, string>();
  const waiting = named.map((path) => new URL(path, address).href);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (loaded.has(at)) continue;
    const code = await (await fetch(at)).text();
    loaded.set(at, code);
    for (const [, path = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*"(\.\/[^"]+\.js)"/g)) {
      waiting.push(new URL(path, at).href);
    }
  }
  // Compressed at the end: it takes so long that a server meanwhile would hang up.
  const sizes = [...loaded.values()].map((code) => brotliCompressSync(code).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}
