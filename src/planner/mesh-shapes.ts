import type { Link } from "#core/mesh";

/** The lengths of the axes of a mesh, outermost first. */
export type MeshShape = readonly number[];

/** The wanted mesh shapes. */
export interface MeshShapesAsked {
  readonly devices: number;
  /** Largest number of axes; every axis has at least two devices. */
  readonly mostAxes: number;
  /** The links along the axes of a mesh of these lengths. */
  readonly linksOf: (shape: MeshShape) => readonly (Link | undefined)[];
}

/**
 * Meshes into which devices can be arranged, those with fewer axes first. Shapes that differ only
 * in the order of axes with equal links are equivalent for every plan, so only the shape with the
 * longest axes first is listed. Empty for fewer than two devices.
 */
export function meshShapes({ devices, mostAxes, linksOf }: MeshShapesAsked): readonly MeshShape[] {
  if (!Number.isInteger(devices) || devices < 2) return [];
  const known = new Set<string>();
  const shapes: MeshShape[] = [];
  for (let axes = 1; axes <= mostAxes; axes += 1) {
    for (const shape of factorizations(devices, axes)) {
      const key = keyOf(shape, linksOf(shape));
      if (known.has(key)) continue;
      known.add(key);
      shapes.push(shape);
    }
  }
  return shapes;
}

/**
 * All products that make a number out of `count` factors of at least 2, in every order, longest
 * first.
 */
function factorizations(product: number, count: number): readonly MeshShape[] {
  if (count === 1) return product < 2 ? [] : [[product]];
  return divisorsOf(product).flatMap((first) =>
    factorizations(product / first, count - 1).map((rest) => [first, ...rest]),
  );
}

/** Divisors from 2 to half of a number, the largest first. */
function divisorsOf(product: number): readonly number[] {
  const small: number[] = [];
  for (let divisor = 2; divisor * divisor <= product; divisor += 1) {
    if (product % divisor === 0) small.push(divisor);
  }
  const large = small.map((divisor) => product / divisor);
  return [...new Set([...small, ...large])].sort((a, b) => b - a);
}

/** A key that is equal for shapes that differ only in the order of their axes. */
function keyOf(shape: MeshShape, links: readonly (Link | undefined)[]): string {
  const axes = shape.map((size, at) => {
    const { latency, bandwidth, fabric, inner } = links[at] ?? {};
    return [size, latency, bandwidth, fabric, inner?.devices].join(" ");
  });
  return axes.sort().join("; ");
}
