import { sum } from "#core/arithmetic";
import type { Diagnostic, Span } from "#core/diagnostics";
import {
  axisSize,
  blockCount,
  type DimLayout,
  type Layout,
  type Part,
  partsCoexist,
  samePart,
} from "./layout.ts";
import type { DeviceMesh } from "./mesh.ts";
import { printPart } from "./print-layout.ts";

/**
 * The faults of a layout on a tensor of this shape: a wrong rank, parts that the mesh does not have
 * or that meet twice, sizes that do not add up, partials of kinds that do not commute (sum and avg
 * do). Without a fault, `slicesOf` and its callers may rely on the layout.
 */
export function checkLayout(layout: Layout, shape: readonly number[]): readonly Diagnostic[] {
  const parts = [...layout.dims.flatMap((dim) => dim.parts), ...layout.partials.map((p) => p.part)];
  const unknown = parts.flatMap((part) => unknownFaults(layout.mesh, part));
  if (unknown.length > 0) return unknown;
  const placed = parts.map((part) => ({ part }));
  const rank: Diagnostic[] =
    layout.dims.length === shape.length
      ? []
      : [error("mesh/rank-mismatch", rankMessage(layout.dims.length, shape))];
  return [
    ...rank,
    ...checkLayoutParts(layout.mesh, placed),
    ...layout.dims.flatMap((dim, at) => dimFaults(dim, shape[at])),
    ...kindFaults(layout),
  ];
}

/** Part with its place in the text, if it was read from one. */
export interface PlacedPart {
  readonly part: Part;
  readonly span?: Span;
}

/** Faults of the parts of one layout among themselves; their axes must exist. */
export function checkLayoutParts(
  mesh: DeviceMesh,
  placed: readonly PlacedPart[],
): readonly Diagnostic[] {
  const bad = placed.filter(({ part }) => !isPartOf(mesh, part));
  const good = placed.filter(({ part }) => isPartOf(mesh, part));
  return [
    ...pieceFaults(good),
    ...bad.map(({ part, span }) => error("mesh/bad-sub-axis", subAxisMessage(mesh, part), span)),
    ...good.flatMap((later, at) => {
      const earlier = good.slice(0, at).find(({ part }) => !partsCoexist(part, later.part));
      return earlier === undefined ? [] : [meetFault(mesh, earlier, later)];
    }),
  ];
}

/** Faults of explicit sizes against the number of blocks that they describe. */
export function sizesFaults(
  sizes: readonly number[],
  count: number,
  span?: Span,
): readonly Diagnostic[] {
  if (sizes.length === count) return [];
  return [error("mesh/bad-sizes", `${sizes.length} sizes for ${count} blocks`, span)];
}

/** The fault of too many pieces on a device: the product over all dims is limited. */
function pieceFaults(placed: readonly PlacedPart[]): readonly Diagnostic[] {
  const pieces = placed.filter(({ part }) => part.kind === "pieces");
  const count = blockCount(pieces.map(({ part }) => part));
  if (count <= maxPieces) return [];
  const message = `${count} pieces on each device; at most ${maxPieces}`;
  return [error("mesh/too-many-pieces", message, pieces.at(-1)?.span)];
}

const maxPieces = 65_536;

function isPartOf(mesh: DeviceMesh, part: Part): boolean {
  if (part.kind === "pieces") return part.count >= 1;
  const whole = axisSize(mesh, part.axis);
  if (part.before === 1 && part.size === whole) return true;
  return part.before >= 1 && part.size >= 2 && whole % (part.before * part.size) === 0;
}

function subAxisMessage(mesh: DeviceMesh, part: Part): string {
  if (part.kind === "pieces") return `"~${part.count}" cuts into no pieces`;
  const whole = axisSize(mesh, part.axis);
  const text = `${part.axis}:(${part.before})${part.size}`;
  return part.size < 2
    ? `"${text}" is smaller than 2`
    : `"${text}" does not divide mesh axis "${part.axis}" of size ${whole}`;
}

function meetFault(mesh: DeviceMesh, earlier: PlacedPart, later: PlacedPart): Diagnostic {
  const [first, second] = [printPart(mesh, earlier.part), printPart(mesh, later.part)];
  const fault = samePart(earlier.part, later.part)
    ? error("mesh/axis-used-twice", `"${second}" is used twice`, later.span)
    : error("mesh/overlapping-sub-axes", `"${second}" and "${first}" overlap`, later.span);
  if (earlier.span === undefined) return fault;
  return { ...fault, related: [{ message: "used here before", span: earlier.span }] };
}

function unknownFaults(mesh: DeviceMesh, part: Part): readonly Diagnostic[] {
  if (part.kind === "pieces" || mesh.axes.some((axis) => axis.name === part.axis)) return [];
  return [error("mesh/unknown-axis", `"${part.axis}" is no mesh axis`)];
}

function dimFaults(dim: DimLayout, size: number | undefined): readonly Diagnostic[] {
  if (dim.sizes === undefined) return [];
  const total = sum(dim.sizes);
  const faults = sizesFaults(dim.sizes, blockCount(dim.parts));
  if (size === undefined || total === size) return faults;
  return [
    ...faults,
    error("mesh/bad-sizes", `sizes {${dim.sizes}} add up to ${total}, not to ${size}`),
  ];
}

function kindFaults(layout: Layout): readonly Diagnostic[] {
  const kinds = new Set(layout.partials.map(({ reduce }) => reduce));
  const linear = [...kinds].every((kind) => kind === "sum" || kind === "avg");
  if (kinds.size < 2 || linear) return [];
  return [
    error("mesh/mixed-partials", `partials of kinds ${[...kinds].join(" and ")} do not combine`),
  ];
}

function rankMessage(rank: number, shape: readonly number[]): string {
  return `the layout has ${rank} dims, the tensor ${shape.length} (shape [${shape.join(", ")}])`;
}

function error(code: DiagnosticCode, message: string, span?: Span): Diagnostic {
  const plain = { code, severity: "error", message } as const;
  return span === undefined ? plain : { ...plain, span };
}
