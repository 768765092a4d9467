import type { Diagnostic } from "#core/diagnostics";
import type { DimAnno, Identifier } from "./annotation.ts";
import type { Bound } from "./bind.ts";
import { annotatedShape, leadingIdentifier } from "./index-axes.ts";
import { printDim } from "./print.ts";
import type { CutConfig, Split, TransformRule } from "./split.ts";

/** Largest number of pieces of a cut. */
const pieceLimit = 16_384;

/**
 * Reason why a cut is refused: upstream declines it, or the request itself is an error there.
 *
 * A declined cut becomes a ValueError in `graph.partition`.
 */
export interface CutRefusal {
  readonly kind: "declined" | "error";
  readonly diagnostic: Diagnostic;
}

/**
 * Reason why a cut is refused; `undefined` if it may be made (`satisfy` upstream, dimops.md §3).
 */
export function refuseCut(
  bound: Bound,
  config: CutConfig,
  rules: readonly TransformRule[],
): CutRefusal | undefined {
  const unsound = checkConfig(bound, config);
  if (unsound !== undefined) return unsound;
  if (config.dim === "v") return refuseValueCut(config, rules);
  const dim = annotatedDim(bound, { ...config, dim: wrapped(bound, config.operand, config.dim) });
  if (dim === undefined) return noSuchDim(bound, config);
  const refusal = refuseDimCut(bound, config, dim, rules);
  if (refusal?.kind === "error") return refusal;
  if (annotatedDim(bound, config) === undefined) return noSuchDim(bound, config);
  return refusal ?? refuseCount(config);
}

/** The annotated dim that a cut names; a negative dim counts from the end, as in Python. */
export function annotatedDim(bound: Bound, { operand, dim }: CutConfig): DimAnno | undefined {
  return dim === "v" ? undefined : annotatedShape(bound, operand)?.dims.at(dim);
}

/**
 * Actual shape of an operand; `undefined` for an ignored output or an operand that is no tensor.
 */
export function shapeOf(bound: Bound, operand: number): readonly number[] | undefined {
  const input = bound.inputs[operand];
  if (input !== undefined) return input.kind === "tensor" ? input.shape : undefined;
  return bound.outputs[operand - bound.inputs.length];
}

/** The rule's split of the operand at an index that counts inputs first, then outputs. */
export function splitAt(rule: TransformRule, operand: number): Split | undefined {
  return [...rule.inputs, ...rule.outputs][operand];
}

function wrapped(bound: Bound, operand: number, dim: number): number {
  return dim < 0 ? dim + (shapeOf(bound, operand)?.length ?? 0) : dim;
}

function checkConfig(bound: Bound, { operand, dim, count }: CutConfig): CutRefusal | undefined {
  const total = bound.inputs.length + bound.outputs.length;
  if (![operand, count, dim === "v" ? 0 : dim].every(Number.isInteger)) {
    const message = 'a cut needs whole numbers: idx, dim (or "v") and num';
    return failing("AssertionError", "dimops/cut-not-integer", message);
  }
  if (operand >= total || operand < -total) {
    const message = `idx ${operand} is out of range: there are ${total} inputs and outputs`;
    return failing("IndexError", "dimops/no-such-operand", message);
  }
  const shape = shapeOf(bound, operand);
  if (shape === undefined || operand < 0) {
    const reason = operand < 0 ? "must not be negative" : "is not a tensor, so it cannot be cut";
    return failing("AssertionError", "dimops/operand-not-tensor", `idx ${operand} ${reason}`);
  }
  if (dim !== "v" && dim >= shape.length) {
    const message = `dim ${dim} is out of range: the tensor has ${shape.length} dims`;
    // Upstream words its assertion with the input of that number, which an output does not have.
    const upstream = operand < bound.inputs.length ? "AssertionError" : "IndexError";
    return failing(upstream, "dimops/no-such-dim", message);
  }
  return undefined;
}

function refuseDimCut(
  bound: Bound,
  { operand, dim, count }: CutConfig,
  anno: DimAnno,
  rules: readonly TransformRule[],
): CutRefusal | undefined {
  const identifier = leadingIdentifier(anno, bound.sizes, count);
  if (identifier === undefined || dim === "v") return undefined;
  const ruled = rules.some((rule) => cutsExactly(rule, operand, wrapped(bound, operand, dim)));
  if (!ruled && identifier.reduction === "^") return declinedFrozen(anno, identifier);
  const size = bound.sizes.get(identifier.name) ?? 0;
  if (count === 0) {
    return failing(
      "ZeroDivisionError",
      "dimops/zero-pieces",
      `"${identifier.name}" cannot be cut into 0 pieces`,
    );
  }
  return size % count === 0 ? undefined : declinedIndivisible(identifier, size, count);
}

function cutsExactly(rule: TransformRule, operand: number, dim: number): boolean {
  const split = splitAt(rule, operand);
  return split?.kind === "D" && split.dims.length === 1 && split.dims[0] === dim;
}

function refuseValueCut(
  config: CutConfig,
  rules: readonly TransformRule[],
): CutRefusal | undefined {
  const isRuled = rules.some((rule) => splitAt(rule, config.operand)?.kind === "V");
  const message = `no rule cuts operand ${config.operand} by value`;
  return isRuled ? refuseCount(config) : declined("dimops/no-value-rule", message);
}

function refuseCount({ count }: CutConfig): CutRefusal | undefined {
  if (count > pieceLimit) {
    const message = `${count} pieces are too many: at most ${pieceLimit} are made`;
    return declined("dimops/too-many-pieces", message);
  }
  return count > 0
    ? undefined
    : declined("dimops/no-pieces", `a cut into ${count} pieces makes none`);
}

function declinedFrozen(anno: DimAnno, { name, span, kind }: Identifier): CutRefusal {
  const inside = anno.identifiers.length > 1 ? ` of "${printDim(anno)}"` : "";
  const reason = kind === "number" ? "is a number" : `is frozen ("^")`;
  return declined("dimops/frozen", `"${name}"${inside} ${reason}, so it cannot be cut`, span);
}

function declinedIndivisible({ name, span }: Identifier, size: number, count: number): CutRefusal {
  const message = `"${name}" is ${size}, which ${count} pieces do not divide`;
  return declined("dimops/indivisible-cut", message, span);
}

function noSuchDim(bound: Bound, { operand, dim }: CutConfig): CutRefusal {
  const dims = annotatedShape(bound, operand)?.dims.length ?? 0;
  const message = `dim ${dim} is out of range: operand ${operand} has ${dims} annotated dims`;
  return failing("IndexError", "dimops/no-such-dim", message);
}

function declined(code: DiagnosticCode, message: string, span?: Diagnostic["span"]): CutRefusal {
  return { ...failing("ValueError", code, message, span), kind: "declined" };
}

function failing(
  upstream: string,
  code: DiagnosticCode,
  message: string,
  span?: Diagnostic["span"],
): CutRefusal {
  const place = span !== undefined && { span };
  const diagnostic: Diagnostic = {
    code,
    severity: "error",
    message,
    ...place,
    upstream,
  };
  return { kind: "error", diagnostic };
}
