import { product } from "#core/arithmetic";
import type { Definition, Table } from "#core/ir/body";
import { pinnedLoop } from "#execute/engine";
import type { RangeOf } from "./definition.ts";
import { emitFollowers } from "./emit-followers.ts";
import { emit } from "./expression.ts";
import type { Follower } from "./followers.ts";
import type { BufferId } from "./gpu-program.ts";
import { joinText } from "./join-text.ts";
import {
  KernelText,
  literalIndex,
  type NumberType,
  namedNumber,
  type Term,
} from "./kernel-text.ts";
import { declareSums, joinLanes, type Lanes, oneLane, openLanes } from "./lanes.ts";
import { type AdapterTraits, type Kernel, kernelOf, overCells } from "./launch.ts";
import { asNumber } from "./numbers.ts";
import { type Counter, type OutputSpace, registersOf } from "./output-space.ts";
import { digitsAt, placesIn, wordAt } from "./places.ts";
import type { Register, Scope } from "./scope.ts";

/** A result of rows: its cells and their definition. */
export interface RowResult {
  readonly space: OutputSpace;
  readonly target: BufferId;
  readonly definition: Definition;
  readonly followers: readonly Follower[];
}

/** Rows, each with sums that all cells of the row read: a norm, a softmax. */
export interface RowTask {
  readonly type: Exclude<NumberType, "u32">;
  readonly traits: AdapterTraits;
  readonly scope: Omit<Scope, "text" | "registers" | "hasQuads">;
  /** Sums of a row in order; each may read the ones before it. */
  readonly tables: readonly Table[];
  readonly results: readonly RowResult[];
  readonly rangeOf: RangeOf;
}

/** Number of rows below which a CPU, on which each thread computes a row, is not fully used. */
const fewRows = 32;

/**
 * Whether tables are sums of the rows of some results: all along the same axes, each of them an
 * index of every result.
 */
export function areRows({ tables, results, rangeOf, scope, traits }: RowTask): boolean {
  const [first] = tables;
  if (first === undefined || first.axes.length === 0) return false;
  const names = String(first.axes.map(({ axis }) => axis));
  const isAlike = (table: Table) =>
    String(table.axes.map(({ axis }) => axis)) === names && pinnedLoop(table) === undefined;
  const rows = first.axes.reduce(
    (product, loop) => product * rangeOf(loop).length,
    scope.instances,
  );
  if (!tables.every(isAlike) || (traits.isCpu && rows < fewRows)) return false;
  return results.every(
    ({ space, definition }) =>
      definition.over.length === 0 && haveCounters(first.axes, space, rangeOf),
  );
}

/** Whether axes are counters of a result, over their full length. */
export function haveCounters(axes: Table["axes"], space: OutputSpace, rangeOf: RangeOf): boolean {
  return axes.every((loop) => {
    const counter = counterOf(space, loop.axis);
    const { length, starts } = rangeOf(loop);
    return counter?.length === length && String(counter.starts) === String(starts);
  });
}

/**
 * Loop counter for an axis, also under an alias; `undefined` if the axis is composed of several.
 */
export function counterOf({ counters, derived }: OutputSpace, axis: string): Counter | undefined {
  const alias = derived.find(({ name }) => name === axis);
  if (alias?.kind === "digit") return undefined;
  const [part, ...others] = alias?.parts ?? [{ of: axis, factor: 1 }];
  if (part === undefined || part.factor !== 1 || others.length > 0) return undefined;
  return counters.find(({ name }) => name === part.of);
}

/** Writes the kernel that makes rows, their sums first. */
export function writeRows(task: RowTask): Kernel {
  const { type, scope, tables, rangeOf, traits } = task;
  const text = new KernelText(type);
  const ranges = (tables[0]?.axes ?? []).map((loop) => ({ name: loop.axis, ...rangeOf(loop) }));
  const rows = ranges.reduce((product, { length }) => product * length, 1);
  const lengths = tables.map(({ over }) =>
    over.reduce((product, loop) => product * rangeOf(loop).length, 1),
  );
  const longest = Math.max(1, ...lengths);
  const cost = rows * lengths.reduce((sum, length) => sum + 2 * length, 4 * longest);
  const common = { instances: scope.instances, perThread: 1 };
  if (traits.isCpu) {
    const launch = { ...common, cells: rows };
    overCells(text, launch, (row) => writeRow(task, ranges, row, oneLane, text));
    return kernelOf(text, launch, cost, traits);
  }
  const lanes = lanesOf(longest, text);
  text.declarations.push(`var<workgroup> shares: array<${type}, ${lanes.count}>;`);
  const row: Term = { ...lanes.own, text: "block", high: rows - 1 };
  writeRow(task, ranges, row, lanes, text);
  return kernelOf(text, { ...common, cells: rows, blocks: rows }, cost, traits);
}

/** The threads of a workgroup, about as many as a row has cells. */
function lanesOf(cells: number, text: KernelText): Lanes {
  const count = cells > 1_024 ? 256 : 64;
  text.groupSize = count;
  text.statement("let t = i32(local.x);");
  const index = { kind: "index", depth: 0, low: 0, varies: true } as const;
  return { count, own: { ...index, text: "t", high: count - 1 } };
}

/** The range of an axis that all instances run. */
interface AxisRange {
  readonly name: string;
  readonly length: number;
  readonly starts: readonly number[];
}

function registersAt(
  ranges: readonly AxisRange[],
  index: Term,
  text: KernelText,
): readonly (readonly [string, Register])[] {
  const places = placesIn(
    ranges.map(({ length }) => length),
    index,
    text,
  );
  return ranges.map(({ name, starts }, at) => [
    name,
    { local: places[at] ?? literalIndex(0), starts },
  ]);
}

function writeRow(
  task: RowTask,
  ranges: readonly AxisRange[],
  row: Term,
  lanes: Lanes,
  text: KernelText,
): void {
  const known = new Map(registersAt(ranges, row, text));
  let inner: Scope = { ...task.scope, text, registers: known, hasQuads: false };
  for (const table of task.tables) {
    const sum = rowSum(table, inner, task.rangeOf, lanes);
    inner = { ...inner, tables: new Map(inner.tables).set(table.name, sum) };
  }
  for (const result of task.results) writeCells(result, inner, known, lanes);
}

/** A sum of a row: every lane's share, then the join of all. */
function rowSum(
  { over, combine, value }: Table,
  scope: Scope,
  rangeOf: RangeOf,
  lanes: Lanes,
): Term {
  const { text } = scope;
  const ranges = over.map((loop) => ({ name: loop.axis, ...rangeOf(loop) }));
  const length = ranges.reduce((product, each) => product * each.length, 1);
  const [name = ""] = declareSums(1, combine, text);
  const cell = openLanes(length, lanes, text);
  const registers = new Map([...scope.registers, ...registersAt(ranges, cell, text)]);
  const term = asNumber(emit(value, { ...scope, registers }), text);
  text.statement(`${name} = ${joinText(combine, name, term.text)};`);
  text.close();
  const own = namedNumber(name, text.depth);
  return lanes.count === 1 ? own : (joinLanes([name], combine, lanes, text)[0] ?? own);
}

/** Makes the cells of a result in one row. */
function writeCells(
  { space, target, definition, followers }: RowResult,
  scope: Scope,
  rows: ReadonlyMap<string, Register>,
  lanes: Lanes,
): void {
  const { text } = scope;
  const own = new Map([...rows].map(([axis, { local }]) => [counterOf(space, axis)?.name, local]));
  const { length, placesAt } = cellsBeside(space, own);
  const places = placesAt(openLanes(length, lanes, text), text);
  const registers = registersOf(space, places, text);
  const value = asNumber(emit(definition.value, { ...scope, registers }), text);
  const word = wordAt(space, places, text);
  text.statement(`${text.buffer(target, "read_write")}[${word.text}] = ${value.text};`);
  emitFollowers(followers, digitsAt(space, places), value, text);
  text.close();
}

/** The cells of a space under fixed counters: their number, and the place of each. */
export function cellsBeside(
  { counters }: OutputSpace,
  own: ReadonlyMap<string | undefined, Term>,
): {
  readonly length: number;
  readonly placesAt: (cell: Term, text: KernelText) => readonly Term[];
} {
  const others = counters.filter(({ name }) => !own.has(name));
  const lengths = others.map(({ length }) => length);
  return {
    length: product(lengths),
    placesAt: (cell, text) => {
      const found = placesIn(lengths, cell, text);
      const places = new Map(others.map(({ name }, at) => [name, found[at]]));
      return counters.map(({ name }) => own.get(name) ?? places.get(name) ?? literalIndex(0));
    },
  };
}
