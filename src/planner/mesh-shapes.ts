import type { Link } from "#core/mesh";

/** The lengths of the axes of a mesh, outermost first. */
export type MeshShape = readonly number[];

/** What is asked of the shapes of a mesh. */
export interface MeshShapesAsked {
  readonly devices: number;
  /** So many axes at most; every axis has two devices or more. */
  readonly mostAxes: number;
  /** The links along the axes of a mesh of these lengths. */
  readonly linksOf: (shape: MeshShape) => readonly (Link | undefined)[];
}

/**
 * The meshes into which devices can be arranged, those of fewer axes first. Of orders of the same
 * lengths with the same links along them, which no plan can tell apart, only the one with the
 * longest axes first. No shape of fewer than two devices.
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

/** All products of a number with so many factors of at least 2, in every order, longest first. */
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

/** The same for shapes whose axes are the same up to their order. */
function keyOf(shape: MeshShape, links: readonly (Link | undefined)[]): string {
  const axes = shape.map((size, at) => {
    const { latency, bandwidth, fabric, inner } = links[at] ?? {};
    return [size, latency, bandwidth, fabric, inner?.devices].join(" ");
  });
  return axes.sort().join("; ");
}
