import { type Operator, type OperatorId, type TensorId, tensorsById } from "#core/ir";
import type { FlatStep, SpmdProgram } from "#core/program";
import { rememberedFor } from "../remembered.ts";

/** The operator of the text to which every operator and tensor belongs. */
export interface Owners {
  /**
   * The operator of the text to which an operator belongs; operators of the update belong to
   * themselves.
   */
  readonly forwardOf: (operator: OperatorId) => OperatorId;
  /**
   * The operator of the text that produces a tensor, or first reads it; `undefined` if there is
   * none.
   */
  readonly operatorOf: (tensor: TensorId) => OperatorId | undefined;
  /** The path of the module to which a step belongs; `undefined` for the update of parameters. */
  readonly ofStep: (step: FlatStep) => string | undefined;
  readonly ofTensor: (tensor: TensorId) => string | undefined;
}

/**
 * Owners: a gradient belongs to its forward operator, a tensor to its producer, a parameter or
 * input to its first reader. Parameter updates, and tensors used only in them, have no owner.
 */
export const ownersOf = rememberedFor((program: SpmdProgram): Owners => {
  const { graph, redistributions } = program;
  const operators = new Map(graph.operators.map((each) => [each.id, each]));
  const tensors = tensorsById(graph);
  const { makers, readers } = wiringOf(graph.operators);
  const moved = new Map(redistributions.map(({ index, tensor }) => [index, tensor]));
  const ownerOfTensor = (id: TensorId): Operator | undefined => {
    const owned = tensors.get(id)?.gradientOf ?? id;
    return makers.get(owned) ?? readers.get(owned);
  };
  const ownerOf = (operator: Operator): Operator => {
    const { of, phase, outputs } = operator;
    const known = of === undefined ? undefined : operators.get(of);
    if (known !== undefined || phase !== "backward") return known ?? operator;
    // An operator that only reshapes or casts a parameter's gradient belongs to the reader of the
    // parameter.
    const made = outputs.flatMap(({ tensor }) => ownerOfTensor(tensor) ?? []);
    return made.find((each) => (each.phase ?? "forward") === "forward") ?? operator;
  };
  const pathOf = (operator: Operator | undefined): string | undefined => {
    if (operator?.phase === "update") return undefined;
    return (operator && ownerOf(operator).module) ?? "";
  };
  const ofTensor = (id: TensorId) => pathOf(ownerOfTensor(id));
  return {
    forwardOf: (id) => {
      const operator = operators.get(id);
      return operator === undefined ? id : ownerOf(operator).id;
    },
    operatorOf: (id) => {
      const operator = ownerOfTensor(id);
      return operator === undefined ? undefined : ownerOf(operator).id;
    },
    ofTensor,
    ofStep: (step) => {
      if (step.phase === "update") return undefined;
      if (step.kind === "local") return pathOf(operators.get(step.operator));
      const tensor = moved.get(step.reshard);
      return tensor === undefined ? "" : ofTensor(tensor);
    },
  };
});

function wiringOf(operators: readonly Operator[]) {
  const makers = new Map<TensorId, Operator>();
  const readers = new Map<TensorId, Operator>();
  for (const operator of operators) {
    for (const { tensor } of operator.outputs) makers.set(tensor, operator);
    for (const { tensor } of operator.inputs) {
      if (!readers.has(tensor)) readers.set(tensor, operator);
    }
  }
  return { makers, readers };
}

/** The layer of a module path, `blocks[3]` for `blocks[3].attn`; empty outside layers. */
export function layerOf(path: string): string {
  return path.slice(0, path.indexOf("]") + 1);
}
