import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { IndexAxis, Operator } from "#core/ir";

/** One number of a strategy tuple with its place in the text. */
export interface Entry {
  readonly value: number;
  readonly span: Span;
  /** Whether the number itself stands there, so that another can be written. */
  readonly isLiteral?: boolean;
}

/** A tuple strategy as written: one list of entries per operand. */
export interface TupleStrategy {
  readonly operands: readonly (readonly Entry[])[];
  readonly span: Span;
}

/** Into how many pieces a strategy cuts each index axis, or why the compiler refuses it. */
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
      const known = pieces[splittable];
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
    );
  }
  const rank = operands.findIndex((entries, index) => entries.length !== shapes[index]?.length);
  if (rank >= 0) {
    return refuse(
      span,
      `tuple ${rank + 1} of the strategy of "${operator.name}" has ${operands[rank]?.length} entries for ${shapes[rank]?.length} dims`,
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
      indivisible(operator, entry, { index, dim, size: shapes[index]?.[dim] ?? 0 }),
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
): Diagnostic | undefined {
  if (size % entry.value === 0) return undefined;
  const name = operator.inputs[index]?.dims[dim]?.splittable;
  const which = name === undefined ? `dim ${dim}` : `"${name}"`;
  return refuse(
    entry.span,
    `${which} of input ${index} of "${operator.name}" has ${size} elements, which cannot be divided into ${entry.value} equal pieces`,
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

/** The fix that writes another number. */
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
  return axes.map((axis) => pieces[axis.name] ?? 1);
}
