import type { TensorId } from "#core/ir";
import { dimCount, type Layout } from "#core/mesh";
import { flatSteps, type SpmdProgram } from "#core/program";

/** A result of a convolution that is cut along anything but the batch. */
export interface CutConvolution {
  readonly tensor: TensorId;
  readonly layout: Layout;
}

/** The convolutions of which DTensor 2.13 takes a block for the whole result. */
export function cutConvolutions(program: SpmdProgram): readonly CutConvolution[] {
  const operators = new Map(program.graph.operators.map((each) => [each.id, each]));
  const values = new Map(program.values.map((value) => [value.id, value]));
  return flatSteps(program).flatMap((step) => {
    if (step.kind !== "local" || operators.get(step.operator)?.entry !== "conv2d") return [];
    const [result] = step.outputs;
    const value = result === undefined ? undefined : values.get(result);
    const isCut = value?.layout.dims.slice(1).some((dim) => dimCount(dim) > 1);
    return value !== undefined && isCut === true ? [value] : [];
  });
}
