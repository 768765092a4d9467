import { greatestCommonDivisor, product } from "#core/arithmetic";
import { passed } from "#core/diagnostics";
import { specOf } from "../primitives/index.ts";
import {
  integersIn,
  type OperatorCall,
  type OperatorOutput,
  type OperatorRule,
  refused,
  valuesFrom,
} from "./call.ts";

/**
 * Operators that make a tensor of a given shape: the first tuple cuts it, and empty tuples stand
 * for the numbers that fill it. Tensor inputs, such as distribution parameters, stay whole.
 */
export const makerRule: OperatorRule = {
  tuples: (call) => {
    const shape = shapeIn(call);
    const [cut = []] = call.strategies;
    if (shape === undefined) return refused(`what ${call.op} makes is not known here`);
    const others = call.shapes.length > 0 ? call.strategies.slice(1).flat() : [];
    if (others.some((pieces) => pieces > 1))
      return refused(`${call.op} cuts what it makes alone, not the tensors that it reads`);
    if (call.shapes.some((other) => isNarrower(shape, cut, other)))
      return refused(`a piece of what ${call.op} makes does not fit the tensors that it reads`);
    const map = valuesFrom(cut.length, 0, cut.length);
    return passed({
      deviceMatrix: cut,
      inputMaps: call.shapes.map((dims) => dims.map(() => -1)),
      outputs: [call.op === "DropoutGenMask" ? maskOf(shape) : { shape, map }],
      forward: [],
    });
  },
  cutSizes: (call) => [shapeIn(call) ?? [], ...(call.op === "FillV2" ? [[]] : call.shapes)],
};

/**
 * Whether a cut dim of the result is a dim larger than 1 of a right-aligned input, which stays
 * whole.
 */
function isNarrower(
  shape: readonly number[],
  cut: readonly number[],
  other: readonly number[],
): boolean {
  const lead = shape.length - other.length;
  return other.some((size, dim) => size > 1 && (cut[dim + lead] ?? 1) > 1);
}

/**
 * The packed bits of a dropout mask, whole in shape: each device makes those of its own elements.
 */
function maskOf(shape: readonly number[]): OperatorOutput {
  const elements = product(shape);
  return { shape: [Math.ceil(elements / 128) * 16], map: [-1] };
}

function shapeIn({ attributes, arguments: [given] }: OperatorCall): readonly number[] | undefined {
  return integersIn(attributes.shape ?? given);
}

/** Operators whose result is whole on every device. */
const makesWhole: ReadonlySet<string> = new Set(["Eye", "FillScalar"]);

/**
 * LinSpace, LinSpaceExt and Arange: one tuple cuts the row that they make. By default all devices
 * cut it, for Arange as many as divide it (recorded from 2.10). Eye and FillScalar make whole
 * tensors.
 */
export const rowRule: OperatorRule = {
  tuples: (call) => {
    const shape = madeBy(call);
    const [cut = shape.map(() => 1)] = call.strategies;
    if (makesWhole.has(call.op) && call.strategies.flat().length > 0)
      return refused(`${call.op} cannot be split`);
    const inputMaps = call.shapes.map((dims) => dims.map(() => -1));
    if (makesWhole.has(call.op)) {
      return passed({
        deviceMatrix: [],
        inputMaps,
        outputs: [{ shape, map: shape.map(() => -1) }],
        forward: [],
      });
    }
    const map = valuesFrom(cut.length, 0, cut.length);
    return passed({ deviceMatrix: cut, inputMaps, outputs: [{ shape, map }], forward: [] });
  },
  defaultStrategies: (call) => {
    const { op, devices } = call;
    if (makesWhole.has(op)) return [];
    const [length = 1] = madeBy(call);
    return [[op === "Arange" ? greatestCommonDivisor(length, devices) : devices]];
  },
  cutSizes: (call) => (makesWhole.has(call.op) ? [] : [madeBy(call)]),
};

function madeBy(call: OperatorCall): readonly number[] {
  const links = specOf(call.op)?.links(call);
  if (links === undefined || typeof links === "string") return [];
  return links.outputs[0]?.map(({ size }) => size) ?? [];
}
