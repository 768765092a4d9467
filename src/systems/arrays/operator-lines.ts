import type { Operator, Tensor } from "#core/ir";
import { operatorBody } from "#core/ir/body";
import type { LocalStep } from "#core/program";
import { bodyLines } from "./body-lines.ts";
import type { Dialect, Length } from "./dialect.ts";
import type { HeldBlocks } from "./held-blocks.ts";
import { LocalAxes } from "./local-axes.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import { isIntegral, placesOf } from "./program-facts.ts";
import { widestFloat } from "./python/dtypes.ts";
import type { Labelled } from "./python/labelled.ts";
import type { PythonNames } from "./python/python-names.ts";

/** One operator, on whole tensors or on blocks. */
export interface WrittenOperator {
  /** Variables of the operands. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Local shapes of the operands. */
  readonly shapes: readonly (readonly Length[])[];
  /** Blocks of the operands; absent for whole tensors. */
  readonly blocks?: readonly HeldBlocks[];
  readonly strategy?: LocalStep["strategy"];
}

/** Scope in which the operators of a file are written. */
export interface CodeScope {
  readonly dialect: Dialect;
  readonly names: PythonNames;
  readonly mesh: MeshAtoms;
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** The lines that compute the results of one operator. */
export interface OperatorLines {
  readonly lines: readonly string[];
  /** Whether the file has to define `element`. */
  readonly needsElement: boolean;
  /** Whether it only adds and multiplies integers. */
  readonly isExact: boolean;
}

/**
 * The lines that compute one operator.
 *
 * @throws NotWritten where the engine cannot express the operator's body
 */
export function operatorLines(
  operator: Operator,
  step: WrittenOperator,
  { dialect, names, mesh, tensors }: CodeScope,
): OperatorLines {
  if (
    operator.inputs.some(({ shared }) => (shared?.length ?? 0) > 0 && step.strategy !== undefined)
  )
    throw new NotWritten(`${operator.name} shares an operand by value`);
  const body = operatorBody(operator, (tensor) => tensors.get(tensor)?.shape ?? []);
  const axes = new LocalAxes(operator, body.call, dialect, mesh, step.strategy);
  const places = placesOf(body);
  const at = <T>(list: readonly T[]) =>
    body.call.inputs.map((_, position) => list[places.indexOf(position)]);
  const types = operator.inputs.flatMap(({ tensor }) => tensors.get(tensor)?.dtype ?? []);
  const operands = step.inputs.map((name, input) =>
    dialect.operand(name, types[input] ?? "f32", types),
  );
  try {
    const { lines, results, needsElement } = bodyLines(body, {
      ...{ dialect, axes, operands: at(operands), names },
      ...{ dtype: widestFloat(types) ?? "f32", results: ownTyped(operator, step, types, tensors) },
      isUpdate: operator.phase === "update",
      ...{
        shapes: at(step.shapes).map((shape) => shape ?? []),
        blocks: at(step.blocks ?? []),
        mesh,
      },
    });
    const note = body.isAssumed ? `  # ${operator.op}: a product stands in for it` : "";
    const assigned = results.flatMap((result, out) => {
      const own = tensors.get(operator.outputs[out]?.tensor ?? "");
      return assignment(result, step.outputs[out], own, types, dialect);
    });
    const all = [...lines, ...assigned.map((line) => line + note)];
    return { lines: all, needsElement, isExact: isIntegral(body) };
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    throw new NotWritten(`${operator.name} (${operator.op}) cannot be written: ${error.message}`);
  }
}

function assignment(
  result: Labelled,
  name: string | undefined,
  own: Tensor | undefined,
  types: readonly Tensor["dtype"][],
  dialect: Dialect,
): readonly string[] {
  const code = own === undefined ? result.code : dialect.typed(result, own.dtype, types);
  return code === name ? [] : [`${name} = ${code}`];
}

/** Variables of the results whose dtype is the one to which the operands are promoted. */
function ownTyped(
  { outputs }: Operator,
  step: WrittenOperator,
  types: readonly Tensor["dtype"][],
  tensors: CodeScope["tensors"],
): readonly (string | undefined)[] {
  return outputs.map(({ tensor }, at) =>
    tensors.get(tensor)?.dtype === widestFloat(types) ? step.outputs[at] : undefined,
  );
}
