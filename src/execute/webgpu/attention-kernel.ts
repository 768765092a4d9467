import { product } from "#core/arithmetic";
import type { Expr, Table } from "#core/ir/body";
import { type Attention, attentionThreads, factorsOf, productOf } from "./attention-shape.ts";
import { emitDefinition } from "./definition.ts";
import { emitFollowers } from "./emit-followers.ts";
import { emit } from "./expression.ts";
import { joinText } from "./join-text.ts";
import { KernelText, literalIndex, namedNumber, type Term } from "./kernel-text.ts";
import { declareSums, joinLanes, type Lanes, oneLane, openLanes } from "./lanes.ts";
import { type Kernel, kernelOf } from "./launch.ts";
import { asNumber } from "./numbers.ts";
import { registersOf } from "./output-space.ts";
import { digitsAt, placesIn, wordAt } from "./places.ts";
import { cellsBeside, counterOf, type RowTask } from "./row-kernel.ts";
import type { Register, Scope } from "./scope.ts";

/** The table with the weight of each column in a row. */
const weight = "#weight";

/** The parts of an attention kernel while it is written. */
interface Writing {
  readonly task: RowTask;
  readonly attention: Attention;
  readonly lanes: Lanes;
  readonly text: KernelText;
}

/**
 * Row of a workgroup, with the condition that it exists, since the last rows may exceed the range.
 */
interface Row {
  readonly scope: Scope;
  readonly guard: string | undefined;
}

/**
 * Writes the kernel of an attention. Each workgroup computes some rows: their scores, kept in
 * workgroup memory; the sums along them; the weights, which overwrite the scores; and the result.
 */
export function writeAttention(task: RowTask, attention: Attention): Kernel {
  const { type, scope, rangeOf } = task;
  const { scores, sums, columns, rows, result } = attention;
  const text = new KernelText(type);
  text.groupSize = attentionThreads;
  text.declarations.push(
    `var<workgroup> scores: array<${type}, ${rows * columns}>;`,
    `var<workgroup> shares: array<${type}, ${rows * attentionThreads}>;`,
  );
  text.statement("let t = i32(local.x);");
  const lane: Term = { ...indexTerm, text: "t", high: attentionThreads - 1 };
  const writing = { task, attention, text, lanes: { count: attentionThreads, own: lane } };
  const { blocks, rows: all } = rowsOf(writing);
  keepScores(writing, all);
  const summed = sums.reduce<readonly Row[]>((each, table) => sumUp(writing, table, each), all);
  const { fixed, moving } = factorsOf(result.definition, attention, scope);
  weigh(writing, fixed, summed);
  gather(writing, moving, summed);
  const inner = scores.over.reduce((product, loop) => product * rangeOf(loop).length, 1);
  const cells = result.space.counters.reduce((product, { length }) => product * length, 1);
  const cost = 2 * columns * (blocks * rows * (inner + 8) + cells);
  const launch = { cells: 0, instances: scope.instances, perThread: 1, blocks };
  return kernelOf(text, launch, cost, task.traits);
}

const indexTerm = { kind: "index", depth: 0, low: 0, varies: true } as const;

/** The rows of a workgroup, neighbours along the last of their axes. */
function rowsOf({ task, attention, text }: Writing) {
  const { axes, rows } = attention;
  const ranges = axes.map((loop) => ({ name: loop.axis, ...task.rangeOf(loop) }));
  const last = ranges.at(-1)?.length ?? 1;
  const perBlock = [...ranges.slice(0, -1).map(({ length }) => length), Math.ceil(last / rows)];
  const blocks = product(perBlock);
  const places = placesIn(perBlock, { ...indexTerm, text: "block", high: blocks - 1 }, text);
  const first = text.scaled(places.at(-1) ?? literalIndex(0), rows);
  const made = Array.from({ length: rows }, (_, row): Row => {
    const { at, guard } = rowAt(text.sum(first, literalIndex(row)), last, text);
    const registers = ranges.map(({ name, starts }, axis): [string, Register] => {
      const own = axis === ranges.length - 1 ? at : places[axis];
      return [name, { local: own ?? literalIndex(0), starts }];
    });
    const scope = { ...task.scope, text, registers: new Map(registers), hasQuads: false };
    return { scope, guard };
  });
  return { blocks, rows: made };
}

/** A row that exists: rows beyond the end are read as the last row, and never stored. */
function rowAt(at: Term, rows: number, text: KernelText) {
  if (at.high < rows) return { at, guard: undefined };
  const inside = text.compute("index", `min(${at.text}, ${rows - 1}i)`, [at], [0, rows - 1]);
  return { at: inside, guard: `${at.text} < ${rows}i` };
}

/** Opens a loop over the columns, and gives the scopes of all rows in it. */
function openColumns({ task, attention, text }: Writing, rows: readonly Row[], lanes: Lanes) {
  const { column, columns } = attention;
  const cell = openLanes(columns, lanes, text);
  const { starts } = task.rangeOf(column);
  const scopes = rows.map(({ scope }): Scope => {
    const registers = new Map(scope.registers).set(column.axis, { local: cell, starts });
    return { ...scope, registers };
  });
  return { cell, scopes };
}

/** Index in the workgroup's memory of a column's number in a row. */
function placeOf(row: number, cell: Term, { attention, text }: Writing): string {
  return `scores[${text.sum(literalIndex(row * attention.columns), cell).text}]`;
}

/** Scope of a row in which its kept number is available under a name. */
function withKept(writing: Writing, name: string, scope: Scope, row: number, cell: Term): Scope {
  const term = writing.text.compute("number", placeOf(row, cell, writing), [cell]);
  return { ...scope, tables: new Map(scope.tables).set(name, term) };
}

/** The scores of all rows. */
function keepScores(writing: Writing, rows: readonly Row[]): void {
  const { task, attention, text, lanes } = writing;
  const { cell, scopes } = openColumns(writing, rows, lanes);
  const found = emitDefinition(attention.scores, scopes, task.rangeOf, 4);
  for (const [row, { text: score }] of found.entries()) {
    text.statement(`${placeOf(row, cell, writing)} = ${score};`);
  }
  text.close();
  text.statement("workgroupBarrier();");
}

/** A sum along each row, available to the later steps. */
function sumUp(writing: Writing, table: Table, rows: readonly Row[]): readonly Row[] {
  const { attention, text, lanes } = writing;
  const { combine, value } = table;
  const names = declareSums(rows.length, combine, text);
  const { cell, scopes } = openColumns(writing, rows, lanes);
  for (const [row, scope] of scopes.entries()) {
    const name = names[row] ?? "";
    const kept = withKept(writing, attention.scores.name, scope, row, cell);
    const term = asNumber(emit(value, kept), text);
    text.statement(`${name} = ${joinText(combine, name, term.text)};`);
  }
  text.close();
  const sums = joinLanes(names, combine, lanes, text);
  return rows.map(({ scope, guard }, row) => {
    const sum = sums[row] ?? literalIndex(0);
    return { guard, scope: { ...scope, tables: new Map(scope.tables).set(table.name, sum) } };
  });
}

/** Writes the weight of each column in each row over its score. */
function weigh(writing: Writing, fixed: Expr, rows: readonly Row[]): void {
  const { attention, text, lanes } = writing;
  const { cell, scopes } = openColumns(writing, rows, lanes);
  for (const [row, scope] of scopes.entries()) {
    const kept = withKept(writing, attention.scores.name, scope, row, cell);
    const term = asNumber(emit(fixed, kept), text);
    text.statement(`${placeOf(row, cell, writing)} = ${term.text};`);
  }
  text.close();
  text.statement("workgroupBarrier();");
}

/** Sums along the columns for every remaining cell of each row, and stores the result. */
function gather(writing: Writing, moving: readonly Expr[], rows: readonly Row[]): void {
  const { attention, text, lanes } = writing;
  const { space } = attention.result;
  const beside = rows.map(({ scope }) => {
    const own = attention.axes.map(
      ({ axis }) => [counterOf(space, axis)?.name, scope.registers.get(axis)?.local] as const,
    );
    return cellsBeside(space, new Map(own.flatMap(([name, at]) => (at ? [[name, at]] : []))));
  });
  const cell = openLanes(beside[0]?.length ?? 0, lanes, text);
  const placed = rows.map(({ scope, guard }, row) => {
    const places = beside[row]?.placesAt(cell, text) ?? [];
    return { places, guard, scope: { ...scope, registers: registersOf(space, places, text) } };
  });
  const names = declareSums(rows.length, "sum", text);
  const value = productOf([{ kind: "table", name: weight }, ...moving]);
  const inner = openColumns(writing, placed, oneLane);
  for (const [row, scope] of inner.scopes.entries()) {
    const kept = withKept(writing, weight, scope, row, inner.cell);
    text.statement(`${names[row]} += ${asNumber(emit(value, kept), text).text};`);
  }
  text.close();
  for (const [row, { places, guard }] of placed.entries()) {
    store(writing, places, guard, names[row] ?? "");
  }
  text.close();
}

/** Stores a cell of the result, and computes the followers' cells from it. */
function store(
  { attention, text }: Writing,
  places: readonly Term[],
  guard: string | undefined,
  name: string,
): void {
  const { space, target, followers } = attention.result;
  if (guard !== undefined) text.open(`if (${guard})`);
  const word = wordAt(space, places, text);
  text.statement(`${text.buffer(target, "read_write")}[${word.text}] = ${name};`);
  emitFollowers(followers, digitsAt(space, places), namedNumber(name, text.depth), text);
  if (guard !== undefined) text.close();
}
