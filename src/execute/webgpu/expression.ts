import { type Expr, standInNumber } from "#core/ir/body";
import { required } from "#core/records";
import { emitApplication, isComparison } from "./application.ts";
import type { BufferId } from "./gpu-program.ts";
import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import { asNumber, notANumber, numberLiteral } from "./numbers.ts";
import { type BlockView, type OperandViews, quadLane, type Register, type Scope } from "./scope.ts";

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

/** An index of the whole tensor. */
export function globalIndex({ local, starts }: Register, text: KernelText): Term {
  return text.sum(local, text.column(starts));
}

function registerAt({ registers }: Scope, axis: string): Register {
  return required(registers, axis, "index");
}

/** Recognises `a − ⌊a / b⌋ · b` of an index and writes it as one remainder operation. */
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
  return loadAlong(view.buffer, bases, terms, scope);
}

/** Index with its stride in words. */
interface Move {
  readonly register: Register;
  readonly factor: number;
}

/**
 * Load of a word at an offset from the instance's base. If all threads of a quad read the same
 * words in four steps of a loop, each thread loads one and broadcasts it to the others.
 */
function loadAlong(
  buffer: BufferId,
  bases: readonly number[],
  terms: readonly Move[],
  scope: Scope,
): Term {
  const { text } = scope;
  const base = text.column(bases);
  const read = (own: boolean) => {
    const moves = terms.map(({ register: { local, quad }, factor }) => {
      const index = own && quad !== undefined ? text.sum(quad.first, quadLane) : local;
      return text.scaled(index, factor);
    });
    return load(buffer, affine(text, base, moves), scope);
  };
  const moving = terms.filter(({ factor }) => factor !== 0);
  const isShared = moving.every(({ register }) => register.local.varies !== true);
  const quad = isShared ? moving.find(({ register }) => register.quad)?.register.quad : undefined;
  if (quad === undefined) return read(false);
  text.usesQuads = true;
  const word = read(true);
  return text.compute("number", `subgroupBroadcast(${word.text}, ${quad.at}u)`, [word]);
}

/** Sum that adds the terms of outer loops first, so that inner loops add few terms. */
function affine(text: KernelText, base: Term, moves: readonly Term[]): Term {
  const ordered = [base, ...moves].sort((a, b) => a.depth - b.depth);
  return ordered.reduce((sum, move) => text.sum(sum, move), literalIndex(0));
}

/** An element of a buffer, as a number. */
function load(buffer: BufferId, at: Term, { text }: Pick<Scope, "text">): Term {
  return text.compute("number", `${text.buffer(buffer, "read")}[${at.text}]`, [at]);
}

/**
 * An index in two parts: one that depends on threads and loops, one that depends on the instance.
 */
interface AffineIndex {
  readonly local: Term;
  readonly starts: readonly number[];
}

/** Index expression with the instance's part separated as far as sums and multiples allow. */
function affineIndex(expr: Expr, scope: Scope): AffineIndex {
  const { text, instances } = scope;
  const none = Array.from({ length: instances }, () => 0);
  if (expr.kind === "index") return registerAt(scope, expr.axis);
  if (expr.kind === "apply") {
    const [a, b] = expr.args;
    if (expr.function === "add" && a !== undefined && b !== undefined) {
      return plus(affineIndex(a, scope), affineIndex(b, scope), 1, text);
    }
    const isRemainder = remainderOf(expr, scope) !== undefined;
    if (expr.function === "sub" && a !== undefined && b !== undefined && !isRemainder) {
      return plus(affineIndex(a, scope), affineIndex(b, scope), -1, text);
    }
    if (expr.function === "mul" && a !== undefined && b?.kind === "number") {
      if (Number.isInteger(b.value)) {
        const zero = { local: literalIndex(0), starts: none };
        return plus(zero, affineIndex(a, scope), b.value, text);
      }
    }
  }
  return { local: asIndex(emit(expr, scope), scope), starts: none };
}

function plus(a: AffineIndex, b: AffineIndex, factor: number, text: KernelText): AffineIndex {
  return {
    local: text.sum(a.local, text.scaled(b.local, factor)),
    starts: a.starts.map((start, at) => start + factor * (b.starts[at] ?? 0)),
  };
}

/**
 * A read at computed indices: 0 outside of the tensor, NaN for cells that the device does not hold.
 */
function emitLookup(operand: number, at: readonly Expr[], scope: Scope): Term {
  const { text, instances } = scope;
  const views = scope.operands[operand];
  if (views === undefined) throw new Error(`operand ${operand} is no tensor`);
  const indices = at.map((each) => affineIndex(each, scope));
  const origins = Array.from({ length: instances }, () => 0);
  const inside = indices.flatMap((index, dim) =>
    bounds(index, origins, views.shape[dim] ?? 0, text),
  );
  const held = views.all
    .toReversed()
    .reduce<Term | undefined>(
      (rest, view) => blockRead(views, view, indices, rest, scope),
      undefined,
    );
  const value = held ?? notANumber(text);
  const zero = asNumber(literalIndex(0), text);
  return chosen(inside, value, zero, text);
}

/** The element of one block at some indices, or `rest` if the block does not contain them. */
function blockRead(
  views: OperandViews,
  view: BlockView,
  indices: readonly AffineIndex[],
  rest: Term | undefined,
  scope: Scope,
): Term {
  const { text } = scope;
  const moves = indices.map(({ local }, dim) => text.scaled(local, view.strides[dim] ?? 0));
  const bases = view.origins.map((origin, at) =>
    indices.reduce(
      (sum, { starts }, dim) => sum + (starts[at] ?? 0) * (view.strides[dim] ?? 0),
      origin,
    ),
  );
  const value = load(view.buffer, affine(text, text.column(bases), moves), scope);
  const conditions = indices.flatMap((index, dim) => {
    const length = view.lengths[dim] ?? 0;
    const starts = view.starts.map((each) => each[dim] ?? 0);
    const isWhole = length === views.shape[dim] && starts.every((start) => start === 0);
    return isWhole ? [] : bounds(index, starts, length, text);
  });
  return chosen(conditions, value, rest, text);
}

/** A value where all conditions hold, else another. */
function chosen(
  conditions: readonly Condition[],
  value: Term,
  other: Term | undefined,
  text: KernelText,
): Term {
  if (conditions.length === 0) return value;
  const otherwise = other ?? notANumber(text);
  // Not `&&`: that is a branch, which pipelines take long to compile.
  const all = conditions.map((condition) => `(${condition.text})`).join(" & ");
  const from = conditions.map((condition) => condition.index);
  return text.compute("number", `select(${otherwise.text}, ${value.text}, ${all})`, [
    ...from,
    value,
    otherwise,
  ]);
}

interface Condition {
  readonly text: string;
  readonly index: Term;
}

/**
 * The comparisons that test whether an index is inside a range of every instance, without those
 * that are certain.
 */
function bounds(
  { local, starts }: AffineIndex,
  origins: readonly number[],
  length: number,
  text: KernelText,
): readonly Condition[] {
  const offsets = starts.map((start, at) => start - (origins[at] ?? 0));
  const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
  const isAbove = local.low + least >= 0;
  const isBelow = local.high + most < length;
  if (isAbove && isBelow) return [];
  const index = text.sum(local, text.column(offsets));
  // As an unsigned number an index below 0 is a large one, so one comparison tests both ends.
  if (!isAbove) return [{ text: `bitcast<u32>(${index.text}) < ${length}u`, index }];
  return [{ text: `${index.text} < ${length}i`, index }];
}

/** A number as an index; numbers read as indices are whole. */
export function asIndex(term: Term, { text }: Pick<Scope, "text">): Term {
  if (term.kind === "index") return term;
  if (text.type === "i32") return { ...term, kind: "index" };
  // NaN, and numbers beyond all indices, become an index outside of every tensor.
  const inside = `select(-1i, i32(${term.text}), abs(${term.text}) < 2147483000f)`;
  return text.compute("index", inside, [term]);
}

function emitTable(name: string, scope: Scope): Term {
  const known = required(scope.tables, name, "table");
  if ("text" in known) return known;
  if (!("buffer" in known)) return emit(known, scope);
  const moves = known.axes.map(({ axis, stride }) => ({
    register: registerAt(scope, axis),
    factor: stride,
  }));
  const bases = Array.from(
    { length: scope.instances },
    (_, at) => (known.places?.[at] ?? at) * known.size,
  );
  return loadAlong(known.buffer, bases, moves, scope);
}
