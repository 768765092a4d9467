import { greatestCommonDivisor } from "#core/arithmetic";
import { dimCount, type Layout } from "#core/mesh";
import type { Found } from "./routes.ts";

/** A smaller shape that is planned in place of another, and how many times that one is as large. */
export interface ReducedShape {
  readonly shape: readonly number[];
  readonly ratio: number;
}

/**
 * The least shape on which the search between two layouts goes as on the given one: where all cuts
 * are even, a size counts only by the factors that it shares with the mesh, as often as digits of
 * the mesh can stand there beside those that do. `undefined` where sizes matter otherwise.
 */
export function reducedShapeOf(
  from: Layout,
  to: Layout,
  shape: readonly number[],
): ReducedShape | undefined {
  if (from.mesh !== to.mesh || !isEven(from, shape) || !isEven(to, shape)) return undefined;
  const most = from.mesh.devices.length ** 2;
  const small = shape.map((size) => greatestCommonDivisor(size, most));
  const ratio = shape.reduce((n, size, at) => n * (size / (small[at] ?? 1)), 1);
  return { shape: small, ratio };
}

/** Routes of the reduced shape, for the shape itself; `undefined` where rounding could differ. */
export function enlarged(found: Found, ratio: number): Found | undefined {
  if (!found.isProportional || !isSafe(found.lowerBound, ratio)) return undefined;
  for (const route of found.routes)
    for (const { elements } of route) if (!isSafe(elements, ratio)) return undefined;
  const routes = found.routes.map((route) =>
    route.map((step) => ({ ...step, elements: step.elements * ratio })),
  );
  return { ...found, routes, lowerBound: found.lowerBound * ratio };
}

/** Whether a figure and its multiple are whole numbers without rounding. */
function isSafe(figure: number, ratio: number): boolean {
  return Number.isSafeInteger(figure) && Number.isSafeInteger(figure * ratio);
}

function isEven({ dims }: Layout, shape: readonly number[]): boolean {
  return dims.every((dim, at) => {
    const size = shape[at] ?? 0;
    const isPlain = dim.sizes === undefined && dim.parts.every(({ kind }) => kind === "axis");
    return isPlain && size > 0 && size % dimCount(dim) === 0;
  });
}
