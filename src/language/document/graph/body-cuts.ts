import type { Operator } from "#core/ir";
import { type CutsOfBody, cutsOfBody, operatorBody, withCutsOfBody } from "#core/ir/body";
import { shapeOf } from "../trace/bind-traced.ts";
import type { TracedOperator } from "../trace/traced.ts";

/**
 * Adds to library operators the cuts that their bodies allow. Registered functions and system
 * primitives keep those of their annotations. Equal calls are examined once.
 */
export function createBodyCuts(): (traced: TracedOperator, operator: Operator) => Operator {
  const known = new Map<Operator["axes"], Map<string, CutsOfBody>>();
  return (traced, operator) => {
    const { entry, primitive, reducesInside, rules = [] } = traced;
    const tensors = [...traced.inputs, ...traced.outputs];
    const isKnown = tensors.every((each) => each.kind !== "tensor" || each.isUnknown !== true);
    if (entry === undefined || primitive !== undefined || reducesInside || rules.length > 0)
      return operator;
    if (!isKnown) return operator;
    const key = `${entry} ${JSON.stringify(operator.attributes)}`;
    const ofSpace = known.get(operator.axes) ?? new Map<string, CutsOfBody>();
    known.set(operator.axes, ofSpace);
    const cuts = ofSpace.get(key) ?? cutsIn(traced, operator);
    ofSpace.set(key, cuts);
    return withCutsOfBody(operator, cuts);
  };
}

function cutsIn(traced: TracedOperator, operator: Operator): CutsOfBody {
  const shapes = new Map<string, readonly number[]>();
  const tensors = traced.inputs.filter((input) => input.kind === "tensor");
  for (const [at, { tensor }] of operator.inputs.entries()) {
    const input = tensors[at];
    if (input !== undefined) shapes.set(tensor, shapeOf(input));
  }
  for (const [at, { tensor }] of operator.outputs.entries()) {
    const output = traced.outputs[at];
    if (output !== undefined) shapes.set(tensor, shapeOf(output));
  }
  const { call, body } = operatorBody(operator, (tensor) => shapes.get(tensor) ?? []);
  return cutsOfBody(call, body, operator.combine);
}
