import { type Expr, standInNumber } from "#core/ir";
import { emitApplication, isComparison } from "./application.ts";
import type { BufferId } from "./gpu-program.ts";
import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import { asNumber, notANumber, numberLiteral } from "./numbers.ts";
import type { BlockView, OperandViews, Register, Scope } from "./scope.ts";

/** Writes an expression into a kernel. */
export function emit(expr: Expr, scope: Scope): Term {
  const { text, isExact } = scope;
  switch (expr.kind) {
    case "number":
      return numberLiteral(isExact ? standInNumber(expr.value) : expr.value, text);
    case "index":
      return globalIndex(registerAt(scope, expr.axis), text);
    case "read":
      return expr.at === undefined
        ? emitProjection(expr.operand, scope)
        : emitLookup(expr.operand, expr.at, scope);
    case "table":
      return emitTable(expr.name, scope);
    case "apply":
      return remainderOf(expr, scope) ?? emitApplication(expr, scope, emit);
  }
}

/** A whole index. */
export function globalIndex({ local, starts }: Register, text: KernelText): Term {
  return text.sum(local, text.column(starts));
}

function registerAt({ registers }: Scope, axis: string): Register {
  const register = registers.get(axis);
  if (register === undefined) throw new Error(`no index ${axis}`);
  return register;
}

/** `a − ⌊a / b⌋ · b` of an index, which is one operation. */
function remainderOf(expr: Expr, scope: Scope): Term | undefined {
  if (expr.kind !== "apply" || expr.function !== "sub") return undefined;
  const [whole, product] = expr.args;
  if (product?.kind !== "apply" || product.function !== "mul") return undefined;
  const [quotient, by] = product.args;
  if (quotient?.kind !== "apply" || quotient.function !== "quotient") return undefined;
  const [divided, divisor] = quotient.args;
  if (whole === undefined || divided !== whole || by?.kind !== "number") return undefined;
  if (divisor?.kind !== "number" || divisor.value !== by.value) return undefined;
  const index = emit(whole, scope);
  if (index.kind !== "index" || index.low < 0 || isComparison(whole)) return undefined;
  return scope.text.digits(index, by.value)[1];
}

/** A read at the projection: one sum of indices and strides. */
function emitProjection(operand: number, scope: Scope): Term {
  const { text, call, operands, instances } = scope;
  const views = operands[operand];
  const view = views?.main;
  if (view === undefined) return notANumber(text);
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const factors = new Map<string, number>();
  for (const [dim, { identifiers }] of (call.inputs[operand]?.dims ?? []).entries()) {
    let stride = view.strides[dim] ?? 0;
    for (const name of identifiers.toReversed()) {
      const size = sizes.get(name);
      if (size === undefined) continue;
      factors.set(name, (factors.get(name) ?? 0) + stride);
      stride *= size;
    }
  }
  const terms = [...factors].map(([name, factor]) => ({
    register: registerAt(scope, name),
    factor,
  }));
  const bases = Array.from({ length: instances }, (_, at) =>
    terms.reduce(
      (sum, { register, factor }) => sum + factor * (register.starts[at] ?? 0),
      view.origins[at] ?? 0,
    ),
  );
  const moves = terms.map(({ register, factor }) => text.scaled(register.local, factor));
  return load(view.buffer, affine(text, text.column(bases), moves), scope);
}

/** A sum whose parts of outer loops are added first, so that inner loops add little. */
function affine(text: KernelText, base: Term, moves: readonly Term[]): Term {
  const ordered = [base, ...moves].sort((a, b) => a.depth - b.depth);
  return ordered.reduce((sum, move) => text.sum(sum, move), literalIndex(0));
}

/** An element of a buffer, as a number. */
function load(buffer: BufferId, at: Term, { text }: Pick<Scope, "text">): Term {
  return text.compute("number", `${text.buffer(buffer, "read")}[${at.text}]`, [at]);
}

/** A read at computed indices: 0 outside of the tensor, no number where the device holds nothing. */
function emitLookup(operand: number, at: readonly Expr[], scope: Scope): Term {
  const { text } = scope;
  const views = scope.operands[operand];
  if (views === undefined) throw new Error(`operand ${operand} is no tensor`);
  const indices = at.map((each) => asIndex(emit(each, scope), scope));
  const outside = indices.flatMap((index, dim) => bounds(index, 0, views.shape[dim] ?? 0));
  const held = views.all
    .toReversed()
    .reduce<Term | undefined>(
      (rest, view) => blockRead(views, view, indices, rest, scope),
      undefined,
    );
  const value = held ?? notANumber(text);
  if (outside.length === 0) return value;
  const zero = asNumber(literalIndex(0), text);
  return text.compute("number", `select(${zero.text}, ${value.text}, ${outside.join(" && ")})`, [
    ...indices,
    value,
  ]);
}

/** What one block says of some indices, or `rest` where it does not hold them. */
function blockRead(
  views: OperandViews,
  view: BlockView,
  indices: readonly Term[],
  rest: Term | undefined,
  scope: Scope,
): Term {
  const { text } = scope;
  const moves = indices.map((index, dim) => text.scaled(index, view.strides[dim] ?? 0));
  const value = load(view.buffer, affine(text, text.column(view.origins), moves), scope);
  const starts = indices.map((_, dim) => view.starts.map((each) => each[dim] ?? 0));
  const conditions = indices.flatMap((index, dim) => {
    const length = view.lengths[dim] ?? 0;
    const isWhole =
      length === views.shape[dim] && (starts[dim] ?? []).every((start) => start === 0);
    if (isWhole) return [];
    const start = text.column(starts[dim] ?? []);
    const offset = text.sum(index, text.scaled(start, -1));
    return bounds(offset, 0, length);
  });
  if (conditions.length === 0) return value;
  const other = rest ?? notANumber(text);
  return text.compute(
    "number",
    `select(${other.text}, ${value.text}, ${conditions.join(" && ")})`,
    [...indices, value, other],
  );
}

/** The comparisons that hold an index inside `[low, high)`, as far as they are in doubt. */
function bounds(index: Term, low: number, high: number): readonly string[] {
  return [
    ...(index.low >= low ? [] : [`${index.text} >= ${low}i`]),
    ...(index.high < high ? [] : [`${index.text} < ${high}i`]),
  ];
}

/** A number as an index: numbers that are read as indices are whole. */
export function asIndex(term: Term, { text }: Pick<Scope, "text">): Term {
  if (term.kind === "index") return term;
  if (text.type === "i32") return { ...term, kind: "index" };
  // What is no number, or beyond all indices, lies outside of every tensor.
  const inside = `select(-1i, i32(${term.text}), abs(${term.text}) < 2147483000f)`;
  return text.compute("index", inside, [term]);
}

function emitTable(name: string, scope: Scope): Term {
  const known = scope.tables.get(name);
  if (known === undefined) throw new Error(`no table ${name}`);
  if ("text" in known) return known;
  if (!("buffer" in known)) return emit(known, scope);
  const { text, instances } = scope;
  const moves = known.axes.map(({ axis, stride }) =>
    text.scaled(registerAt(scope, axis).local, stride),
  );
  const bases = Array.from(
    { length: instances },
    (_, at) => (known.places?.[at] ?? at) * known.size,
  );
  return load(known.buffer, affine(text, text.column(bases), moves), scope);
}
