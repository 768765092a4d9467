import {
  initialKilobytes,
  mostKilobytes,
  mostWorkerKilobytes,
  workerKilobytes,
} from "./initial-weight.ts";
import { onFreshPage, type Site } from "./page.ts";
import { rounds, type Timing } from "./timing.ts";

/** Bytes that a first visit loads before the editor, and the time until the example is drawn. */
export async function* start(site: Site): AsyncGenerator<Timing> {
  yield {
    name: "browser: the worker's JavaScript for a plain text",
    unit: "kB",
    aim: mostWorkerKilobytes,
    figures: [await workerKilobytes(site.address)],
  };
  yield {
    name: "browser: initial JavaScript, brotli, before the editor",
    unit: "kB",
    aim: mostKilobytes,
    figures: [await initialKilobytes(site.address)],
  };
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    figures.push(await onFreshPage(site, undefined, (page) => page.evaluate(examplePainted)));
  }
  yield { name: "browser: first paint of the example", unit: "ms", aim: 1_000, figures };
}

/** Runs in the page: time from navigation start until a tensor of the graph is painted. */
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
