import type { Expr, OperatorBody } from "#core/ir";
import { type DeviceMesh, type Layout, type Part, partSize, slicesOf } from "#core/mesh";
import { flatSteps, type SpmdProgram } from "#core/program";
import { sameMesh } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import type { Port } from "./port.ts";

/** The arrangement of the devices, which JAX wants to be one for all values. */
export function meshOf({ values }: SpmdProgram): DeviceMesh {
  const [first, ...others] = values.map(({ layout }) => layout.mesh);
  if (first === undefined) throw new NotWritten("the program computes nothing");
  if (others.some((mesh) => !sameMesh(mesh, first)))
    throw new NotWritten("its tensors lie on different arrangements of the devices");
  return first;
}

/** Every part of the mesh that a layout, a cut or a move names. */
export function partsOf(program: SpmdProgram): readonly Part[] {
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

/** Whether its partial values are combined by something else than a sum. */
export function isExtreme({ partials }: Layout): boolean {
  return partials.some(({ reduce }) => reduce !== "sum");
}

/** JAX lays out equal blocks alone. */
export function checkEven({ dims }: Layout, shape: readonly number[], name: string): void {
  for (const [dim, { parts, sizes }] of dims.entries()) {
    const count = parts.reduce((product, part) => product * partSize(part), 1);
    if (sizes !== undefined || (shape[dim] ?? 1) % count !== 0)
      throw new NotWritten(`${name} is cut unevenly`);
  }
}

/** Positions of parameters that are tensors, in the order of an operator's inputs. */
export function placesOf({ call }: OperatorBody): readonly number[] {
  return call.inputs.flatMap((input, position) => (input === undefined ? [] : [position]));
}

const integral = new Set(["add", "sub", "mul", "neg", "abs", "sign", "max", "min", "floor"]);
const choosing = new Set(["quotient", "less", "less-equal", "select"]);

/** Whether integers stay integers in a body. */
export function isIntegral({ body }: OperatorBody): boolean {
  const isWhole = (expr: Expr): boolean => {
    if (expr.kind === "number") return Number.isInteger(expr.value) || !Number.isFinite(expr.value);
    if (expr.kind !== "apply") return true;
    return (integral.has(expr.function) || choosing.has(expr.function)) && expr.args.every(isWhole);
  };
  return [...body.tables, ...body.outputs].every(({ value }) => isWhole(value));
}

/** Per device id the range of every dim. */
export function rangesOf({ layout, shape }: Port): readonly (readonly (readonly number[])[])[] {
  const slices = slicesOf(layout, shape);
  const byDevice = new Map(slices.map((slice) => [Number(slice.device), slice.ranges]));
  return [...byDevice.keys()]
    .sort((a, b) => a - b)
    .map((device) => byDevice.get(device) ?? [])
    .map((ranges) => ranges.map(({ start, stop }) => [start, stop]));
}
