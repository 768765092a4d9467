import type { OperatorCall } from "./call.ts";
import { modelOperator, type OperatorModel, type WrittenStrategy } from "./model-operator.ts";

/** A call of an operator; fields that a test omits get defaults. */
export function callOf(
  op: string,
  shapes: readonly (readonly number[])[],
  more: Partial<OperatorCall> = {},
): OperatorCall {
  return {
    op,
    shapes,
    attributes: {},
    arguments: [],
    parameters: [],
    devices: 8,
    rank: 0,
    ...more,
  };
}

/** The model of a call with tuples (or none); a refusal throws its message. */
export function modelOf(
  call: OperatorCall,
  inputs?: readonly (readonly number[])[],
  output?: readonly number[],
): OperatorModel {
  const tuples = { ...(inputs && { inputs }), ...(output && { output }) };
  return modelled(call, { kind: "tuples", ...tuples });
}

/** The model of a call with maps on a device matrix; a refusal throws its message. */
export function layoutModelOf(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  inputs: Extract<WrittenStrategy, { kind: "layouts" }>["inputs"],
  output?: Extract<WrittenStrategy, { kind: "layouts" }>["output"],
): OperatorModel {
  return modelled(call, { kind: "layouts", deviceMatrix, inputs, ...(output && { output }) });
}

function modelled(call: OperatorCall, strategy: WrittenStrategy): OperatorModel {
  const model = modelOperator(call, strategy);
  if (model.ok) return model.value;
  const [first] = model.diagnostics;
  throw new Error(`${first?.upstream}: ${first?.message}`);
}

/** The first result's local shape, and the collectives of rank 0 as text. */
export function toldOf(model: OperatorModel): readonly [readonly number[], string] {
  const sent = model.forward.map(({ primitive, group }) => `${primitive} ${group.join()}`);
  return [model.outputs[0]?.slice ?? [], sent.join("; ")];
}
