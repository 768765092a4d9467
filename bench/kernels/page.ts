import { wasmContraction } from "#execute/cpu";
import { openExecutor } from "#execute/webgpu";
import { prepared } from "./ours.ts";
import { ortMatmul, tfjsMatmul } from "./peers.ts";
import {
  blockProgram,
  type CollectiveName,
  collectiveProgram,
  elementsOf,
  matmulProgram,
} from "./programs.ts";

/** Milliseconds of each contender, by round. */
type Rounds = Readonly<Record<string, readonly number[]>>;

/** Functions of the page that the benchmark calls. */
export interface KernelBench {
  adapter(): Promise<string>;
  matmul(size: number, times: number, rounds: number): Promise<Rounds>;
  wasmMatmul(size: number, rounds: number): Promise<Rounds>;
  blocks(
    rounds: number,
  ): Promise<{ readonly times: Rounds; readonly dispatches: readonly number[] }>;
  collective(name: CollectiveName, rounds: number): Promise<Rounds>;
}

declare global {
  interface Window {
    kernels: KernelBench;
  }
}

const opened = openExecutor(navigator.gpu, 2 ** 30);

async function executor() {
  const found = await opened;
  if (found === undefined) throw new Error("this browser has no adapter");
  return found.executor;
}

/** Times all contenders in turn, after one uncounted run of each. */
async function inTurn(
  contenders: Readonly<Record<string, () => Promise<unknown>>>,
  rounds: number,
): Promise<Rounds> {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const started = performance.now();
      await run();
      if (round >= 0) times[name]?.push(performance.now() - started);
    }
  }
  return times;
}

/** `inTurn` for contenders of the same computation; fails unless their results agree at the end. */
async function inTurnAlike(
  contenders: Readonly<Record<string, () => Promise<Float32Array>>>,
  rounds: number,
): Promise<Rounds> {
  const results = new Map<string, Float32Array>();
  const noted = Object.entries(contenders).map(
    ([name, run]) => [name, async () => void results.set(name, await run())] as const,
  );
  const times = await inTurn(Object.fromEntries(noted), rounds);
  const wanted = results.get("ours") ?? new Float32Array();
  for (const [name, found] of results) {
    const isEqual = found.every((value, at) => Math.abs(value - (wanted[at] ?? Number.NaN)) < 0.01);
    if (!isEqual || found.length !== wanted.length) throw new Error(`${name} differs from ours`);
  }
  return times;
}

async function matmul(size: number, times: number, rounds: number): Promise<Rounds> {
  const ours = await prepared(await executor(), matmulProgram(size), { times });
  const [a, b] = ours.leaves;
  if (a === undefined || b === undefined) throw new Error("a matmul has two operands");
  const tfjs = await tfjsMatmul("webgpu", [size, a, b]);
  const ort = await ortMatmul([size, a, b]);
  const contenders = {
    ours: async () => {
      await ours.run();
      return ours.read();
    },
    tfjs: () => tfjs.run(times),
    ort: () => ort.run(times),
  };
  const found = await inTurnAlike(contenders, rounds);
  for (const each of [ours, tfjs, ort]) each.release();
  return found;
}

async function wasmMatmul(size: number, rounds: number): Promise<Rounds> {
  const wasm = wasmContraction("f32");
  if (wasm === undefined) throw new Error("this browser has no vectors in Wasm");
  const [a, b] = [1, 2].map((seed) =>
    Float32Array.from({ length: size * size }, (_, at) => ((at * 7919 * seed) % 13) / 13 - 0.5),
  ) as [Float32Array, Float32Array];
  const [ones, rows] = [1, size].map((step) =>
    Int32Array.from({ length: size }, (_, at) => at * step),
  ) as [Int32Array, Int32Array];
  const ours = async () => {
    const { values } = wasm.run(
      { values: a, from: 0, outer: rows, inner: ones },
      { values: b, from: 0, outer: ones, inner: rows },
    );
    return Float32Array.from(values);
  };
  const peer = await tfjsMatmul("wasm", [size, a, b]);
  const times = await inTurnAlike({ ours, tfjs: () => peer.run(1) }, rounds);
  peer.release();
  return times;
}

/** A block of GPT on 1, 8 and 64 devices. */
async function blocks(rounds: number) {
  const meshes = [
    [1, 1],
    [2, 4],
    [8, 8],
  ] as const;
  const runs = await Promise.all(
    meshes.map(async ([dp, tp]) => prepared(await executor(), blockProgram(dp, tp))),
  );
  const contenders = runs.map(({ run }, at) => {
    const [dp, tp] = meshes[at] ?? [1, 1];
    return [String(dp * tp), run] as const;
  });
  const times = await inTurn(Object.fromEntries(contenders), rounds);
  for (const run of runs) run.release();
  return { times, dispatches: runs.map(({ dispatches }) => dispatches) };
}

/** A collective on eight devices and, for an all-reduce, the same sum in a loop. */
async function collective(name: CollectiveName, rounds: number): Promise<Rounds> {
  const ours = await prepared(await executor(), collectiveProgram(name), { kind: "collective" });
  const elements = name === "all-reduce" ? elementsOf(name) : 0;
  const parts = Array.from({ length: 8 }, (_, at) => new Float32Array(elements).fill(at));
  const sums = parts.map(() => new Float32Array(elements));
  const loop = async () => {
    for (let at = 0; at < elements; at += 1) {
      let sum = 0;
      for (const part of parts) sum += part[at] ?? 0;
      for (const each of sums) each[at] = sum;
    }
  };
  const times = await inTurn({ ours: ours.run, loop }, rounds);
  ours.release();
  return times;
}

window.kernels = {
  adapter: async () => (await opened)?.adapter ?? "none",
  matmul,
  wasmMatmul,
  blocks,
  collective,
};
