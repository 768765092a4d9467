import { openExecutor, tuneProducts } from "#execute/webgpu";
import { prepared, type Runnable } from "../kernels/ours.ts";
import {
  blockProgram,
  type CollectiveName,
  collectiveProgram,
  elementsOf,
  matmulProgram,
} from "../kernels/programs.ts";
import { openGpu } from "./adapter.ts";
import { ortPeer, type Peer, tfjsPeer } from "./peers.ts";
import { attentionProgram, otherProducts, type Product } from "./programs.ts";
import { inTurn, timesOf } from "./timing.ts";

/**
 * Words read and written on eight devices, per element: a part is read once for all its receivers.
 */
const movedPerElement = { "all-to-all": 2, "all-gather": 9, "all-reduce": 16 };

// Compares GPU kernels with peer libraries, in one process and in turns, on any available adapter.
const opened = await openExecutor(openGpu(), 2 ** 33);
if (opened === undefined) {
  console.error("there is no adapter: Dawn needs a Vulkan driver and its loader, libvulkan.so.1");
  process.exit(3);
}
const { executor, adapter } = opened;
const { isCpu } = executor.limits;
console.log(`Adapter: ${adapter}${isCpu ? " (a CPU that plays a GPU)" : ""}`);
if (!isCpu) executor.takeTiles(await tuneProducts(executor));
for (const { from, tile, groups } of executor.limits.tiles ?? []) {
  const { rows, columns, depth, perThread } = tile;
  const cells = `${rows} × ${columns} × ${depth}, ${perThread.join(" × ")} a thread`;
  console.log(`From 2^${Math.log2(from)} operations: ${cells}, ${groups} workgroups`);
}

const sizes = isCpu ? [128, 256] : [256, 512, 1024, 2048, 4096];
console.log("\n| n × n × n | ours, TFLOP/s | TensorFlow.js | ONNX Runtime | ours by the better |");
console.log("|---|---|---|---|---|");
for (const size of sizes) await squares(size);

console.log("\n| product | TFLOP/s | part of the square |");
console.log("|---|---|---|");
const large = isCpu ? 128 : 2048;
const best = await rateOf({ name: "square", text: matmulProgram(large), work: 2 * large ** 3 });
console.log(`| ${large} × ${large} × ${large} | ${digits(best)} | 100 % |`);
for (const each of otherProducts(large)) {
  const rate = await rateOf(each);
  console.log(`| ${each.name} | ${digits(rate)} | ${Math.round((100 * rate) / best)} % |`);
}

console.log("\n| run | ms | what |");
console.log("|---|---|---|");
const [heads, tokens, width] = isCpu ? [2, 64, 16] : [12, 1024, 64];
await timed(`attention, ${heads} heads, ${tokens} tokens`, attentionProgram(heads, tokens, width));
for (const [dp, tp] of [
  [1, 1],
  [2, 4],
  [8, 8],
] as const) {
  await timed(`block of GPT on ${dp * tp} devices`, blockProgram(dp, tp));
}
for (const name of ["all-to-all", "all-gather", "all-reduce"] as const) await moved(name);
process.exit(0);

/** One table row for a size: own time and that of each peer that runs here, in turns. */
async function squares(size: number): Promise<void> {
  const work = 2 * size ** 3;
  const times = timesOf(work, isCpu);
  const ours = await prepared(executor, matmulProgram(size), { times });
  const tfjs = await peerOf(tfjsPeer, size);
  const ort = isCpu ? "takes minutes on a CPU" : await peerOf(ortPeer, size);
  const contenders = {
    ours: () => ours.run(),
    ...(typeof tfjs !== "string" && { tfjs: tfjs.run }),
    ...(typeof ort !== "string" && { ort: ort.run }),
  };
  const found = await inTurn(contenders, times);
  const rates = new Map([...found].map(([name, ms]) => [name, work / ms / 1e9]));
  const others = [rates.get("tfjs") ?? 0, rates.get("ort") ?? 0];
  const ratio = (rates.get("ours") ?? 0) / Math.max(...others);
  const cells = [
    digits(rates.get("ours")),
    shown(tfjs, rates.get("tfjs")),
    shown(ort, rates.get("ort")),
  ];
  console.log(`| ${size} | ${cells.join(" | ")} | ${digits(ratio)} × |`);
  for (const each of [ours, tfjs, ort]) if (typeof each !== "string") each.release();
}

/** A peer, or why it does not run here. */
async function peerOf(open: (size: number) => Promise<Peer>, size: number): Promise<Peer | string> {
  try {
    return await open(size);
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
}

function shown(peer: Peer | string, rate: number | undefined): string {
  return typeof peer === "string" ? `does not run: ${peer}` : digits(rate);
}

function digits(value = Number.NaN): string {
  return value.toPrecision(3);
}

async function rateOf({ text, work }: Product): Promise<number> {
  const times = timesOf(work, isCpu);
  const { ms } = await millisecondsOf(text, times);
  return work / ms / 1e9;
}

async function millisecondsOf(
  text: string,
  times: number,
  kind?: "collective",
): Promise<{ readonly ms: number; readonly dispatches: number }> {
  const run: Runnable = await prepared(executor, text, { times, ...(kind && { kind }) });
  const ms = (await inTurn({ run: () => run.run() }, times)).get("run") ?? Number.NaN;
  run.release();
  return { ms, dispatches: run.dispatches };
}

/** Time of a single run until the device is done, and per run of many in a row. */
async function timed(name: string, text: string): Promise<void> {
  const alone = await millisecondsOf(text, 1);
  const many = await millisecondsOf(text, isCpu ? 1 : 50);
  const what = `${alone.dispatches} dispatches; ${digits(many.ms)} ms each of 50 in a row`;
  console.log(
    `| ${name} | ${digits(alone.ms)} | ${isCpu ? `${alone.dispatches} dispatches` : what} |`,
  );
}

async function moved(name: CollectiveName): Promise<void> {
  const { ms } = await millisecondsOf(collectiveProgram(name), isCpu ? 1 : 50, "collective");
  const words = elementsOf(name) * movedPerElement[name];
  console.log(
    `| ${name} on 8 devices | ${digits(ms)} | ${Math.round((4 * words) / ms / 1e6)} GB/s |`,
  );
}
