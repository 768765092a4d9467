import { product } from "#core/arithmetic";
import { type Collective, receivedElements } from "#core/collective";
import { type Checked, passed } from "#core/diagnostics";
import type { CompiledCollective, PublishedFile, PublishedProgram } from "../format.ts";
import { notModelled, oneLine, refused } from "../refused.ts";

/** Most bytes of a compiled program; those of the largest models have some ten million. */
const mostBytes = 64 * 1024 * 1024;

/** Most collectives listed, and most visits of computations, one per call. */
const mostRows = 20_000;
const mostVisits = 200_000;

type Kind = Exclude<Collective, "exchange" | "slice">;

const kinds: ReadonlySet<string> = new Set<Kind>([
  ...(["all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute"] as const),
]);

function isKind(name: string): name is Kind {
  return kinds.has(name);
}

/** An instruction that is a collective or a call. */
interface Instruction {
  readonly op: string;
  readonly type: string;
  readonly rest: string;
}

/**
 * Reads a program compiled by XLA (`compiled.as_text()`) for its collectives: elements moved per
 * device, runs, and the operator that caused each. No board is drawn: the list is compared with the
 * present plan.
 */
export function readHlo(file: PublishedFile): Checked<PublishedProgram> {
  const { name, size } = file;
  if (size > mostBytes) return refused(name, "a compiled program has at most 64 MiB");
  const text = file.decode(file.bytes);
  if (text === undefined) return refused(name, "it is no text");
  const { computations, entry } = computationsIn(text);
  if (entry === undefined) return refused(name, "it has no ENTRY computation");
  const reading: Reading = {
    computations,
    devices: devicesOf(text),
    rows: [],
    left: new Set(),
    visits: 0,
  };
  visit(reading, entry, 1, []);
  const { rows, left } = reading;
  const title = oneLine(/^HloModule ([^\s,]+)/mu.exec(text)?.[1] ?? name);
  const count = rows.reduce((sum, { times }) => sum + times, 0);
  const sentence = `XLA runs ${count} collectives in ${title}, on ${reading.devices} devices.`;
  return passed({
    ...{ format: "compiled HLO", title, sentence, collectives: rows },
    notes: notModelled([...left]),
  });
}

/** Partitions times replicas; 1 when the text states neither. */
function devicesOf(text: string): number {
  const head = text.slice(0, 100_000);
  const count = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`, "u").exec(head)?.[1] ?? 1);
  return count("num_partitions") * count("replica_count");
}

interface Reading {
  readonly computations: ReadonlyMap<string, readonly Instruction[]>;
  readonly devices: number;
  readonly rows: CompiledCollective[];
  /** Parts that cannot be counted, in words. */
  readonly left: Set<string>;
  visits: number;
}

/** Computations of a text by name, each with its collectives and calls. */
function computationsIn(text: string) {
  const computations = new Map<string, Instruction[]>();
  let entry: string | undefined;
  let open: Instruction[] = [];
  for (const line of text.split("\n")) {
    const head = /^(ENTRY )?%?([\w.-]+) \(.*\{\s*$/u.exec(line);
    if (head !== null) {
      open = [];
      computations.set(head[2] ?? "", open);
      if (head[1] !== undefined) entry = head[2];
    } else {
      const read = instructionIn(line);
      if (read !== undefined) open.push(read);
    }
  }
  return { computations, entry };
}

function instructionIn(line: string): Instruction | undefined {
  const start = /^\s+(?:ROOT )?%?[\w.-]+ = /u.exec(line);
  if (start === null) return undefined;
  const body = line.slice(start[0].length);
  const end = body.startsWith("(") ? closingOf(body) + 1 : body.search(/ [a-z]/u);
  const [, op, rest] = /^\s*([a-z][a-z0-9-]*)\((.*)$/u.exec(body.slice(end)) ?? [];
  if (op === undefined || rest === undefined) return undefined;
  const matters = isKind(op.replace(/-start$/u, "")) || /=%?[\w.-]|=\{%/u.test(rest);
  return matters ? { op, type: body.slice(0, end), rest } : undefined;
}

function closingOf(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** Visits a computation that runs `times` times, and the computations that it calls. */
function visit(reading: Reading, name: string, times: number, above: readonly string[]): void {
  reading.visits += 1;
  if (reading.visits > mostVisits || above.includes(name) || above.length > 100) {
    reading.left.add("calls that lie too deep");
    return;
  }
  const inside = [...above, name];
  for (const instruction of reading.computations.get(name) ?? []) {
    const kind = instruction.op.replace(/-start$/u, "");
    if (isKind(kind)) addRows(reading, kind, instruction, times);
    else if (!/-(?:done|update)$/u.test(instruction.op))
      visitCalls(reading, instruction, times, inside);
  }
}

function visitCalls(
  reading: Reading,
  { op, rest }: Instruction,
  times: number,
  inside: readonly string[],
): void {
  if (op === "while") {
    const known = /"known_trip_count":\{"n":"(\d{1,12})"\}/u.exec(rest)?.[1];
    const body = /\bbody=%?([\w.-]+)/u.exec(rest)?.[1];
    const before = reading.rows.length;
    if (body !== undefined) visit(reading, body, times * Number(known ?? 1), inside);
    if (known === undefined && reading.rows.length > before) {
      reading.left.add("how often a loop runs, which counts once");
    }
    return;
  }
  const before = reading.rows.length;
  const branches = /\bbranch_computations=\{([^}]*)\}/u.exec(rest)?.[1]?.split(",") ?? [];
  const pair = ["true_computation", "false_computation", "calls", "to_apply"].map(
    (word) => new RegExp(`\\b${word}=\\{?%?([\\w.-]+)`, "u").exec(rest)?.[1],
  );
  const called = [...branches.map((each) => each.trim().replace("%", "")), ...pair];
  for (const each of called) {
    if (each !== undefined && each !== "" && !/^(?:reduce|all-reduce|scatter|sort|map)/u.test(op)) {
      visit(reading, each, times, inside);
    }
  }
  if (op === "conditional" && reading.rows.length > before) {
    reading.left.add("which branch runs: all count");
  }
}

/** Adds one row per tensor that a collective moves. */
function addRows(reading: Reading, kind: Kind, instruction: Instruction, times: number): void {
  const { type, rest, op } = instruction;
  const groups = groupsIn(rest, reading.devices);
  if (groups === undefined) {
    reading.left.add(`the groups of an ${kind}`);
    return;
  }
  const path = /op_name="([^"\\]*(?:\\.[^"\\]*)*)"/u.exec(rest)?.[1] ?? "";
  const parts =
    kind === "all-to-all" && type.startsWith("(") ? [wholeOf(type)] : resultsOf(type, op);
  for (const { dtype, shape } of parts) {
    if (reading.rows.length >= mostRows) {
      reading.left.add("more than 20,000 collectives");
      return;
    }
    const made = product(shape);
    const local = localElements(kind, made, groups.size);
    const elements = receivedElements(kind, { groupSize: groups.size, localElements: local });
    reading.rows.push({
      ...{ kind, dtype, shape, groupSize: groups.size, groups: groups.count, times, elements },
      bytes: elements * bytesOf(dtype),
      name: nameOf(path),
      phase: /\btranspose\(/u.test(path) ? "backward" : "forward",
    });
  }
}

/** Elements on a device before a collective whose result has `made` elements there. */
function localElements(kind: Kind, made: number, size: number): number {
  if (kind === "all-gather") return made / size;
  return kind === "reduce-scatter" ? made * size : made;
}

interface Groups {
  readonly size: number;
  readonly count: number;
}

/**
 * Reads `{{0,1},{2,3}}`, `[2,4]<=[8]`, `mesh['a'=2,'b'=4] {'b'}`, pairs of a permute, or all
 * devices in one group; `undefined` for any other notation.
 */
function groupsIn(rest: string, devices: number): Groups | undefined {
  const [, count, size] = /replica_groups=\[(\d+),(\d+)\]<=/u.exec(rest) ?? [];
  if (count !== undefined && size !== undefined)
    return { size: Number(size), count: Number(count) };
  const [, axes, named] = /replica_groups=mesh\[([^\]]*)\][^{]*\{([^}]*)\}/u.exec(rest) ?? [];
  if (axes !== undefined && named !== undefined) return ofMesh(axes, named);
  const listed = /replica_groups=\{(\{[\d,{}]*\})\}/u.exec(rest)?.[1];
  if (listed !== undefined) {
    const lists = listed.match(/\{[\d,]*\}/gu) ?? [];
    return { size: (lists[0]?.match(/\d+/gu) ?? []).length, count: lists.length };
  }
  const pairs = /source_target_pairs=\{([\d,{}]*)\}/u.exec(rest)?.[1];
  if (pairs !== undefined) return { size: 2, count: (pairs.match(/\{/gu) ?? []).length };
  const isAll = !rest.includes("replica_groups=") || rest.includes("replica_groups={}");
  return isAll ? { size: devices, count: 1 } : undefined;
}

/** Groups along axes of a mesh: `'a'=2,'b'=4` with `'b'`, or with `'b':(1)2` along a part of one. */
function ofMesh(axes: string, named: string): Groups | undefined {
  const sizes = new Map(
    [...axes.matchAll(/'([^']*)'=(\d+)/gu)].map(([, name = "", size]) => [name, Number(size)]),
  );
  let size = 1;
  for (const [, name = "", part] of named.matchAll(/'([^']*)'(?::\(\d+\)(\d+))?/gu)) {
    const own = part === undefined ? sizes.get(name) : Number(part);
    if (own === undefined) return undefined;
    size *= own;
  }
  const all = product([...sizes.values()]);
  return { size, count: all / size };
}

interface Part {
  readonly dtype: string;
  readonly shape: readonly number[];
}

function partsOf(type: string): readonly Part[] {
  return [...type.matchAll(/\b([a-z]\w*)\[([\d,]*)\]/gu)].map(([, dtype = "", sizes = ""]) => ({
    dtype,
    shape: sizes.split(",").filter(Boolean).map(Number),
  }));
}

/** Result tensors of a collective; the type of an asynchronous start lists the operands first. */
function resultsOf(type: string, op: string): readonly Part[] {
  const parts = partsOf(type);
  if (op === "collective-permute-start") return parts.slice(1, 2);
  return op === "all-gather-start" ? parts.slice(parts.length / 2) : parts;
}

/** The parts of an all-to-all belong to one tensor. */
function wholeOf(type: string): Part {
  const parts = partsOf(type);
  const [first = { dtype: "f32", shape: [] }] = parts;
  const [size = 1, ...rest] = first.shape;
  return { dtype: first.dtype, shape: [size * parts.length, ...rest] };
}

function bytesOf(dtype: string): number {
  if (dtype === "pred") return 1;
  const bits = Number(/^[a-z]+(\d+)/u.exec(dtype)?.[1] ?? 32);
  return (dtype.startsWith("c") ? bits : Math.max(bits, 8)) / 8;
}

/**
 * `jit(step)/transpose(jvp(Net))/Dense_0/dot_general` without the words that JAX's transformations
 * add.
 */
function nameOf(path: string): string {
  const kept = path.split("/").flatMap((part) => {
    const inner = part.replace(
      /^(?:(?:jit|pjit|jvp|transpose|vmap|remat|checkpoint|custom_vjp)\()+/u,
      "",
    );
    const plain = inner.replace(/\)+$/u, "");
    return inner === part ? [part] : /^(?:jit|pjit)\(/u.test(part) || plain === "" ? [] : [plain];
  });
  return oneLine(kept.filter((part) => !["while", "body", "closed_call"].includes(part)).join("/"));
}
