import type { TracedOperator, TracedTensor } from "#language/document/trace";
import type { TrainedStep } from "../../training/trained-step.ts";
import { isWrite } from "../memory-readers.ts";
import type { MovedSums } from "../moved-sums.ts";
import { ringOf } from "../ring.ts";
import { type DifferentiatedNet, type SentBackward, sentBackward } from "./backward-net.ts";

/** The net of a training step, with facts that may make its backward pass unknown. */
interface EmittedParts extends Omit<DifferentiatedNet, keyof TrainedStep> {
  readonly openDims: (tensor: TracedTensor | undefined) => ReadonlySet<number>;
  readonly moved: MovedSums;
  /** Folded constants; only the communication of their results remains. */
  readonly late: ReadonlySet<TracedOperator>;
}

/**
 * MindSpore's collectives in the backward pass of a training step, or the reason why they are not
 * known.
 */
export function backwardOf(step: TrainedStep, parts: EmittedParts): SentBackward {
  const unknown = step.unknown ?? unknownOf(parts);
  if (unknown !== undefined) return { collectives: [], unknown };
  return sentBackward({ ...step, ...parts });
}

function unknownOf(parts: EmittedParts): string | undefined {
  const { placed, openDims, moved, late, rank } = parts;
  const isOpen = placed.some(({ traced }) =>
    traced.outputs.some((made) => openDims(made).size > 0),
  );
  if (isOpen) return "some lengths are known at run time only";
  if (moved.unsummed.size > 0) return "sums are moved behind additions";
  if (placed.some(({ op }) => isWrite(op))) return "operators write into tensors";
  if (late.size > 0) return "constants are sent";
  const isBeside = placed.some(
    (each) => each.exchanges === true || ringOf(each, rank) !== undefined,
  );
  return isBeside ? "neighbours exchange parts of their blocks" : undefined;
}
