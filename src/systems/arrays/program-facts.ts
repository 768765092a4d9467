import type { DType } from "#core/ir";
import type { Expr, OperatorBody } from "#core/ir/body";
import {
  blockCount,
  type DeviceMesh,
  heldByDim,
  type Layout,
  type Part,
  type ReduceKind,
  sameMesh,
  samePart,
} from "#core/mesh";
import { type CollectiveStep, flatSteps, type SpmdProgram } from "#core/program";
import type { HeldBlocks } from "./held-blocks.ts";
import { NotWritten } from "./not-written.ts";

/**
 * The mesh of all values.
 *
 * @throws NotWritten when values have different meshes, or device ids are not 0, 1, 2, …
 */
export function meshOf({ values }: SpmdProgram): DeviceMesh {
  const [first, ...others] = values.map(({ layout }) => layout.mesh);
  if (first === undefined) throw new NotWritten("the program computes nothing");
  if (others.some((mesh) => !sameMesh(mesh, first)))
    throw new NotWritten("its tensors lie on different arrangements of the devices");
  const ids = [...first.devices].sort((a, b) => a - b);
  if (ids.some((id, at) => id !== at))
    throw new NotWritten("its devices are not numbered from 0 on without a gap");
  return first;
}

/** Every part of the mesh that a layout, a cut or a move names. */
export function meshPartsOf(program: SpmdProgram): readonly Part[] {
  const laid = program.values.flatMap(({ layout: { dims, partials } }) => [
    ...dims.flatMap(({ parts }) => parts),
    ...partials.map(({ part }) => part),
  ]);
  const moved = flatSteps(program).flatMap((step) =>
    step.kind === "local"
      ? Object.values(step.strategy.cuts).flat()
      : step.moves.map(({ part }) => part),
  );
  return [...laid, ...moved];
}

/** Bytes that the busiest device receives in the plan's forward collectives. */
export function forwardBytes(program: SpmdProgram): number {
  return flatSteps(program).reduce(
    (sum, step) =>
      step.kind === "collective" && step.phase === "forward" ? sum + step.bytes : sum,
    0,
  );
}

/** @throws NotWritten unless all blocks are equal */
export function checkEven({ dims }: Layout, shape: readonly number[], name: string): void {
  for (const [at, dim] of dims.entries()) {
    if (dim.sizes !== undefined || (shape[at] ?? 1) % blockCount(dim.parts) !== 0)
      throw new NotWritten(`${name} is cut unevenly`);
  }
}

/** Positions of parameters that are tensors, in the order of an operator's inputs. */
export function placesOf({ call }: OperatorBody): readonly number[] {
  return call.inputs.flatMap((input, position) => (input === undefined ? [] : [position]));
}

const integral = new Set(["add", "sub", "mul", "neg", "abs", "sign", "max", "min", "floor"]);
const choosing = new Set([
  ...["quotient", "less", "less-equal", "select", "bit-and", "bit-or", "bit-xor"],
]);

/** Whether integers stay integers in a body. */
export function isIntegral({ body }: OperatorBody): boolean {
  const isWhole = (expr: Expr): boolean => {
    if (expr.kind === "number" && expr.setting !== undefined) return false;
    if (expr.kind === "number") return Number.isInteger(expr.value) || !Number.isFinite(expr.value);
    if (expr.kind !== "apply") return true;
    return (integral.has(expr.function) || choosing.has(expr.function)) && expr.args.every(isWhole);
  };
  return [...body.tables, ...body.outputs].every(({ value }) => isWhole(value));
}

/** The ranges of a device along a dim: one `[start, stop]`, or a list of several. */
export type ClaimedRange = readonly number[] | readonly (readonly number[])[];

/** The ranges of each device, by device id, then dim. */
export function rangesOf({
  layout,
  shape,
}: Pick<Port, "layout" | "shape">): readonly (readonly ClaimedRange[])[] {
  const { devices } = layout.mesh;
  const held = heldByDim(layout, shape);
  return [...devices.entries()]
    .sort(([, a], [, b]) => Number(a) - Number(b))
    .map(([index]) =>
      held.map((dim, at): ClaimedRange => {
        const size = shape[at] ?? 0;
        const ranges = (dim[index] ?? []).map(({ start, stop }) => [start, stop]);
        return ranges.length > 1 ? ranges : (ranges[0] ?? [size, size]);
      }),
    );
}

/** Ranges of each device for a tensor in equal blocks, with one range per dim. */
export function evenRangesOf(
  port: Pick<Port, "layout" | "shape">,
): readonly (readonly (readonly number[])[])[] {
  return rangesOf(port).map((dims) =>
    dims.map((range) => range.filter((edge) => typeof edge === "number")),
  );
}

/** Reduction of a collective: that of the partial values it combines; a sum when there are none. */
export function reduceOf(
  { moves }: CollectiveStep,
  { partials }: Layout,
  name: string,
): ReduceKind {
  const moved = partials.filter(({ part }) => moves.some((move) => samePart(move.part, part)));
  const [first = "sum", ...others] = [...new Set(moved.map(({ reduce }) => reduce))];
  if (others.length > 0 || (moved.length > 0 && !["sum", "max", "min"].includes(first)))
    throw new NotWritten(`${name} is not combined by a sum or an extreme`);
  return first;
}

/** An input or output of the written program. */
export interface Port {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly layout: Layout;
  readonly blocks: HeldBlocks;
}
