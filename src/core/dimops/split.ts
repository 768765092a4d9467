import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { Json, Kwargs } from "./argument.ts";
import { describeValue, floatOf, integerOf, keywordOf } from "./argument.ts";

/**
 * The effect of a cut on one tensor.
 *
 * `D` cuts all the named dims at once (piece i keeps block i of each), `R` hands the whole tensor
 * to every piece, `V` makes it partial: the pieces sum up to the tensor.
 */
export type Split =
  | { readonly kind: "D"; readonly dims: readonly number[] }
  | { readonly kind: "R" }
  | { readonly kind: "V" };

/** A cut of one operand into `count` pieces. Operands count inputs first, then outputs; `"v"` cuts by value. */
export interface CutConfig {
  readonly operand: number;
  readonly dim: number | "v";
  readonly count: number;
}

/**
 * Partition rule that does not follow from the annotation (`TransformRule` upstream).
 *
 * `modify` gives the keyword arguments of a piece; if absent they are unchanged.
 */
export interface TransformRule {
  readonly inputs: readonly Split[];
  readonly outputs: readonly Split[];
  readonly modify?: (kwargs: Kwargs, config: CutConfig, piece: number) => Kwargs;
}

/** Reads `D0`, `D0,1`, `R` or `V`; dims are sorted. */
export function parseSplit(text: string): Split | undefined {
  if (text === "R" || text === "V") return { kind: text };
  if (!/^D-?\d+(,-?\d+)*$/.test(text)) return undefined;
  const dims = text.slice(1).split(",").map(Number);
  return { kind: "D", dims: dims.sort((a, b) => a - b) };
}

/** Writes a split as `D0`, `D0,1`, `R` or `V`. */
export function printSplit(split: Split): string {
  return split.kind === "D" ? `D${split.dims.join(",")}` : split.kind;
}

/**
 * Divides the keyword argument that is called like the cut identifier by the number of pieces,
 * whatever it means (dimops.md §3); without such an argument nothing changes.
 */
export function divideKeyword(kwargs: Kwargs, identifier: string, count: number): Checked<Kwargs> {
  const value = keywordOf(kwargs, identifier);
  if (value === undefined) return passed(kwargs);
  const integer = integerOf(value);
  const number = integer ?? floatOf(value);
  if (number === undefined) {
    return failed(notDivisible(identifier, value, count, "TypeError"));
  }
  if (number % count !== 0) {
    return failed(notDivisible(identifier, value, count, "AssertionError"));
  }
  const part = number / count + 0;
  return passed({ ...kwargs, [identifier]: integer === undefined ? { float: part } : part });
}

function notDivisible(name: string, value: Json, count: number, upstream: string): Diagnostic {
  return {
    code: "dimops/keyword-not-divisible",
    severity: "error",
    message:
      `a cut of "${name}" divides the argument "${name}" by ${count}, ` +
      `but it is ${describeValue(value)}`,
    upstream,
  };
}
