import type { Diagnostic } from "#core/diagnostics";
import type { Identifier } from "./annotation.ts";
import { describeArgument } from "./argument.ts";
import type { Bound } from "./bind.ts";
import { annotatedShape } from "./index-axes.ts";
import { shapeOf } from "./legality.ts";
import { type CutConfig, printSplit, type TransformRule } from "./split.ts";

/** Reports faults of a special rule: a wrong length, or dims that the operands do not have. */
export function checkRule(bound: Bound, rule: TransformRule): readonly Diagnostic[] {
  const wanted = [bound.inputs.length, bound.outputs.length];
  const given = [rule.inputs.length, rule.outputs.length];
  if (wanted.join() !== given.join()) return [otherLength(wanted, given)];
  return [...rule.inputs, ...rule.outputs].flatMap((split, operand): Diagnostic[] => {
    const rank = shapeOf(bound, operand)?.length;
    if (split.kind !== "D" || rank === undefined) return [];
    if (split.dims.every((dim) => dim >= -rank && dim < rank)) return [];
    return [
      {
        code: "dimops/rule-dim-out-of-range",
        severity: "error",
        message: `the rule says "${printSplit(split)}" of ${operandName(bound, operand)}, which has ${rank} dims`,
        upstream: "AssertionError",
      },
    ];
  });
}

/**
 * Warns of the two cuts that the annotation implies and that lose values: diagonal blocks, and an
 * identifier without reduction that an output lacks. One piece loses nothing.
 */
export function checkCut(
  bound: Bound,
  { count }: CutConfig,
  { rule, identifier }: { readonly rule: TransformRule; readonly identifier: Identifier },
): readonly Diagnostic[] {
  if (count === 1) return [];
  return [...rule.inputs, ...rule.outputs].flatMap((split, operand): Diagnostic[] => {
    if (shapeOf(bound, operand) === undefined) return [];
    if (split.kind === "D" && split.dims.length > 1) {
      return [diagonalBlocks(bound, identifier, operand, split.dims)];
    }
    const isLost =
      operand >= bound.inputs.length && split.kind === "R" && identifier.reduction === "";
    return isLost ? [lostAxis(bound, identifier, operand)] : [];
  });
}

/** Name of an operand in messages: an input by its name, an output by its position. */
function operandName(bound: Bound, operand: number): string {
  const output = operand - bound.inputs.length;
  return output < 0 ? describeArgument(bound.inputs, operand) : `output ${output}`;
}

function diagonalBlocks(
  bound: Bound,
  { name }: Identifier,
  operand: number,
  dims: readonly number[],
): Diagnostic {
  const span = annotatedShape(bound, operand)?.span;
  return {
    code: "dimops/diagonal-blocks",
    severity: "warning",
    message:
      `"${name}" stands on dims ${dims.join(" and ")} of ${operandName(bound, operand)}: ` +
      "the pieces are its diagonal blocks, all other values are lost",
    ...(span !== undefined && { span }),
  };
}

function lostAxis(bound: Bound, { name, span }: Identifier, operand: number): Diagnostic {
  return {
    code: "dimops/cut-axis-lost",
    severity: "warning",
    message:
      `"${name}" is cut, but ${operandName(bound, operand)} lacks it and "${name}" has no reduction: ` +
      `every piece would hold another value where one is expected; write "${name}+" if it is summed`,
    span,
  };
}

function otherLength(wanted: readonly number[], given: readonly number[]): Diagnostic {
  const [words, said] = [wanted, given].map(([inputs, outputs]) => {
    return `${inputs} inputs and ${outputs} outputs`;
  });
  return {
    code: "dimops/rule-length",
    severity: "error",
    message: `a rule speaks of ${said}, but the operator has ${words}`,
    upstream: "IndexError",
  };
}
