import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { Redistribution } from "#core/program";
import { type DrawnTensor, drawnIn } from "./glyph/drawn-dims.ts";
import type { BadgeStep } from "./graph/canvas.ts";
import { layoutsOf } from "./graph/tensor-caption.ts";
import type { AxisTag } from "./hue.ts";
import {
  axisTags,
  type Contributor,
  commSummary,
  stepsByRedistribution,
} from "./text/comm-summary.ts";

/** A tensor of a gallery card. */
export interface GalleryTensor {
  readonly name: string;
  readonly drawn: DrawnTensor;
}

/**
 * The drawing on a gallery card of a compiled program: the tensor of its most expensive
 * redistribution before and after, or several tensors if nothing is sent.
 */
export interface GalleryDrawing {
  /** With `between`, one tensor before and after a redistribution; else several tensors. */
  readonly tensors: readonly GalleryTensor[];
  /** The collectives that turn the first layout into the second. */
  readonly between?: readonly BadgeStep[];
  readonly mesh: readonly (AxisTag & { readonly size: number })[];
  readonly deviceCount: number;
  /** Collectives with their bytes, most bytes first; empty if nothing is sent. */
  readonly contributors: readonly Contributor[];
  /** Bytes that the busiest device receives. */
  readonly bytes: number;
  /** Message of the program's first error. */
  readonly fault?: string;
}

/** Most tensors side by side on a card when none are named. */
const mostTensors = 4;

/**
 * The gallery card of a compiled program; `shows` names the tensors to draw instead of its most
 * expensive redistribution.
 */
export function galleryDrawing(compiled: Compiled, shows?: readonly string[]): GalleryDrawing {
  const { program, diagnostics } = compiled;
  const { mesh } = compiled.mesh;
  const fault = diagnostics.find(({ severity }) => severity === "error")?.message;
  const dearest =
    fault === undefined && shows === undefined ? dearestOf(program.redistributions) : undefined;
  const pair = dearest === undefined ? undefined : pairOf(compiled, dearest);
  const tags = axisTags(
    mesh,
    mesh.axes.map(({ name }) => name),
  );
  return {
    ...(pair ?? { tensors: tensorsOf(compiled, shows) }),
    mesh: tags.map((tag, at) => ({ ...tag, size: mesh.axes[at]?.size ?? 1 })),
    deviceCount: mesh.devices.length,
    contributors: commSummary(program, mesh),
    bytes: compiled.cost.bytes,
    ...(fault !== undefined && { fault }),
  };
}

/** The redistribution with the most bytes, the first of equals; `undefined` if nothing is sent. */
function dearestOf(all: readonly Redistribution[]): Redistribution | undefined {
  const [dearest] = [...all].sort((a, b) => b.bytes - a.bytes);
  return dearest === undefined || dearest.bytes === 0 ? undefined : dearest;
}

function pairOf(
  compiled: Compiled,
  { tensor: id, input, output, index }: Redistribution,
): Pick<GalleryDrawing, "tensors" | "between"> | undefined {
  const { program, mesh } = compiled;
  const tensor = program.graph.tensors.find((each) => each.id === id);
  const layoutOf = (value: typeof input) =>
    program.values.find((each) => each.id === value)?.layout;
  const [before, after] = [layoutOf(input), layoutOf(output)];
  if (tensor === undefined || before === undefined || after === undefined) return undefined;
  const drawn = (layout: Layout): GalleryTensor => ({
    name: tensor.name,
    drawn: drawnIn(compiled, tensor, layout),
  });
  const between = (stepsByRedistribution(program).get(index) ?? []).map((step) => ({
    collective: step.collective,
    axes: axisTags(mesh.mesh, step.axes),
  }));
  return { tensors: [drawn(before), drawn(after)], between };
}

/** The named tensors, or the first ones of the text, in their shown layouts. */
function tensorsOf(
  compiled: Compiled,
  shows: readonly string[] | undefined,
): readonly GalleryTensor[] {
  const layouts: ReadonlyMap<TensorId, Layout> = layoutsOf(compiled);
  const all = compiled.program.graph.tensors;
  const wanted =
    shows?.flatMap((name) => all.find((tensor) => tensor.name === name) ?? []) ??
    compiled.graph.tensors.slice(0, mostTensors);
  return wanted.flatMap((tensor): GalleryTensor[] => {
    const layout = layouts.get(tensor.id);
    if (layout === undefined) return [];
    return [{ name: tensor.name, drawn: drawnIn(compiled, tensor, layout) }];
  });
}
