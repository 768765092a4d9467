import type { KernelBench } from "../kernels/page.ts";
import { type CollectiveName, elementsOf } from "../kernels/programs.ts";
import { launchWithGpu } from "./gpu-browser.ts";
import type { Timing } from "./timing.ts";

/**
 * Kernels compared with peer libraries in one page, in turns; a figure is a ratio within one round.
 */
export async function* kernels({
  kernels: address,
}: {
  readonly kernels: string;
}): AsyncGenerator<Timing> {
  const browser = await launchWithGpu();
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.waitForFunction(() => window.kernels !== undefined);
    const ask = <Name extends keyof KernelBench>(
      name: Name,
      ...args: Parameters<KernelBench[Name]>
    ): ReturnType<KernelBench[Name]> => {
      const asked = { name, args };
      const answered = page.evaluate(({ name, args }) => {
        const answer = window.kernels[name] as (...given: unknown[]) => Promise<unknown>;
        return answer(...args);
      }, asked);
      return answered as ReturnType<KernelBench[Name]>;
    };
    console.log(`kernels run on ${await ask("adapter")}`);
    for (const { size, times, rounds } of matmuls) {
      const found = await ask("matmul", size, times, rounds);
      yield against("matmul", size, found, "tfjs", 0.2);
      yield against("matmul", size, found, "ort", 0.2);
    }
    yield* blockTimings(await ask("blocks", 5));
    for (const name of ["all-to-all", "all-gather", "all-reduce"] as const) {
      yield collectiveTiming(name, await ask("collective", name, 5));
    }
    for (const size of [256, 512, 1024]) yield* wasmTimings(size, await ask("wasmMatmul", size, 9));
  } finally {
    await browser.close();
  }
}

/** Matmul sizes, with the runs per round that take about as long as one of the largest. */
const matmuls = [
  { size: 256, times: 8, rounds: 3 },
  { size: 512, times: 1, rounds: 3 },
  { size: 1024, times: 1, rounds: 1 },
];

/** Timings of a product on one thread; 50 ms per GFLOP is 20 GFLOP/s. */
function* wasmTimings(size: number, found: Rounds): Generator<Timing> {
  yield against("matmul in Wasm", size, found, "tfjs", 1.25);
  yield {
    name: `kernels: matmul in Wasm of ${size}, per GFLOP`,
    ...{ unit: "ms", aim: 50 },
    figures: (found.ours ?? []).map((ms) => (ms * 1e9) / (2 * size ** 3)),
  };
}

type Rounds = Readonly<Record<string, readonly number[]>>;

/** Own time as a multiple of a peer's, per round. */
function against(what: string, size: number, found: Rounds, peer: string, aim: number): Timing {
  return {
    name: `kernels: ${what} of ${size}, time as a multiple of ${peer}`,
    ...{ unit: "×", aim, figures: ratios(found.ours, found[peer]) },
  };
}

function ratios(ours: readonly number[] = [], others: readonly number[] = []): readonly number[] {
  return ours.map((ms, round) => ms / (others[round] ?? 0));
}

function* blockTimings({
  times,
  dispatches,
}: Awaited<ReturnType<KernelBench["blocks"]>>): Generator<Timing> {
  for (const [devices, aim] of [
    ["8", 1.3],
    ["64", 1.5],
  ] as const) {
    yield {
      name: `kernels: GPT block on ${devices} devices, as a multiple of one`,
      ...{ unit: "×", aim, figures: ratios(times[devices], times["1"]) },
    };
  }
  const [, eight = 0, all = 0] = dispatches;
  yield {
    name: "kernels: GPT block, dispatches on 64 devices, per one on 8",
    ...{ unit: "×", aim: 1, figures: [all / eight] },
  };
}

/**
 * Timing of an all-reduce as a multiple of a plain loop, and of other collectives as time per
 * gigabyte moved.
 */
function collectiveTiming(name: CollectiveName, found: Rounds): Timing {
  const { ours = [], loop = [] } = found;
  if (name === "all-reduce") {
    return {
      name: "kernels: all-reduce on 8 devices, as a multiple of a loop",
      ...{ unit: "×", aim: 2, figures: ratios(ours, loop) },
    };
  }
  const bytes = 2 * 4 * elementsOf(name) * (name === "all-gather" ? 8 : 1);
  return {
    name: `kernels: ${name} on 8 devices, per GB read and written`,
    ...{ unit: "ms", aim: name === "all-gather" ? 667 : 200 },
    figures: ours.map((ms) => (ms * 1e9) / bytes),
  };
}
