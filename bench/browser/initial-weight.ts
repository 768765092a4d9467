import { brotliCompressSync } from "node:zlib";

/** Limit on the scripts of a first visit, in kB. */
export const mostKilobytes = 200;

/**
 * Limit on the code that a worker loads before it draws a plain text, in kB and uncompressed, since
 * all of it is compiled. The specification allows 700.
 */
export const mostWorkerKilobytes = 690;

/** Compressed size (kB) of the scripts that the page names, with their static imports. */
export async function initialKilobytes(address: string): Promise<number> {
  const scripts = await scriptsOfPage(address);
  // Compression comes last: it takes so long that a server would close the connection meanwhile.
  const sizes = [...scripts.values()].map((code) => brotliCompressSync(code).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

/** Size (kB) of the compiler worker's script, with its static imports. */
export async function workerKilobytes(address: string): Promise<number> {
  const code = [...(await scriptsOfPage(address)).values()].join("\n");
  const [name] = /\bworker-[\w-]+\.js/.exec(code) ?? [];
  if (name === undefined) throw new Error("the page names no worker");
  const scripts = await scriptsFrom([new URL(`assets/${name}`, address).href]);
  return [...scripts.values()].reduce((sum, { length }) => sum + length, 0) / 1_000;
}

async function scriptsOfPage(address: string): Promise<ReadonlyMap<string, string>> {
  const page = await (await fetch(address)).text();
  const named = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = ""]) => path);
  return scriptsFrom(named.map((path) => new URL(path, address).href));
}

async function scriptsFrom(addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const loaded = new Map<string, string>();
  const waiting = [...addresses];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (loaded.has(at)) continue;
    const code = await (await fetch(at)).text();
    loaded.set(at, code);
    for (const [, path = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*"(\.\/[^"]+\.js)"/g)) {
      waiting.push(new URL(path, at).href);
    }
  }
  return loaded;
}
