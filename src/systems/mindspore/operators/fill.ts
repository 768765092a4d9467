import { passed } from "#core/diagnostics";
import {
  integersIn,
  type OperatorCall,
  type OperatorOutput,
  type OperatorRule,
  refused,
  valuesFrom,
} from "./call.ts";

/**
 * Operators that make a tensor of the shape that they are asked for: the first tuple cuts it, and
 * empty ones stand for the numbers that fill it.
 */
export const makerRule: OperatorRule = {
  tuples: (call) => {
    const shape = shapeIn(call);
    const [cut = []] = call.strategies;
    if (shape === undefined) return refused(`what ${call.op} makes is not known here`);
    const map = valuesFrom(cut.length, 0, cut.length);
    return passed({
      deviceMatrix: cut,
      inputMaps: call.shapes.map((dims) => dims.map(() => -1)),
      outputs: [call.op === "DropoutGenMask" ? maskOf(shape) : { shape, map }],
      forward: [],
    });
  },
  cutSizes: (call) => [shapeIn(call) ?? [], ...(call.op === "FillV2" ? [[]] : [])],
};

/** A mask's bits lie in a row of bytes, on every device those of its own elements. */
function maskOf(shape: readonly number[]): OperatorOutput {
  const elements = shape.reduce((product, size) => product * size, 1);
  return { shape: [Math.ceil(elements / 128) * 16], map: [-1] };
}

function shapeIn({ attributes, arguments: [given] }: OperatorCall): readonly number[] | undefined {
  return integersIn(attributes.shape ?? given);
}
