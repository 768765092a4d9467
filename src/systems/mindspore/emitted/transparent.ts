import { shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";
import { primitiveName } from "./primitive-name.ts";

/**
 * Whether MindSpore's graph has no operator of its own there, or one that lies as its input does: a
 * Cast without a strategy, a Reshape to the same shape.
 */
export function isTransparent(operator: TracedOperator): boolean {
  const op = primitiveName(operator);
  if (changesNothing(operator, op)) return true;
  if (operator.strategy !== undefined) return false;
  if (op === "Cast") return true;
  const [input] = operator.inputs;
  const [output] = operator.outputs;
  if (op !== "Reshape" || input?.kind !== "tensor" || output === undefined) return false;
  return shapeOf(input).join() === shapeOf(output).join();
}

/** A Transpose that leaves every dim where it is, a Tile of one copy: taken out before strategies are read. */
export function changesNothing(
  { primitive }: Pick<TracedOperator, "primitive">,
  op: string,
): boolean {
  const { perm, multiples } = primitive?.arguments ?? {};
  if (op === "Transpose") return Array.isArray(perm) && perm.every((dim, at) => dim === at);
  return op === "Tile" && Array.isArray(multiples) && multiples.every((count) => count === 1);
}

/** Of a tensor that is made twice: the first one. */
export type SameTensors = ReadonlyMap<TracedTensor, TracedTensor>;

/** The tensor that one is behind operators which change nothing of how it lies. */
export function sourceOf(tensor: TracedTensor, same: SameTensors): TracedTensor {
  let source = same.get(tensor) ?? tensor;
  for (let made = source.producer; made !== undefined && isTransparent(made); ) {
    const [input] = made.inputs;
    if (input?.kind !== "tensor") break;
    source = same.get(input) ?? input;
    made = source.producer;
  }
  return source;
}

/** The operand of a Reshape: of several in a row the last one stands for all. */
export function reshapedFrom(tensor: TracedTensor, same: SameTensors): TracedTensor {
  let source = sourceOf(tensor, same);
  for (let made = source.producer; made !== undefined && isReshape(made); ) {
    const [input] = made.inputs;
    if (input?.kind !== "tensor") break;
    source = sourceOf(input, same);
    made = source.producer;
  }
  return source;
}

function isReshape(operator: TracedOperator): boolean {
  const isSkipped = operator.primitive?.attributes.some(
    ({ name }) => name === "skip_redistribution",
  );
  return primitiveName(operator) === "Reshape" && operator.strategy === undefined && !isSkipped;
}
