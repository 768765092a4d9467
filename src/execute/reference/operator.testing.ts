import { printAnnotation } from "#core/dimops";
import {
  bindCall,
  type CallShapes,
  entryOf,
  type GradientStep,
  type Graph,
  type LibraryEntry,
  type Operand,
  operatorId,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";

/** Sizes for sample calls: the same for the same name, small multiples of what is asked. */
export function sizesFrom(
  draw: (name: string) => number,
): (name: string, multipleOf?: number) => number {
  const known = new Map<string, number>();
  return (name, multipleOf = 1) => {
    const size = known.get(name) ?? draw(name) * multipleOf;
    known.set(name, size);
    return size;
  };
}

/**
 * A graph of one operator on inputs `x0`, `x1`, … with results `y0`, …, by its own annotation or a
 * given one.
 */
export function graphOf(entry: LibraryEntry, sample: CallShapes, annotation?: string): Graph {
  const bound = bindCall(entry, sample, annotation);
  if (!bound.ok) throw new Error(`${entry.name}: ${bound.diagnostics[0]?.message}`);
  const { call, bound: binding } = bound.value;
  const id = operatorId("y0");
  const inputs = call.inputs.flatMap((operand, at): (Operand & { shape: readonly number[] })[] =>
    operand === undefined
      ? []
      : [{ tensor: tensorId(`x${at}`), dims: operand.dims, shape: operand.shape }],
  );
  const outputs = call.outputs.map(({ dims, shape }, at) => ({
    tensor: tensorId(`y${at}`),
    dims,
    shape,
  }));
  const tensors = [
    ...inputs.map(({ tensor, shape }) => tensorOf(tensor, shape, "input")),
    ...outputs.map(({ tensor, shape }) => ({
      ...tensorOf(tensor, shape, "activation"),
      producer: id,
    })),
  ];
  const operator = {
    id,
    name: "y0",
    op: entry.name,
    entry: entry.name,
    attributes: sample.attributes,
    call: `${entry.name}(…) ${printAnnotation(binding.annotation)}`,
    annotation: binding.annotation,
    axes: call.axes,
    inputs,
    outputs,
    linear: [],
    ...(entry.combine !== undefined && { combine: entry.combine }),
    reducesInside: false,
  };
  return { tensors, operators: [operator], outputs: outputs.map(({ tensor }) => tensor) };
}

/**
 * Tells the first graph with given operators and shapes from later ones: gradients of many calls
 * are the same contraction.
 */
export function createSeen(): (graph: Graph) => boolean {
  const seen = new Set<string>();
  return ({ operators, tensors }) => {
    const calls = operators.map(({ call, attributes }) => [call, attributes]);
    const key = JSON.stringify([calls, tensors.map(({ shape, dtype }) => [shape, dtype])]);
    return seen.size < seen.add(key).size;
  };
}

/** One operator of a gradient by itself, with the shapes of its operands. */
export interface StepCall {
  /** Position of the operand whose gradient it makes. */
  readonly target: number;
  readonly step: GradientStep;
  readonly graph: Graph;
}

/** The operators of all gradients of a call. */
export function gradientCalls(entry: LibraryEntry, sample: CallShapes): readonly StepCall[] {
  const bound = bindCall(entry, sample);
  if (!bound.ok) throw new Error(`${entry.name}: ${bound.diagnostics[0]?.message}`);
  const { call } = bound.value;
  return entry.gradient(call).flatMap((steps, target) =>
    steps.map((step) => {
      const shapes = step.operands.map(({ from, index }) => {
        const operand = from === "input" ? call.inputs[index] : call.outputs[index];
        return operand?.shape ?? [];
      });
      const used = entryNamed(step.op);
      const inputs = withPlainOperands(shapes, step.annotation);
      const graph = graphOf(used, { inputs, attributes: step.attributes }, step.annotation);
      return { target, step, graph };
    }),
  );
}

/**
 * Shapes at the positions of an annotation's inputs; `undefined` at `?`, an operand that is no
 * tensor.
 */
function withPlainOperands(
  shapes: readonly (readonly number[])[],
  annotation: string | undefined,
): CallShapes["inputs"] {
  if (annotation === undefined) return shapes;
  const given = [...shapes];
  const [left = ""] = annotation.split("->");
  return left.split(",").map((text) => (text.trim() === "?" ? undefined : given.shift()));
}

/** The entry of a name that surely exists. */
export function entryNamed(name: string): LibraryEntry {
  const entry = entryOf(name);
  if (entry === undefined) throw new Error(`no entry ${name}`);
  return entry;
}

function tensorOf(id: TensorId, shape: readonly number[], role: Tensor["role"]): Tensor {
  return {
    id,
    name: id,
    shape,
    dtype: "f32",
    dtypeText: "f32",
    role,
    dimNames: shape.map((_, dim) => `d${dim}`),
    shapeStatus: "set",
  };
}
