import { parseDType } from "#core/ir";
import { shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";
import { primitiveName } from "./primitive-name.ts";

/**
 * Whether an operator is absent from MindSpore's graph, or keeps its input's layout: a Cast,
 * whatever its strategy (2.10 redistributes only after it), or a Reshape to the same shape.
 */
export function isTransparent(operator: TracedOperator): boolean {
  const op = primitiveName(operator);
  if (changesNothing(operator, op)) return true;
  return op === "Cast" || reshapedBack(operator) !== undefined;
}

/**
 * The tensor that a Reshape restores: its operand, or that of an earlier Reshape, if it has the
 * result's shape. `undefined` for any other operator.
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

/** The operand that a transparent operator passes on. */
function behind(made: TracedOperator): TracedTensor | undefined {
  const [input] = made.inputs;
  return reshapedBack(made) ?? (input?.kind === "tensor" ? input : undefined);
}

/**
 * Whether MindSpore removes an operator before it reads strategies: a Transpose that keeps every
 * dim, a Tile of one copy, a repeated read.
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

/** Whether an operator reads only the shape of its operand. */
export function readsShapeAlone(traced: TracedOperator): boolean {
  return /^(ZerosLike|OnesLike|Shape)$/.test(primitiveName(traced));
}

/** Maps a tensor that is computed twice to the first one. */
export type SameTensors = ReadonlyMap<TracedTensor, TracedTensor>;

/** The tensor before all transparent operators, from which a redistribution starts. */
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

/**
 * The tensor whose value is redistributed: the one before transparent operators, but after a real
 * Cast.
 */
export function sentValue(tensor: TracedTensor, same: SameTensors): TracedTensor {
  let value = same.get(tensor) ?? tensor;
  for (let made = value.producer; made !== undefined && isTransparent(made); ) {
    const input = behind(made);
    if (input === undefined) break;
    if (primitiveName(made) === "Cast" && !isSameType(made, input)) break;
    // A tensor in memory is redistributed again after each Load.
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

/** The target type of a Cast, as given in the program or by its result. */
function typeCast({ primitive, outputs: [output] }: TracedOperator): string | undefined {
  const { dtype } = primitive?.arguments ?? {};
  return (typeof dtype === "string" ? parseDType(dtype) : undefined) ?? output?.dtype;
}

/** The operand of the first of several consecutive Reshapes, of which only the last counts. */
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
