import type { Combine, Definition } from "#core/ir/body";
import { emitDefinition, type RangeOf } from "./definition.ts";
import { emitFollowers } from "./emit-followers.ts";
import type { Follower } from "./followers.ts";
import type { BufferId } from "./gpu-program.ts";
import { joinText } from "./join-text.ts";
import { axesOf, placesOf, type ThreadCell, turnLoop, turnsOf } from "./kernel-axes.ts";
import { KernelText, type NumberType, namedNumber, type Term } from "./kernel-text.ts";
import { type AdapterTraits, type Kernel, kernelOf, launchOf, overCells } from "./launch.ts";
import { asNumber } from "./numbers.ts";
import { type OutputSpace, registersOf } from "./output-space.ts";
import { digitsAt, wordAt } from "./places.ts";
import { quadSize, type Scope } from "./scope.ts";
import { type Tile, tileOf } from "./tile.ts";

/** The task of a kernel: a definition, its cells and its operands. */
export interface KernelTask {
  readonly type: NumberType;
  readonly traits: AdapterTraits;
  readonly scope: Omit<Scope, "text" | "registers" | "hasQuads">;
  readonly space: OutputSpace;
  readonly target: BufferId;
  /** Tables that are summed up right before the result that reads them. */
  readonly inline: readonly (Definition & { readonly name: string })[];
  readonly definition: Definition;
  /** The rule that joins a further value to the present one; without it the value is replaced. */
  readonly merge?: Combine;
  readonly rangeOf: RangeOf;
  /** Results that the same threads make from every cell of the result. */
  readonly followers?: readonly Follower[];
}

/** Writes the kernel of a definition over the cells of a result. */
export function writeKernel(task: KernelTask): Kernel {
  const { type, scope, space, definition, inline, rangeOf, traits } = task;
  const text = new KernelText(type);
  const { instances } = scope;
  const cells = space.counters.reduce((product, { length }) => product * length, 1);
  const folds = [...inline, definition];
  const cost = cells * folds.reduce((sum, each) => sum + costOf(each, rangeOf), 0);
  const main = folds.find(({ over }) => over.length > 0);
  const tile = main && tileOf(main, space, scope, { work: instances * cost, traits });
  const spare = launchOf(cells, instances, traits).perThread;
  const turns = tile === undefined ? turnsOf(space, spare) : undefined;
  const axes = axesOf(space, tile ?? turns, text);
  const { followers = [] } = task;
  const threads = axes.reduce((product, axis) => product * axis.threads, 1);
  const launch = { cells: threads, instances, perThread: 1 };
  const hasQuads = traits.hasQuads && tile !== undefined && threads % quadSize === 0;
  overCells(text, launch, (thread) => {
    if (turns !== undefined) text.open(turnLoop(turns.count));
    const places = placesOf(axes, thread, text);
    const scopes = places.map(({ at }): Scope => {
      return { ...scope, hasQuads, text, registers: registersOf(space, at, text) };
    });
    const values = valuesAt(task, scopes, tile === undefined ? 1 : 4);
    for (const [at, place] of places.entries()) {
      const value = values[at];
      if (value === undefined) continue;
      store(task, place, value, text);
      if (tile === undefined) emitFollowers(followers, digitsAt(space, place.at), value, text);
    }
    if (tile !== undefined && followers.length > 0) followTile(task, tile, thread, text);
    if (turns !== undefined) text.close();
  });
  return kernelOf(text, launch, cost, traits);
}

function costOf({ over }: Definition, rangeOf: RangeOf): number {
  return over.reduce((product, loop) => product * Math.max(1, rangeOf(loop).length), 2);
}

function valuesAt(
  { inline, definition, rangeOf }: KernelTask,
  scopes: readonly Scope[],
  unroll: number,
) {
  let inner = scopes;
  for (const { name, ...table } of inline) {
    const sums = emitDefinition(table, inner, rangeOf, unroll);
    inner = inner.map((scope, at) => {
      const sum = sums[at];
      if (sum === undefined) return scope;
      return { ...scope, tables: new Map(scope.tables).set(name, sum) };
    });
  }
  return emitDefinition(definition, inner, rangeOf, unroll);
}

/** Follows the cells of a tile one by one: each is read again by the thread that has stored it. */
function followTile(task: KernelTask, tile: Tile, thread: Term, text: KernelText): void {
  const { space, target, followers = [] } = task;
  const [rows, columns] = [tile.rows?.count ?? 1, tile.columns?.count ?? 1].map((count): Term => {
    const name = text.name("cell");
    text.open(`for (var ${name} = 0i; ${name} < ${count}i; ${name}++)`);
    return { text: name, kind: "index", depth: text.depth, low: 0, high: count - 1 };
  });
  if (rows === undefined || columns === undefined) return;
  const each = { rows: [rows], columns: [columns] };
  for (const place of placesOf(axesOf(space, tile, text, each), thread, text)) {
    const isGuarded = place.guards.length > 0;
    if (isGuarded) text.open(`if (${place.guards.map((guard) => `(${guard})`).join(" & ")})`);
    const name = text.name("made");
    const cell = `${text.buffer(target, "read_write")}[${wordAt(space, place.at, text).text}]`;
    text.statement(`let ${name} = ${cell};`);
    const made = namedNumber(name, text.depth);
    emitFollowers(followers, digitsAt(space, place.at), made, text);
    if (isGuarded) text.close();
  }
  text.close();
  text.close();
}

function store(
  { space, target, merge }: KernelTask,
  place: ThreadCell,
  value: Term,
  text: KernelText,
): void {
  const { guards } = place;
  const cell = `${text.buffer(target, "read_write")}[${wordAt(space, place.at, text).text}]`;
  const number = asNumber(value, text).text;
  const joined = merge === undefined ? number : joinText(merge, cell, number);
  const line = `${cell} = ${joined};`;
  text.statement(
    guards.length === 0
      ? line
      : `if (${guards.map((guard) => `(${guard})`).join(" & ")}) { ${line} }`,
  );
}
