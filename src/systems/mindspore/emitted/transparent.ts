import { parseDType } from "#core/ir";
import { shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";
import { primitiveName } from "./primitive-name.ts";

/**
 * Whether an operator is absent from MindSpore's graph, or keeps its input's layout: a Cast,
 * whatever its strategy (2.10 redistributes only behind it), or a Reshape to the same shape.
 */
export function isTransparent(operator: TracedOperator): boolean {
  const op = primitiveName(operator);
  if (changesNothing(operator, op)) return true;
  return op === "Cast" || reshapedBack(operator) !== undefined;
}

/**
 * The tensor that a Reshape makes again: its operand, or what that was before other Reshapes, which
 * has its shape. `undefined` for any other operator.
 */
export function reshapedBack(operator: TracedOperator): TracedTensor | undefined {
  const { strategy, outputs } = operator;
  const [output] = outputs;
  if (output === undefined || strategy !== undefined) return undefined;
  if (primitiveName(operator) !== "Reshape") return undefined;
  const shape = shapeOf(output).join();
  let made: TracedOperator | undefined = operator;
  while (made !== undefined && (made === operator || isReshape(made))) {
    const [input]: TracedOperator["inputs"] = made.inputs;
    if (input?.kind !== "tensor") return undefined;
    if (shapeOf(input).join() === shape) return input;
    made = input.producer;
  }
  return undefined;
}

/** The tensor behind an operator that keeps its layout. */
function behind(made: TracedOperator): TracedTensor | undefined {
  const [input] = made.inputs;
  return reshapedBack(made) ?? (input?.kind === "tensor" ? input : undefined);
}

/**
 * Whether MindSpore removes an operator before it reads strategies: a Transpose that leaves every
 * dim in place, a Tile of one copy, a repeated read.
 */
export function changesNothing(
  { primitive }: Pick<TracedOperator, "primitive">,
  op: string,
): boolean {
  const { perm, multiples } = primitive?.arguments ?? {};
  if (op === "Load") return true;
  if (op === "Transpose") return Array.isArray(perm) && perm.every((dim, at) => dim === at);
  return op === "Tile" && Array.isArray(multiples) && multiples.every((count) => count === 1);
}

/** Whether an operator reads no more of its operand than its shape. */
export function readsShapeAlone(traced: TracedOperator): boolean {
  return /^(ZerosLike|OnesLike|Shape)$/.test(primitiveName(traced));
}

/** Of a tensor that is made twice: the first one. */
export type SameTensors = ReadonlyMap<TracedTensor, TracedTensor>;

/** The tensor that one is behind operators which change nothing of how it lies. */
export function sourceOf(tensor: TracedTensor, same: SameTensors): TracedTensor {
  let source = same.get(tensor) ?? tensor;
  for (let made = source.producer; made !== undefined && isTransparent(made); ) {
    const input = behind(made);
    if (input === undefined) break;
    source = same.get(input) ?? input;
    made = source.producer;
  }
  return source;
}

/** The value that a tensor is: the one that it is behind operators which change nothing but a Cast. */
export function sentValue(tensor: TracedTensor, same: SameTensors): TracedTensor {
  let value = same.get(tensor) ?? tensor;
  for (let made = value.producer; made !== undefined && isTransparent(made); ) {
    const input = behind(made);
    if (input === undefined) break;
    if (primitiveName(made) === "Cast" && !isSameType(made, input)) break;
    // A tensor that is in memory by then is sent once more.
    if (primitiveName(made) === "Load") break;
    value = same.get(input) ?? input;
    made = value.producer;
  }
  return value;
}

/** Whether a Cast is to its operand's own type, so that MindSpore removes it. */
function isSameType(cast: TracedOperator, input: TracedTensor): boolean {
  const { producer } = input;
  const isCast = producer !== undefined && primitiveName(producer) === "Cast";
  return typeCast(cast) === (isCast ? typeCast(producer) : input.dtype);
}

/** The type that a Cast is to, by the name that the program gives it or by its result's. */
function typeCast({ primitive, outputs: [output] }: TracedOperator): string | undefined {
  const { dtype } = primitive?.arguments ?? {};
  return (typeof dtype === "string" ? parseDType(dtype) : undefined) ?? output?.dtype;
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
