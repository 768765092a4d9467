import type { BufferId, KernelCommand } from "./gpu-program.ts";
import { helperCode } from "./helpers.ts";
import type { Binding, KernelText, Term } from "./kernel-text.ts";

/** What of an adapter decides how kernels are written. */
export interface AdapterTraits {
  /** It computes on the CPU: few threads, each of which should do much. */
  readonly isCpu: boolean;
  /** Four threads side by side are a subgroup. */
  readonly hasQuads: boolean;
}

/** A kernel, what it binds, and the grid that runs it. */
export interface Kernel {
  /** The text; `SIZES` of buffers are filled in when they are bound. */
  readonly bindings: readonly Binding[];
  /** What instances read instead of literals, row-major; empty where all is literal. */
  readonly rows: readonly number[];
  readonly workgroups: readonly [number, number, number];
  readonly work: number;
  code(wordsOf: (buffer: BufferId) => number): string;
}

/** How the cells of all instances are dealt out to threads. */
export interface Launch {
  /** Of one instance: cells, or tiles of them. */
  readonly cells: number;
  readonly instances: number;
  /** Cells that one thread makes one after the other, a workgroup's width apart. */
  readonly perThread: number;
}

/** The most workgroups along one dim of a dispatch (WebGPU's default limit). */
const mostWorkgroups = 65_535;

/** Threads of a workgroup. */
const groupSize = 64;

/** Workgroups that should be left when threads make several cells each, and the most of those. */
const enough = { cpu: { groups: 32, cells: 32 }, gpu: { groups: 4_096, cells: 8 } };

/**
 * Deals out cells one by one: as many to a thread as leave enough workgroups to fill the adapter,
 * because a thread costs more to begin than a cell costs to make.
 */
export function launchOf(cells: number, instances: number, { isCpu }: AdapterTraits): Launch {
  const { groups, cells: most } = isCpu ? enough.cpu : enough.gpu;
  const spare = Math.floor((cells * instances) / (groupSize * groups));
  const perThread = Math.max(1, Math.min(most, spare, Math.ceil(cells / groupSize)));
  return { cells, instances, perThread };
}

/** Writes what a thread does for each of its cells. */
export function overCells(text: KernelText, launch: Launch, body: (cell: Term) => void): void {
  const { cells, perThread } = launch;
  const cell = { kind: "index", low: 0, high: cells - 1, varies: true } as const;
  if (perThread === 1) {
    body({ ...cell, text: "thread", depth: 0 });
    return;
  }
  text.open(`for (var turn = 0i; turn < ${perThread}i; turn++)`);
  text.statement(`let cell = thread + turn * ${groupSize}i;`);
  if (!isExact(launch)) text.statement(`if (cell >= ${cells}i) { break; }`);
  body({ ...cell, text: "cell", depth: text.depth });
  text.close();
}

/** The kernel that runs a text on all cells; `cost` is about the operations of one instance. */
export function kernelOf(text: KernelText, launch: Launch, cost: number): Kernel {
  const { instances } = launch;
  const rows = Array.from({ length: text.columns.length === 0 ? 0 : instances }, (_, at) =>
    text.columns.map((column) => column[at] ?? 0),
  ).flat();
  return {
    bindings: text.bindings,
    rows,
    workgroups: gridOf(launch),
    work: cost * instances,
    code: (wordsOf) => assembled(text, launch, rows.length, wordsOf),
  };
}

/** Rows of workgroups where they are too many for one. */
function gridOf({ cells, instances, perThread }: Launch): KernelCommand["workgroups"] {
  const groups = Math.max(1, Math.ceil(cells / (groupSize * perThread)));
  const across = Math.min(groups, mostWorkgroups);
  return [across, Math.ceil(groups / across), instances];
}

/** Whether the threads of the grid have as many cells as there are. */
function isExact(launch: Launch): boolean {
  const [across, down] = gridOf(launch);
  return across * down * groupSize * launch.perThread === launch.cells;
}

/** The whole module: bindings, the helpers that are called, and what one thread does. */
function assembled(
  text: KernelText,
  launch: Launch,
  rowWords: number,
  wordsOf: (buffer: BufferId) => number,
): string {
  const { cells, perThread } = launch;
  const [across] = gridOf(launch);
  const width = groupSize * perThread;
  // A branch makes what comes behind it slower, so it stands only where threads are too many.
  const isGuarded = perThread === 1 && !isExact(launch);
  const lane = text.usesQuads ? ", @builtin(subgroup_invocation_id) lane: u32" : "";
  return [
    ...(text.usesQuads ? ["enable subgroups;", "diagnostic(off, subgroup_uniformity);"] : []),
    ...bindingLines(text, rowWords, wordsOf),
    helperCode(text.helpers),
    `@compute @workgroup_size(${groupSize})`,
    `fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u${lane}) {`,
    "  let instance = i32(group.z);",
    `  let thread = i32((group.y * ${across}u + group.x) * ${width}u + local.x);`,
    ...(text.usesQuads ? ["  let quad = i32(lane);"] : []),
    ...(isGuarded ? [`  if (thread >= ${cells}i) { return; }`] : []),
    ...text.lines.map((line) => `  ${line}`),
    "}",
    "",
  ].join("\n");
}

function bindingLines(
  text: KernelText,
  rowWords: number,
  wordsOf: (buffer: BufferId) => number,
): readonly string[] {
  const buffers = text.bindings.map(({ buffer, access }, at) => {
    const space = access === "read" ? "read" : "read_write";
    return `@group(0) @binding(${at}) var<storage, ${space}> b${at}: array<${text.type}, ${wordsOf(buffer)}>;`;
  });
  if (rowWords === 0) return buffers;
  return [
    ...buffers,
    `@group(0) @binding(${text.bindings.length}) var<storage, read> rows: array<i32, ${rowWords}>;`,
    `const COLUMNS = ${text.columns.length}i;`,
  ];
}
