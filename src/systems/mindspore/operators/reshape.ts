import { product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";
import { redistributionFault } from "../redistribution/check-tensor.ts";
import { cleanedUp } from "../redistribution/clean-up.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";
import { listOfRank } from "../redistribution/rank-list.ts";
import { redistribute } from "../redistribution/redistribute.ts";
import { integersIn, type OperatorCall, refused, valuesFrom } from "./call.ts";

/** The layouts before and after a Reshape, and the groups over which a rank gathers. */
export interface ReshapeLayouts {
  readonly from: MappedTensor;
  readonly to: MappedTensor;
  readonly groups: readonly (readonly number[])[];
}

/**
 * Reshape as an operator (mindspore.md §5.4): a redistribution from its input's layout, or from the
 * strategy tuple, to a whole result. A parameter that feeds it is cut on dim 0 over all devices.
 * `skip_redistribution` removes the collectives.
 *
 * @param strategy its tuple, if it has one; copies go to the left of the device matrix
 */
export function reshapeLayouts(
  call: OperatorCall,
  strategy: readonly number[] | undefined,
): Checked<ReshapeLayouts> {
  const { shapes, attributes, devices, rank } = call;
  const { skip_redistribution: isSkipped = false } = attributes;
  const [shape = []] = shapes;
  if (typeof isSkipped !== "boolean") return refused("skip_redistribution must be bool");
  const target = targetShape(call, product(shape));
  if (target === undefined) return refused("Reshape needs a shape of as many elements");
  const from = { ...inputLayout(call, strategy), shape };
  const to = { deviceMatrix: [devices], tensorMap: target.map(() => -1), shape: target };
  const fault = redistributionFault(from, to);
  if (fault !== undefined) return refused(fault);
  const redistribution = redistribute(from, to);
  const list = cleanedUp(listOfRank(redistribution, rank), redistribution.sliceFrom, rank);
  const groups = list.flatMap((operator) => (operator.kind === "concat" ? [operator.ranks] : []));
  return passed({ from, to, groups: isSkipped ? [] : groups });
}

function inputLayout(call: OperatorCall, strategy: readonly number[] | undefined) {
  const { shapes, devices, parameters } = call;
  const [shape = []] = shapes;
  if (strategy !== undefined) {
    const copies = devices / product(strategy);
    const deviceMatrix = copies > 1 ? [copies, ...strategy] : strategy;
    return { deviceMatrix, tensorMap: valuesFrom(strategy.length, 0, strategy.length) };
  }
  const isCut = parameters.includes(0) && shape.length > 0 && (shape[0] ?? 1) % devices === 0;
  const tensorMap = shape.map((_, dim) => (isCut && dim === 0 ? 0 : -1));
  return { deviceMatrix: [devices], tensorMap };
}

/** The target shape with its -1 resolved; `undefined` if its number of elements differs. */
function targetShape(
  { attributes, arguments: [given] }: OperatorCall,
  elements: number,
): readonly number[] | undefined {
  const written = integersIn(attributes.shape ?? given);
  if (written === undefined) return undefined;
  const known = product(written.filter((size) => size !== -1));
  const shape = written.map((size) => (size === -1 ? elements / known : size));
  const isSound = shape.every((size) => Number.isInteger(size) && size > 0);
  return isSound && product(shape) === elements ? shape : undefined;
}
