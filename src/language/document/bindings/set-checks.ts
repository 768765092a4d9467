import { broadcastShape } from "#core/arithmetic";
import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import { certainSizes } from "../trace/follows.ts";
import type { At } from "./call-place.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integerOf } from "./values/values.ts";

/**
 * Refuses `x[key] = value` with an index out of range or a value that does not broadcast, for
 * integer and slice keys and certain shapes. Systems with rules of their own check it themselves.
 */
export function requireSet(
  words: TensorCalls,
  self: Value,
  keys: readonly Value[],
  value: Value,
  { context, span }: At,
): void {
  const sizes = certainSizes(words.tensorOf(self));
  if (sizes === undefined || words.types.sayRefused === undefined || words.isInBody) return;
  const target = placesAt(sizes, keys, words);
  if (typeof target === "string") context.raise("IndexError", target, span);
  const given = certainSizes(words.tensorOf(value));
  if (typeof target === "string" || target === undefined || given === undefined) return;
  const fault = misfit(target, given);
  if (fault !== undefined) context.raise("RuntimeError", fault, span);
}

/**
 * Shape of the elements that keys select, or an error text for an index out of range; `undefined`
 * for other keys.
 */
function placesAt(
  sizes: readonly number[],
  keys: readonly Value[],
  words: TensorCalls,
): readonly number[] | string | undefined {
  const rows = keys.flatMap((each) => placesIn(words, each) ?? []);
  if (rows.length > 0) return spreadOver(sizes, keys, rows, words);
  const taken = keys.filter(({ kind }) => kind === "int" || kind === "slice").length;
  const made: number[] = [];
  let dim = 0;
  for (const key of keys) {
    const size = sizes[dim] ?? 0;
    if (key.kind === "ellipsis") {
      made.push(...sizes.slice(dim, sizes.length - taken + dim));
      dim += Math.max(0, sizes.length - taken);
    } else if (key.kind === "none") made.push(1);
    else if (key.kind === "int") {
      const at = integerOf(key) ?? 0;
      if (at >= size || at < -size)
        return `index ${at} is out of bounds for dimension ${dim} with size ${size}`;
      dim += 1;
    } else if (key.kind === "slice") {
      const length = lengthOf(key, size);
      if (length === undefined) return undefined;
      made.push(length);
      dim += 1;
    } else return undefined;
  }
  return dim > sizes.length ? undefined : [...made, ...sizes.slice(dim)];
}

/** Shape of an integer index tensor, in a 1-tuple; `undefined` for masks and other values. */
function placesIn(words: TensorCalls, key: Value): readonly [shape: readonly number[]] | undefined {
  const tensor = words.tensorOf(key);
  const shape = tensor && certainSizes(tensor);
  const isOfPlaces = tensor?.isTypeAssumed !== true && /^i(?:64|32)$/u.test(tensor?.dtype ?? "");
  return shape !== undefined && isOfPlaces ? [shape] : undefined;
}

/**
 * Shape selected by index tensors beside slices: the broadcast index shape replaces adjacent index
 * dims, otherwise it comes first (NumPy).
 */
function spreadOver(
  sizes: readonly number[],
  keys: readonly Value[],
  shapes: readonly (readonly number[])[],
  words: TensorCalls,
): readonly number[] | undefined {
  const common = broadcastShape(shapes);
  const isRow = (key: Value) => placesIn(words, key) !== undefined;
  const isPlain = keys.every((key) => isRow(key) || key.kind === "slice");
  if (common === undefined || !isPlain || keys.length > sizes.length) return undefined;
  const [first, last] = [keys.findIndex(isRow), keys.findLastIndex(isRow)];
  const made = keys.flatMap((key, dim): readonly (number | undefined)[] =>
    key.kind === "slice" ? [lengthOf(key, sizes[dim] ?? 0)] : [],
  );
  const at = keys.slice(first, last).every(isRow) ? first : 0;
  const rest = [...made.slice(at), ...sizes.slice(keys.length)];
  const all = [...made.slice(0, at), ...common, ...rest];
  return all.every((size) => size !== undefined) ? all : undefined;
}

/**
 * Number of elements that a slice selects from a dim of the given size; `undefined` when not known.
 */
function lengthOf(
  { start, stop, step }: Extract<Value, { kind: "slice" }>,
  size: number,
): number | undefined {
  const bound = (part: Value, usual: number) => {
    if (part.kind === "none") return usual;
    const at = integerOf(part);
    return at === undefined ? undefined : Math.min(size, Math.max(0, at < 0 ? at + size : at));
  };
  const [from, to] = [bound(start, 0), bound(stop, size)];
  const by = step.kind === "none" ? 1 : integerOf(step);
  if (from === undefined || to === undefined || by === undefined || by < 1) return undefined;
  return Math.max(0, Math.ceil((to - from) / by));
}

/**
 * Error when a value does not broadcast to the selected shape; leading dims of size 1 are ignored.
 */
function misfit(target: readonly number[], given: readonly number[]): string | undefined {
  const front = given.slice(0, Math.max(0, given.length - target.length));
  if (front.some((size) => size !== 1)) return said(target, given, 0);
  const rest = given.slice(front.length);
  const skipped = target.length - rest.length;
  const wrong = rest.findIndex((size, dim) => size !== 1 && size !== target[dim + skipped]);
  return wrong < 0 ? undefined : said(target, rest, wrong + skipped);
}

function said(target: readonly number[], given: readonly number[], dim: number): string {
  const [wanted, own] = [target[dim] ?? 0, given[dim - target.length + given.length] ?? 0];
  const sizes = `Target sizes: [${target.join(", ")}].  Tensor sizes: [${given.join(", ")}]`;
  return `The expanded size of the tensor (${wanted}) must match the existing size (${own}) at non-singleton dimension ${dim}.  ${sizes}`;
}

/** `x.data = value`: where that has another shape or type, the tensor has it from then on. */
export function setData(
  words: TensorCalls,
  self: HostObject,
  value: Value,
  context: Context,
  span: Span,
): boolean {
  const refused = words.systems.refused("data", [{ value, span }], words, self);
  if (refused !== undefined) context.raise(...refused, span);
  const [own, other] = [words.tensorOf(self), words.tensorOf(value)];
  const [before, after] = [certainSizes(own), certainSizes(other)];
  if (own === undefined || other === undefined) return true;
  if (before === undefined || after === undefined) return true;
  if (before.join() === after.join() && own.dtype === other.dtype) return true;
  if (!words.isParameter(self)) words.replace(self, value);
  else if (!words.trace.operators.some(({ inputs }) => inputs.includes(own)))
    Object.assign(own, { shape: after, dtype: other.dtype, dtypeText: other.dtypeText });
  else
    context.report({
      code: "document/unknown-value",
      severity: "warning",
      message: `a parameter that operators have read gets data of another shape or type, [${after.join(", ")}]: it is drawn as it was before`,
      span,
    });
  return true;
}
