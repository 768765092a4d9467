import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { IndexAxis, Operator } from "#core/ir";
import { fieldOf } from "#core/records";

/** One number of a strategy tuple with its span in the text. */
export interface Entry {
  readonly value: number;
  readonly span: Span;
  /** Whether the number is a literal in the text, so that a fix can replace it. */
  readonly isLiteral?: boolean;
}

/** A tuple strategy as written: one list of entries per operand. */
export interface TupleStrategy {
  readonly operands: readonly (readonly Entry[])[];
  /** Span of each operand's tuple, if it is written out. */
  readonly places?: readonly (Span | undefined)[];
  readonly span: Span;
}

/**
 * Number of pieces per index axis, or the diagnostics with which the compiler refuses the strategy.
 */
export interface AxisCuts {
  readonly pieces: Readonly<Record<string, number>>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The compile-time checks of a tuple strategy in MindSpore's order, first failure wins
 * (mindspore.md §2.2, items 1 to 6; RuntimeError), and the pieces of each index axis.
 *
 * @param shapes shapes of the tensor operands by position
 */
export function axisCuts(
  operator: Operator,
  shapes: readonly (readonly number[])[],
  strategy: TupleStrategy,
): AxisCuts {
  const fault = firstFault(operator, shapes, strategy);
  if (fault !== undefined) return { pieces: {}, diagnostics: [fault] };
  const pieces: Record<string, number> = {};
  for (const [index, operand] of operator.inputs.entries()) {
    for (const [dim, { splittable }] of operand.dims.entries()) {
      const entry = strategy.operands[index]?.[dim];
      if (splittable === undefined || entry === undefined) continue;
      const known = fieldOf(pieces, splittable);
      if (known !== undefined && known !== entry.value) {
        return { pieces: {}, diagnostics: [unequal(operator, splittable, known, entry)] };
      }
      pieces[splittable] = entry.value;
    }
  }
  return { pieces, diagnostics: [] };
}

function firstFault(
  operator: Operator,
  shapes: readonly (readonly number[])[],
  strategy: TupleStrategy,
): Diagnostic | undefined {
  const { operands, span } = strategy;
  if (operands.length !== shapes.length) {
    return refuse(
      span,
      `the strategy of "${operator.name}" has ${operands.length} tuples for ${shapes.length} inputs`,
      otherTuples(operator, shapes, strategy),
    );
  }
  const rank = operands.findIndex((entries, index) => entries.length !== shapes[index]?.length);
  if (rank >= 0) {
    return refuse(
      span,
      `tuple ${rank + 1} of the strategy of "${operator.name}" has ${operands[rank]?.length} entries for ${shapes[rank]?.length} dims`,
      otherEntries(operator, shapes, strategy, rank),
    );
  }
  return (
    firstEntry(operands, (entry) =>
      entry.value >= 1
        ? undefined
        : refuse(
            entry.span,
            `the strategy value ${entry.value} must be at least 1`,
            better(entry, 1),
          ),
    ) ??
    firstEntry(operands, (entry, index, dim) =>
      indivisible(operator, entry, { index, dim, size: shapes[index]?.[dim] ?? 0 }, operands),
    ) ??
    firstEntry(operands, (entry, index, dim) => frozen(operator, entry, index, dim))
  );
}

function firstEntry(
  operands: TupleStrategy["operands"],
  check: (entry: Entry, operand: number, dim: number) => Diagnostic | undefined,
): Diagnostic | undefined {
  for (const [index, entries] of operands.entries()) {
    for (const [dim, entry] of entries.entries()) {
      const fault = check(entry, index, dim);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function indivisible(
  operator: Operator,
  entry: Entry,
  { index, dim, size }: { readonly index: number; readonly dim: number; readonly size: number },
  operands: TupleStrategy["operands"],
): Diagnostic | undefined {
  if (size % entry.value === 0) return undefined;
  const name = operator.inputs[index]?.dims[dim]?.splittable;
  const which = name === undefined ? `dim ${dim}` : `"${name}"`;
  return refuse(
    entry.span,
    `${which} of input ${index} of "${operator.name}" has ${size} elements, which cannot be divided into ${entry.value} equal pieces`,
    fewer(operator, operands, entry, name, size),
  );
}

function frozen(
  operator: Operator,
  entry: Entry,
  index: number,
  dim: number,
): Diagnostic | undefined {
  const layout = operator.inputs[index]?.dims[dim];
  if (entry.value === 1 || layout?.splittable !== undefined) return undefined;
  return refuse(
    entry.span,
    `${operator.op} cannot split dim ${dim} of its input ${index}: its strategy value must be 1`,
    better(entry, 1),
  );
}

function unequal(operator: Operator, identifier: string, first: number, entry: Entry): Diagnostic {
  return refuse(
    entry.span,
    `${operator.op} needs equal strategy values on "${identifier}", but they are ${first} and ${entry.value}`,
    better(entry, first),
  );
}

/**
 * Fixes for a wrong number of tuples: add a tuple for each input without one, with the pieces that
 * the other tuples imply, or remove surplus tuples.
 */
function otherTuples(
  operator: Operator,
  shapes: readonly (readonly number[])[],
  { operands, places }: TupleStrategy,
): readonly Fix[] {
  const [last, kept] = [places?.[operands.length - 1], places?.[shapes.length - 1]];
  if (last === undefined) return [];
  if (operands.length > shapes.length) {
    if (kept === undefined) return [];
    const title = operands.length === shapes.length + 1 ? "the last tuple" : "the last tuples";
    const text = shapes.length === 1 ? "," : "";
    return [{ title: `Take ${title} out`, edits: [{ from: kept.to, to: last.to, text }] }];
  }
  const added = shapes.slice(operands.length).map(({ length }, index) => {
    const pieces = piecesFor(operator, operands, operands.length + index, 0, length);
    return `(${pieces.join(", ")}${length === 1 ? "," : ""})`;
  });
  const text = added.map((tuple) => `, ${tuple}`).join("");
  return [{ title: `Add ${added.join(", ")}`, edits: [{ from: last.to, to: last.to, text }] }];
}

/**
 * The fix for a tuple of the wrong length: add the missing entries, or remove surplus entries if
 * all of them are 1.
 */
function otherEntries(
  operator: Operator,
  shapes: readonly (readonly number[])[],
  { operands }: TupleStrategy,
  index: number,
): readonly Fix[] {
  const [entries, rank] = [operands[index] ?? [], shapes[index]?.length ?? 0];
  const [last, kept] = [entries.at(-1), entries[rank - 1]];
  if (last?.isLiteral !== true) return [];
  if (entries.length > rank) {
    if (kept === undefined || entries.slice(rank).some(({ value }) => value !== 1)) return [];
    const edit = { from: kept.span.to, to: last.span.to, text: "" };
    return [{ title: "Take the last entry out", edits: [edit] }];
  }
  const added = piecesFor(operator, operands, index, entries.length, rank).join(", ");
  const edit = { from: last.span.to, to: last.span.to, text: `, ${added}` };
  return [{ title: `Add ${added}`, edits: [edit] }];
}

/**
 * Pieces of an input's dims as the tuples of the other inputs imply them; 1 for dims that none
 * mentions.
 */
function piecesFor(
  { inputs }: Operator,
  operands: TupleStrategy["operands"],
  index: number,
  from: number,
  to: number,
): readonly number[] {
  const said = inputs.flatMap(({ dims }, other) =>
    other === index
      ? []
      : dims.map(({ splittable }, dim) => [splittable, operands[other]?.[dim]?.value] as const),
  );
  const dims = inputs[index]?.dims ?? [];
  return Array.from({ length: to - from }, (_, at) => {
    const name = dims[from + at]?.splittable;
    const found = said.find(([other, value]) => other === name && value !== undefined);
    return name === undefined ? 1 : (found?.[1] ?? 1);
  });
}

/**
 * The fix that writes a smaller power of two, which divides the dim, at every entry of the same
 * identifier.
 */
function fewer(
  { inputs }: Operator,
  operands: TupleStrategy["operands"],
  entry: Entry,
  name: string | undefined,
  size: number,
): readonly Fix[] {
  let pieces = 2 ** Math.floor(Math.log2(entry.value));
  while (pieces > 1 && size % pieces !== 0) pieces /= 2;
  const same = inputs.flatMap(({ dims }, index) =>
    dims.flatMap(({ splittable }, dim) => {
      const other = operands[index]?.[dim];
      return name !== undefined && splittable === name && other?.value === entry.value
        ? [other]
        : [];
    }),
  );
  const places = same.length === 0 ? [entry] : same;
  if (places.some(({ isLiteral }) => isLiteral !== true)) return [];
  const text = String(pieces);
  return [{ title: `Write ${text}`, edits: places.map(({ span }) => ({ ...span, text })) }];
}

/** The fix that replaces the number by `value`; none unless it is a literal. */
function better({ span, isLiteral }: Entry, value: number): readonly Fix[] {
  const text = String(value);
  return isLiteral === true ? [{ title: `Write ${text}`, edits: [{ ...span, text }] }] : [];
}

function refuse(span: Span, message: string, fixes: readonly Fix[] = []): Diagnostic {
  return {
    code: "mindspore/strategy-refused",
    severity: "error",
    message,
    span,
    upstream: "RuntimeError",
    ...(fixes.length > 0 && { fixes }),
  };
}

/** The operator's device matrix: pieces of each index axis in order (mindspore.md §5). */
export function deviceMatrix(
  axes: readonly IndexAxis[],
  pieces: AxisCuts["pieces"],
): readonly number[] {
  return axes.map((axis) => fieldOf(pieces, axis.name) ?? 1);
}
