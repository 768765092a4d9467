import { product } from "#core/arithmetic";
import {
  assumedPlatform,
  hardwareOf,
  machineSize,
  type Platform,
  withFigures,
} from "#core/cost/machines";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Status } from "#core/ir";
import { commonRefinement, createMesh, type DeviceMesh, meshLimit } from "#core/mesh";
import type { Trace } from "../trace/trace.ts";
import type { LayoutSpec, WrittenArrangement, WrittenMesh } from "../trace/written-layouts.ts";

/** Mesh of a document and its origin. */
export interface DocumentMesh {
  readonly mesh: DeviceMesh;
  readonly status: Status;
  readonly span?: Span;
  readonly sizeSpans: Readonly<Record<string, Span>>;
  /** Platform named by `Mesh(…, hardware=…)`, or given beside the text. */
  readonly platform?: Platform;
  readonly diagnostics: readonly Diagnostic[];
}

/** Largest device list that a fix writes out. */
const listLimit = 64;

const oneDevice: DeviceMesh = { axes: [], devices: [0] };

/** Device matrix of an operator, with the strategy that gives it. */
export interface WrittenMatrix {
  readonly matrix: readonly number[];
  readonly strategy?: { readonly span: Span };
}

/**
 * The document's mesh: its `Mesh(…)`, else its first `Layout(…)`, else the common refinement of its
 * operators' device matrices with axes `d0, d1, …` outermost first, else one device
 * (architecture.md §1.2).
 *
 * @param cuts device matrices of the operators with tuple strategies, in program order
 * @param given platform that replaces the text's own
 */
export function documentMesh(
  trace: Pick<Trace, "meshes" | "layouts" | "placedPieces">,
  cuts: readonly WrittenMatrix[],
  given?: Platform,
): DocumentMesh {
  const found = meshOf(trace, cuts);
  const platform = given ?? found.platform;
  return platform === undefined ? found : { ...found, platform, mesh: platform.link(found.mesh) };
}

function meshOf(
  trace: Pick<Trace, "meshes" | "layouts" | "placedPieces">,
  cuts: readonly WrittenMatrix[],
): DocumentMesh {
  const [written, ...more] = trace.meshes;
  if (written !== undefined) return writtenMesh(written, more);
  const [arrangement] = trace.layouts;
  if (arrangement !== undefined) return arrangementMesh(arrangement);
  const pieces = trace.placedPieces.map((placed) => placed.pieces);
  const all = [...cuts.map(({ matrix }) => matrix), ...pieces];
  const tooLarge = all.findIndex((matrix) => meshLimit(matrix) !== undefined);
  if (tooLarge >= 0) return beyondLimit(all[tooLarge] ?? [], cuts[tooLarge]?.strategy?.span);
  const devices = Math.max(1, ...all.map(product));
  const sizes = refinementOf(all.map((matrix) => withRepeatedAxis(matrix, devices)));
  const axes = sizes.map((size, index) => ({ name: `d${index}`, size }));
  const mesh = { axes, devices: Array.from({ length: product(sizes) }, (_, id) => id) };
  return { mesh, status: "assumed", sizeSpans: {}, diagnostics: [] };
}

/** Mesh of one device, with a diagnostic, when the matrix exceeds the mesh limit. */
function beyondLimit(matrix: readonly number[], span: Span | undefined): DocumentMesh {
  const limit = meshLimit(matrix);
  const said = limit === undefined ? [] : [{ ...limit, ...(span !== undefined && { span }) }];
  return { mesh: oneDevice, status: "assumed", sizeSpans: {}, diagnostics: said };
}

/**
 * Device matrix with an axis of repeated calculation appended, when its product is a proper divisor
 * of the number of devices.
 */
export function withRepeatedAxis(matrix: readonly number[], devices: number): readonly number[] {
  const repeat = devices / product(matrix);
  return repeat > 1 && Number.isInteger(repeat) ? [...matrix, repeat] : matrix;
}

/**
 * Common refinement of the arrangements in order; those without one, or with another number of devices, are
 * skipped.
 */
function refinementOf(matrices: readonly (readonly number[])[]): readonly number[] {
  return matrices.reduce<readonly number[]>((sizes, matrix) => {
    const isComplete = sizes.length === 0 || product(matrix) === product(sizes);
    return (isComplete ? commonRefinement([sizes, matrix]) : undefined) ?? sizes;
  }, []);
}

function writtenMesh(written: WrittenMesh, more: readonly WrittenMesh[]): DocumentMesh {
  const sizeSpans = Object.fromEntries(written.axes.map((axis) => [axis.name, axis.sizeSpan]));
  const created = createMesh(written.axes, written.devices);
  const faults = created.diagnostics.map((fault) => ({
    ...fault,
    span: written.span,
    ...(fault.code === "mesh/device-count" && listing(written)),
  }));
  const ignored = more.map(
    (mesh): Diagnostic => ({
      code: "document/second-mesh",
      severity: "warning",
      message: "the document has one mesh: the first Mesh(…) counts, this one is ignored",
      span: mesh.span,
      related: [{ message: "the mesh that counts", span: written.span }],
    }),
  );
  const platform = platformIn(written);
  return {
    mesh: created.ok ? created.value : oneDevice,
    ...(platform !== undefined && { platform }),
    status: created.ok && written.isAssumed !== true ? "set" : "assumed",
    ...(written.isAssumed !== true && { span: written.span }),
    sizeSpans,
    diagnostics: [...faults, ...ignored, ...otherCount(written)],
  };
}

/** The named platform, else the assumed one, with the given figures. */
function platformIn({ hardware, figures }: WrittenMesh): Platform | undefined {
  const own = hardware?.platform;
  return figures === undefined ? own : withFigures(own ?? assumedPlatform, figures);
}

/** Fix that lists as many devices as the mesh has, in order of their numbers. */
function listing({ axes, devicesSpan }: WrittenMesh): Pick<Diagnostic, "fixes"> {
  const count = product(axes.map(({ size }) => size));
  if (devicesSpan === undefined || count > listLimit) return {};
  const text = `[${Array.from({ length: count }, (_, id) => id).join(", ")}]`;
  const title = `List the ${count} devices from 0 to ${count - 1}`;
  return { fixes: [{ title, edits: [{ ...devicesSpan, text }] }] };
}

/** Warning for a preset whose number of devices differs from the mesh's. */
function otherCount({ axes, hardware }: WrittenMesh): readonly Diagnostic[] {
  const machine = hardware?.machine;
  const size = machine && machineSize(machine);
  const count = product(axes.map((axis) => axis.size));
  if (machine === undefined || size === undefined || size === count) return [];
  const { name } = hardwareOf(machine);
  return [
    {
      code: "document/hardware-size",
      severity: "warning",
      message: `${name} has ${size} devices, but the mesh has ${count}`,
      ...(hardware !== undefined && { span: hardware.span }),
    },
  ];
}

function arrangementMesh({ spec, span, matrix }: WrittenArrangement): DocumentMesh {
  const mesh = meshOfSpec(spec);
  const places = spec.aliasName.flatMap((name, index): [string, Span][] => {
    const place = matrix?.items[index]?.span;
    return place === undefined ? [] : [[name, place]];
  });
  const isWhole = product(mesh.axes.map(({ size }) => size)) === mesh.devices.length;
  const status = isWhole ? "set" : "assumed";
  return {
    mesh: isWhole ? mesh : oneDevice,
    status,
    span,
    sizeSpans: Object.fromEntries(places),
    diagnostics: [],
  };
}

/** Mesh described by a `Layout(…)`, without the interleaved axis, which splits inside a device. */
export function meshOfSpec(spec: LayoutSpec): DeviceMesh {
  const axes = spec.aliasName.map((name, index) => ({ name, size: spec.deviceMatrix[index] ?? 1 }));
  const real = spec.isInterleaved ? axes.slice(0, -1) : axes;
  const devices = product(real.map(({ size }) => size));
  const ranks = spec.isInterleaved
    ? Array.from({ length: Math.max(0, devices) }, (_, id) => id)
    : spec.rankList;
  return { axes: real, devices: ranks };
}

/** The document's mesh if a `Layout(…)` describes the same one, else the layout's mesh. */
export function meshFor(spec: LayoutSpec, mesh: DeviceMesh): DeviceMesh {
  const own = meshOfSpec(spec);
  const shape = (each: DeviceMesh) =>
    JSON.stringify([each.axes.map(({ name, size }) => [name, size]), each.devices]);
  return shape(own) === shape(mesh) ? mesh : own;
}
