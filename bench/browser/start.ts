import { brotliCompressSync } from "node:zlib";
import { onFreshPage, type Site } from "./page.ts";
import { rounds, type Timing } from "./timing.ts";

/** What a first visit loads before the editor comes, and when the example is there. */
export async function* start(site: Site): AsyncGenerator<Timing> {
  yield {
    name: "browser: initial JavaScript, brotli, before the editor",
    unit: "kB",
    aim: 200,
    figures: [await initialKilobytes(site.address)],
  };
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    figures.push(await onFreshPage(site, undefined, (page) => page.evaluate(examplePainted)));
  }
  yield { name: "browser: first paint of the example", unit: "ms", aim: 1_000, figures };
}

/** Runs in the page: when a tensor of the graph has been painted, since the visit began. */
function examplePainted(): Promise<number> {
  return new Promise((resolve) => {
    const isThere = () => document.querySelector('.canvas [data-testid^="tensor-"]') !== null;
    const look = () => {
      if (isThere()) setTimeout(() => resolve(performance.now()));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** The scripts that the page names, with those that they cannot run without. */
async function initialKilobytes(address: string): Promise<number> {
  const page = await (await fetch(address)).text();
  const named = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = ""]) => path);
  const sizes = new Map<string, number>();
  const waiting = named.map((path) => new URL(path, address).href);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (sizes.has(at)) continue;
    const code = await (await fetch(at)).text();
    sizes.set(at, brotliCompressSync(code).length);
    for (const [, path = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*"(\.\/[^"]+\.js)"/g)) {
      waiting.push(new URL(path, at).href);
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1_000;
}
