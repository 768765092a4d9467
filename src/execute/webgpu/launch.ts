import type { BufferId } from "./gpu-program.ts";
import { helperCode } from "./helpers.ts";
import type { Binding, KernelText, Term } from "./kernel-text.ts";
import type { ProductTile, TileChoice } from "./tile-choice.ts";

/** Properties of an adapter on which the text of kernels depends. */
export interface AdapterTraits {
  /** Whether the adapter computes on the CPU, where few threads should do much work each. */
  readonly isCpu: boolean;
  /** Whether four neighbouring threads are a subgroup. */
  readonly hasQuads: boolean;
  /** The most workgroups along one dim of a dispatch. */
  readonly workgroups: number;
  /** Operations from which a kernel may take too long for one dispatch. */
  readonly cutFrom: number;
  /** Bytes of workgroup memory. */
  readonly workgroupBytes: number;
  /** The measured tiles of products; a rule chooses them if absent. */
  readonly tiles?: readonly TileChoice[];
  /** The tile of all products, whatever their shape. */
  readonly product?: ProductTile;
}

/** A kernel with its bindings and the grid that runs it. */
export interface Kernel {
  /** The text; `SIZES` of buffers are filled in when they are bound. */
  readonly bindings: readonly Binding[];
  /** Numbers that instances read instead of literals, row-major; empty if all are literals. */
  readonly rows: readonly number[];
  readonly workgroups: readonly [number, number, number];
  /** The number of its workgroups, all in one row, if it may be run part by part. */
  readonly cutGroups?: number;
  readonly work: number;
  code(wordsOf: (buffer: BufferId) => number): string;
}

/** The distribution of all instances' cells over threads. */
export interface Launch {
  /** Cells, or tiles of cells, of one instance. */
  readonly cells: number;
  readonly instances: number;
  /** Number of cells that one thread computes in turn, a workgroup's width apart. */
  readonly perThread: number;
  /** Number of workgroups that compute cells together; the index of each is `block`. */
  readonly blocks?: number;
}

/** Threads of a workgroup of independent threads. */
const groupSize = 64;

/**
 * Number of workgroups that should remain when threads compute several cells each, and the most
 * cells per thread.
 */
const enough = { cpu: { groups: 32, cells: 32 }, gpu: { groups: 4_096, cells: 8 } };

/**
 * Distributes cells over threads: as many per thread as leave enough workgroups to fill the
 * adapter, because starting a thread costs more than computing a cell.
 */
export function launchOf(
  cells: number,
  instances: number,
  { isCpu }: Pick<AdapterTraits, "isCpu">,
): Launch {
  const { groups, cells: most } = isCpu ? enough.cpu : enough.gpu;
  const spare = Math.floor((cells * instances) / (groupSize * groups));
  const perThread = Math.max(1, Math.min(most, spare, Math.ceil(cells / groupSize)));
  return { cells, instances, perThread };
}

/** Writes a thread's work on each of its cells. */
export function overCells(text: KernelText, launch: Launch, body: (cell: Term) => void): void {
  const { cells, perThread } = launch;
  const cell = { kind: "index", low: 0, high: cells - 1, varies: true } as const;
  if (perThread === 1) {
    body({ ...cell, text: "thread", depth: 0 });
    return;
  }
  text.open(`for (var turn = 0i; turn < ${perThread}i; turn++)`);
  text.statement(`let cell = thread + turn * ${groupSize}i;`);
  text.statement(`if (cell >= ${cells}i) { break; }`);
  body({ ...cell, text: "cell", depth: text.depth });
  text.close();
}

/**
 * Kernel that runs a text on all cells: part by part if it would take long, or if a dispatch cannot
 * hold all instances.
 *
 * @param cost approximate operations of one instance
 */
export function kernelOf(
  text: KernelText,
  launch: Launch,
  cost: number,
  { workgroups: most, cutFrom }: AdapterTraits,
): Kernel {
  const { instances } = launch;
  const rows = Array.from({ length: text.columns.length === 0 ? 0 : instances }, (_, at) =>
    text.columns.map((column) => column[at] ?? 0),
  ).flat();
  const work = cost * instances;
  const groups = groupsOf(launch);
  const across = Math.min(groups, most);
  const down = Math.ceil(groups / across);
  const isCut = work >= cutFrom || instances > most || down > most;
  return {
    bindings: text.bindings,
    rows,
    workgroups: [across, down, instances],
    ...(isCut && { cutGroups: groups * instances }),
    work,
    code: (wordsOf) => {
      const head = isCut ? cutLines(launch) : wholeLines(launch, across, down);
      return assembled(text, head, { rows: rows.length, isCut }, wordsOf);
    },
  };
}

/**
 * Workgroups of one instance; one even for a piece without elements, whose threads have nothing to
 * do.
 */
function groupsOf({ cells, perThread, blocks }: Launch): number {
  return Math.max(1, blocks ?? Math.ceil(cells / (groupSize * perThread)));
}

/** The lines that find a thread and its instance, in rows of workgroups. */
function wholeLines(launch: Launch, across: number, down: number): readonly string[] {
  const width = groupSize * launch.perThread;
  if (launch.blocks !== undefined) {
    return [
      "let instance = i32(group.z);",
      `let block = i32(group.y * ${across}u + group.x);`,
      ...(across * down > launch.blocks ? [`if (block >= ${launch.blocks}i) { return; }`] : []),
    ];
  }
  return [
    "let instance = i32(group.z);",
    `let thread = i32((group.y * ${across}u + group.x) * ${width}u + local.x);`,
    ...guardLines(launch, across * down),
  ];
}

/**
 * `wholeLines` for a dispatch of some of the workgroups: its first, their number, and the length of
 * rows are read.
 */
function cutLines(launch: Launch): readonly string[] {
  const width = groupSize * launch.perThread;
  const groups = groupsOf(launch);
  return [
    "let place = group.y * part.z + group.x;",
    "if (place >= part.y) { return; }",
    "let whole = part.x + place;",
    `let instance = i32(whole / ${groups}u);`,
    ...(launch.blocks === undefined
      ? [
          `let thread = i32((whole % ${groups}u) * ${width}u + local.x);`,
          ...guardLines(launch, groups),
        ]
      : [
          `let block = i32(whole % ${groups}u);`,
          ...(groups > launch.blocks ? [`if (block >= ${launch.blocks}i) { return; }`] : []),
        ]),
  ];
}

/**
 * Guard against surplus threads, written only if there are any, because a branch slows the code
 * after it.
 */
function guardLines({ cells, perThread }: Launch, groups: number): readonly string[] {
  if (perThread > 1 || groups * groupSize === cells) return [];
  return [`if (thread >= ${cells}i) { return; }`];
}

/** The whole module: bindings, called helpers, and the work of one thread. */
function assembled(
  text: KernelText,
  head: readonly string[],
  { rows, isCut }: { readonly rows: number; readonly isCut: boolean },
  wordsOf: (buffer: BufferId) => number,
): string {
  const part = text.bindings.length + (rows === 0 ? 0 : 1);
  const lane = text.usesQuads ? ", @builtin(subgroup_invocation_id) lane: u32" : "";
  return [
    ...(text.usesQuads ? ["enable subgroups;", "diagnostic(off, subgroup_uniformity);"] : []),
    ...bindingLines(text, rows, wordsOf),
    ...(isCut ? [`@group(0) @binding(${part}) var<uniform> part: vec4u;`] : []),
    helperCode(text.helpers),
    ...text.declarations,
    `@compute @workgroup_size(${text.groupSize})`,
    `fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u${lane}) {`,
    ...(text.usesQuads ? ["  let quad = i32(lane);"] : []),
    ...[...head, ...text.lines].map((line) => `  ${line}`),
    "}",
    "",
  ].join("\n");
}

function bindingLines(
  text: KernelText,
  rowWords: number,
  wordsOf: (buffer: BufferId) => number,
): readonly string[] {
  const buffers = text.bindings.map(({ buffer, access, width }, at) => {
    const space = access === "read" ? "read" : "read_write";
    const type = width === 1 ? text.type : `vec4<${text.type}>`;
    const length = Math.floor(wordsOf(buffer) / width);
    return `@group(0) @binding(${at}) var<storage, ${space}> b${at}: array<${type}, ${length}>;`;
  });
  if (rowWords === 0) return buffers;
  return [
    ...buffers,
    `@group(0) @binding(${text.bindings.length}) var<storage, read> rows: array<i32, ${rowWords}>;`,
    `const COLUMNS = ${text.columns.length}i;`,
  ];
}
