import type { TextEdit } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Document } from "../read-document.ts";
import type { AxisLists } from "../trace/axes-text.ts";
import type { TracedOperator } from "../trace/traced.ts";
import type { LayoutStrategy, WrittenAxes } from "../trace/written-layouts.ts";

/**
 * Edits in the layouts of an operator's `.shard(…)` that make its strategy `wanted`, for every
 * occurrence of an identifier, including contraction partner and output. `undefined` when an entry
 * is written otherwise than as a name, names or "None".
 */
export function layoutEdits(
  document: Document,
  strategy: LayoutStrategy,
  operator: Operator,
  before: AxisLists,
  wanted: AxisLists,
): readonly TextEdit[] | undefined {
  const sides = [
    ...operator.inputs.map((operand, index) => ({ operand, layout: strategy.inputs[index] })),
    ...operator.outputs.map((operand, index) => ({ operand, layout: strategy.outputs?.[index] })),
  ];
  const edits = new Map<number, TextEdit>();
  for (const { operand, layout } of sides) {
    for (const [dim, { splittable }] of operand.dims.entries()) {
      const written = layout?.dims[dim];
      if (splittable === undefined || written === undefined) continue;
      // An output keeps extra axes over which its sum is scattered.
      const own = fieldOf(before, splittable) ?? [];
      const further = written.axes.map(({ name }) => name).filter((name) => !own.includes(name));
      const axes = [...(fieldOf(wanted, splittable) ?? []), ...further];
      if (isSame(written, axes)) continue;
      const edit = entryEdit(document.source, written, axes);
      const known = edits.get(written.span.from);
      if (edit === undefined || (known !== undefined && known.text !== edit.text)) return undefined;
      edits.set(written.span.from, edit);
    }
  }
  return [...edits.values()];
}

function isSame({ axes }: WrittenAxes, wanted: readonly string[]): boolean {
  return axes.length === wanted.length && axes.every(({ name }, at) => name === wanted[at]);
}

/** Edit of one layout entry, keeping its quotes; `undefined` without quotes. */
function entryEdit(
  source: string,
  { span }: WrittenAxes,
  axes: readonly string[],
): TextEdit | undefined {
  const before = source.slice(span.from, span.to);
  const quote = /^[("'\s]*(["'])/.exec(before)?.[1];
  if (quote === undefined) return undefined;
  const quoted = axes.map((axis) => `${quote}${axis}${quote}`);
  const [only = `${quote}None${quote}`] = quoted;
  return { ...span, text: quoted.length > 1 ? `(${quoted.join(", ")})` : only };
}

/** Entries of a policy's `graph.partition(…)` call. */
interface PartitionEntries {
  readonly idx: TextEdit;
  readonly dim: TextEdit;
  readonly num: TextEdit;
}

/**
 * Edits in an operator's `graph.partition(…)` that split `identifier` into `count` pieces; 1 makes
 * it whole. `undefined` when it is split more than once, or not by plain entries `idx`, `dim` and
 * `num` of the call or of the dict it spreads.
 */
export function partitionEdits(
  document: Document,
  traced: TracedOperator,
  operator: Operator,
  identifier: string,
  count: number,
): readonly TextEdit[] | undefined {
  const partition = document.trace.partitions.find((each) => each.operator === traced);
  if (partition === undefined || partition.levels.length !== 1) return undefined;
  const entries = entriesOf(document.source, partition.span);
  if (entries === undefined) return undefined;
  const num = /^\d+$/.test(entries.num.text) || partition.levels[0]?.count !== count;
  const edits = num ? [changedTo(entries.num, String(count))] : [];
  if (count > 1) {
    const place = operandDim(traced, operator, identifier);
    if (place === undefined) return undefined;
    edits.push(
      changedTo(entries.idx, String(place.idx)),
      changedTo(entries.dim, String(place.dim)),
    );
  }
  return edits.flatMap((edit) => edit ?? []);
}

/**
 * First operand with the identifier. Operands are counted as policies count them, including plain
 * numbers.
 */
function operandDim(
  traced: TracedOperator,
  operator: Operator,
  identifier: string,
): { readonly idx: number; readonly dim: number } | undefined {
  const tensors = traced.inputs.flatMap((input, index) => (input.kind === "tensor" ? [index] : []));
  for (const [at, operand] of operator.inputs.entries()) {
    const dim = operand.dims.findIndex(({ splittable }) => splittable === identifier);
    const idx = tensors[at];
    if (dim >= 0 && idx !== undefined) return { idx, dim };
  }
  return undefined;
}

function changedTo(entry: TextEdit, text: string): TextEdit | undefined {
  return entry.text === text ? undefined : { ...entry, text };
}

/** Entries of the call with their spans and present texts. */
function entriesOf(
  source: string,
  call: { from: number; to: number },
): PartitionEntries | undefined {
  const spread = /\*\*\s*([A-Za-z_]\w*)\s*[,)]/.exec(source.slice(call.from, call.to))?.[1];
  const own = { from: call.from, to: call.to };
  const places = [own, ...(spread === undefined ? [] : dictBefore(source, call.from, spread))];
  const find = (name: string) => places.flatMap((place) => entryIn(source, place, name) ?? [])[0];
  const [idx, dim, num] = [find("idx"), find("dim"), find("num")];
  return idx === undefined || dim === undefined || num === undefined
    ? undefined
    : { idx, dim, num };
}

/** Body of the last `name = dict(…)` or `name = {…}` before an offset. */
function dictBefore(
  source: string,
  before: number,
  name: string,
): readonly { readonly from: number; readonly to: number }[] {
  const pattern = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(?:dict[ \\t]*\\(|\\{)`, "gm");
  const found = [...source.slice(0, before).matchAll(pattern)].at(-1);
  if (found === undefined) return [];
  const from = found.index + found[0].length;
  const length = source.slice(from).search(/[)}]/);
  return length < 0 ? [] : [{ from, to: from + length }];
}

/** `idx=0` or `"idx": 0`. */
function entryIn(
  source: string,
  { from, to }: { readonly from: number; readonly to: number },
  name: string,
): TextEdit | undefined {
  const pattern = new RegExp(
    `(?:\\b${name}\\s*=|["']${name}["']\\s*:)\\s*([\\w.]+)(?=\\s*[,)}]|\\s*$)`,
  );
  const found = pattern.exec(source.slice(from, to));
  const value = found?.[1];
  if (found === null || value === undefined) return undefined;
  const start = from + found.index + found[0].length - value.length;
  return { from: start, to: start + value.length, text: value };
}
