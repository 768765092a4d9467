import {
  type Box,
  boxesWithout,
  type Projection,
  projectBox,
  sameBox,
  volumeOf,
} from "#core/indexspace";
import type { Operand, Operator, TensorId } from "#core/ir";
import {
  blockCount,
  boxesByIndex,
  type DeviceBoxes,
  type DimLayout,
  type Layout,
} from "#core/mesh";
import { fieldOf } from "#core/records";
import { freeAxes } from "./candidates.ts";
import type { OperatorPlan } from "./plan.ts";
import { cutDim } from "./projection.ts";

/**
 * The boxes of an operand that the pieces of an operator touch, per device in the order of the
 * plan's mesh; `undefined` if those are just the blocks of a layout, or if the operand has no
 * projection of its own.
 *
 * @param layout the operand's layout by its dims alone (`wantedLayout`, `producedLayout`)
 */
export function windowsOf(
  operator: Operator,
  operand: Operand,
  plan: OperatorPlan,
  layout: Layout,
  shape: readonly number[],
): DeviceBoxes | undefined {
  const { projection } = operand;
  if (projection === undefined) return undefined;
  if (isPlain(operator, projection, plan, layout, shape)) return undefined;
  const windows = indexPieces(operator, plan).map((pieces) =>
    pieces.filter((box) => volumeOf(box) > 0).map((box) => projectBox(projection, box)),
  );
  const blocks = boxesByIndex(layout, shape);
  return windows.every((boxes, at) => sameFilled(boxes, blocks[at] ?? [])) ? undefined : windows;
}

/**
 * Whether the windows are certainly the blocks of the layout, judged without the devices: every dim
 * is either whole for all pieces, or cut evenly along one axis whose steps leave no gap and share
 * no cell.
 */
function isPlain(
  { axes }: Operator,
  projection: Projection,
  { strategy, mesh }: OperatorPlan,
  layout: Layout,
  shape: readonly number[],
): boolean {
  if (layout.mesh !== mesh || axes.some(({ size }) => size === 0)) return false;
  if (strategy.sizes !== undefined) return false;
  return projection.every(({ coefficients, offset, extent }, dim) => {
    let reach = extent;
    let cut: number | undefined;
    for (const [at, factor] of coefficients.entries()) {
      const axis = axes[at];
      if (axis === undefined || factor < 0) return false;
      if (factor === 0) continue;
      if ((fieldOf(strategy.cuts, axis.name) ?? []).length === 0) reach += factor * (axis.size - 1);
      else if (cut === undefined) cut = at;
      else return false;
    }
    const parts = layout.dims[dim]?.parts ?? [];
    if (offset !== 0) return false;
    if (cut === undefined) return parts.length === 0 && reach === shape[dim];
    const { name = "", size = 0 } = axes[cut] ?? {};
    const factor = coefficients[cut] ?? 0;
    const pieces = blockCount(parts);
    const isCutAlike = parts === fieldOf(strategy.cuts, name) && size % pieces === 0;
    return isCutAlike && reach === factor && factor * size === shape[dim];
  });
}

/**
 * Whether an even cut of an operator can make its pieces touch windows of an operand instead of
 * blocks. The cells that a device needs are then no block of a layout, and may overlap with another
 * device's.
 *
 * @param shapeOf shapes of its tensors
 */
export function mayReadWindows(
  operator: Operator,
  shapeOf: (tensor: TensorId) => readonly number[],
): boolean {
  const free = new Set(freeAxes(operator));
  return [...operator.inputs, ...operator.outputs].some(({ projection, range, dims, tensor }) => {
    if (projection === undefined) return false;
    const shape = shapeOf(tensor);
    const isBlock = (row: Projection[number], dim: number) =>
      isCutInBlocks(operator, row, { free, splittable: dims[dim]?.splittable, size: shape[dim] });
    return range !== undefined || !projection.every(isBlock);
  });
}

/**
 * Whether a dim is read whole, or is cut along one axis whose windows neither leave gaps nor
 * overlap.
 */
function isCutInBlocks(
  { axes }: Operator,
  { coefficients, offset, extent }: Projection[number],
  dim: {
    readonly free: ReadonlySet<string>;
    readonly splittable: string | undefined;
    readonly size: number | undefined;
  },
): boolean {
  let reach = extent;
  let step: number | undefined;
  let count = 1;
  for (const [at, factor] of coefficients.entries()) {
    const axis = axes[at];
    if (axis === undefined || factor < 0) return false;
    if (factor === 0) continue;
    if (!dim.free.has(axis.name)) reach += factor * (axis.size - 1);
    else if (step !== undefined || dim.splittable !== axis.name) return false;
    else [step, count] = [factor, axis.size];
  }
  if (offset !== 0) return false;
  if (step === undefined) return reach === dim.size;
  return reach === step && step * count === dim.size;
}

/** The parts of an operator's index space that each device computes, in the order of the mesh. */
export function indexPieces(
  { axes }: Operator,
  { strategy, mesh, unverified }: Pick<OperatorPlan, "strategy" | "mesh" | "unverified">,
): DeviceBoxes {
  const dims = axes.map(
    ({ name }): DimLayout => fieldOf(unverified?.axes, name) ?? cutDim(strategy, name),
  );
  return boxesByIndex(
    { mesh, dims, partials: [] },
    axes.map(({ size }) => size),
  );
}

/** Wanted cells that a device does not hold, on the device that lacks most. */
export function lackingElements(held: DeviceBoxes, wanted: DeviceBoxes): number {
  return wanted.reduce((most, boxes, at) => {
    const lacking = boxesWithout(boxes, held[at] ?? []);
    return Math.max(
      most,
      lacking.reduce((sum, box) => sum + volumeOf(box), 0),
    );
  }, 0);
}

function sameFilled(a: readonly Box[], b: readonly Box[]): boolean {
  const [x, y] = [a, b].map((boxes) => boxes.filter((box) => volumeOf(box) > 0));
  return x?.length === y?.length && (x ?? []).every((box, at) => sameBox(box, y?.[at] ?? []));
}
