import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import { blockCount, type DeviceMesh, type Layout, partSize, samePart } from "#core/mesh";
import { flatSteps, type SpmdProgram } from "#core/program";
import { countsOf, isMistaken } from "./nested-blocks.ts";

/**
 * Forms that DTensor of PyTorch 2.13 computes wrongly without an error, by warning code. Each was
 * found by running it (engine-torch.md §4.2); engines/replay_dtensor.py runs every one of them.
 */
const wrongForms = {
  "dtensor/rows-not-ascending":
    "DTensor 2.13 cuts in the order of a mesh and gathers in that of the ranks: where devices do not count up along an axis, blocks land in wrong places",
  "dtensor/flattened-transpose":
    "DTensor 2.13 gathers over several axes of a flattened mesh in the order of the ranks: where devices do not count up over them, blocks land in wrong places",
  "dtensor/flattened-uneven":
    "DTensor 2.13 gathers a dim that several axes cut unevenly into wrong places once the mesh is flattened",
  "dtensor/uneven-from-local":
    "DTensor 2.13 takes uneven blocks for those of another shape unless from_local is told the whole one: ranks then disagree about it, and their collectives do not fit together",
  "dtensor/cut-convolution":
    "DTensor 2.13 takes the block of a convolution that is cut along its height, its width or its output channels for the whole result",
} as const;

/** Code of a form that DTensor computes wrongly. */
export type WrongForm = keyof typeof wrongForms;

/**
 * Every form that DTensor computes wrongly.
 *
 * @internal
 */
export const wrongCodes: readonly string[] = Object.keys(wrongForms);

/** Why the numbers are wrong, as a sentence without a full stop. */
export function wrongSentence(code: WrongForm): string {
  return wrongForms[code];
}

/** The warning about a form. */
export function wrongNumbers(code: WrongForm): Diagnostic {
  return { code, severity: "warning", message: wrongSentence(code) };
}

/** The form of a mesh's device order, if DTensor computes it wrongly. */
export function wrongMesh({ axes, devices }: DeviceMesh): WrongForm | undefined {
  const isUp = (a: number | undefined, b: number | undefined) => (a ?? 0) <= (b ?? 0);
  let stride = devices.length;
  for (const { size } of axes) {
    const [span, step] = [stride, stride / size];
    const isAscending = devices.every(
      (device, at) => at % span < step || isUp(devices[at - step], device),
    );
    if (!isAscending) return "dtensor/rows-not-ascending";
    stride = step;
  }
  const counts = devices.every((device, at) => at === 0 || isUp(devices[at - 1], device));
  return counts ? undefined : "dtensor/flattened-transpose";
}

/** The form of a layout's uneven cuts of a shape, if DTensor computes them wrongly. */
export function wrongBlocks({ dims }: Layout, shape: readonly number[]): WrongForm | undefined {
  const uneven = dims.filter((dim, at) => (shape[at] ?? 1) % blockCount(dim.parts) !== 0);
  if (uneven.length === 0) return undefined;
  const isNested = dims.some((dim, at) => isMistaken(shape[at] ?? 1, countsOf(dim)));
  return isNested ? "dtensor/flattened-uneven" : "dtensor/uneven-from-local";
}

/**
 * The first dim that is gathered over several axes at once and whose nested blocks differ from the
 * flattened mesh's; axes that stay on the dim are not gathered. 7 rows on 2×2 are the same blocks
 * either way.
 */
export function wrongGather(
  from: Layout,
  to: Layout,
  shape: readonly number[],
): number | undefined {
  const found = from.dims.findIndex((dim, at) => {
    const after = to.dims[at]?.parts ?? [];
    const parts = dim.parts.filter((part) => partSize(part) > 1);
    const stays = parts.findIndex((part, place) => {
      const kept = after[place];
      return kept === undefined || !samePart(part, kept);
    });
    const gathered = stays < 0 ? 0 : parts.length - stays;
    return gathered > 1 && isMistaken(shape[at] ?? 1, countsOf(dim));
  });
  return found < 0 ? undefined : found;
}

/** A result of a convolution that is cut along anything but the batch. */
export interface CutConvolution {
  readonly tensor: TensorId;
  readonly layout: Layout;
}

/** Convolution results whose block DTensor 2.13 takes for the whole result. */
export function cutConvolutions(program: SpmdProgram): readonly CutConvolution[] {
  const operators = new Map(program.graph.operators.map((each) => [each.id, each]));
  const values = new Map(program.values.map((value) => [value.id, value]));
  return flatSteps(program).flatMap((step) => {
    if (step.kind !== "local" || operators.get(step.operator)?.entry !== "conv2d") return [];
    const [result] = step.outputs;
    const value = result === undefined ? undefined : values.get(result);
    const isCut = value?.layout.dims.slice(1).some((dim) => blockCount(dim.parts) > 1);
    return value !== undefined && isCut === true ? [value] : [];
  });
}
