import { product } from "#core/arithmetic";

import type { MovingOperator } from "./infer-operators.ts";
import { type InferenceRun, type Redistribution, sliceShape } from "./redistribute.ts";

/** MindSpore's cost of a redistribution in elements, without dtype (mindspore.md §3.10). */
export interface RedistributionCost {
  readonly forward: number;
  readonly backward: number;
  readonly computation: number;
  readonly memory: number;
}

const free: RedistributionCost = { forward: 0, backward: 0, computation: 0, memory: 0 };

/**
 * The cost that MindSpore's `ComputeCost` gives a redistribution.
 *
 * Upstream prices every operator of a run at the run's first local size, and adds the cost of
 * rearranging to each Concat and Permute beyond dim 0.
 */
export function costOf({ runs, operators, isExpandable }: Redistribution): RedistributionCost {
  const prices = runs.flatMap((run) => {
    const elements = product(sliceShape(run));
    return run.operators.map((operator) => priceOf(operator, elements));
  });
  const hasReshape = operators.some(({ op }) => op === "Reshape");
  const [first] = runs;
  return [...prices, hasReshape && first ? reshapePrice(first, isExpandable) : free].reduce(
    (sum, price) => ({
      forward: sum.forward + price.forward,
      backward: sum.backward + price.backward,
      computation: sum.computation + price.computation,
      memory: sum.memory + price.memory,
    }),
    free,
  );
}

function reshapePrice(run: InferenceRun, isExpandable: boolean): RedistributionCost {
  const elements = product(isExpandable ? sliceShape(run) : run.shape);
  return { ...free, computation: 2 * elements, memory: 2 * elements };
}

function priceOf(operator: MovingOperator, elements: number): RedistributionCost {
  const count = operator.count;
  switch (operator.op) {
    case "SplitByAxis":
      return { ...free, computation: elements, memory: elements };
    case "ConcatByAxis": {
      const sent = { forward: 0.5 * count * elements, backward: 0.5 * elements };
      if (operator.dim > 0) return { ...sent, ...rearranged(elements, count) };
      return { ...sent, computation: 2 * elements, memory: (count + 1) * elements };
    }
    case "PermuteByAxis": {
      const sent = { forward: 2 * elements, backward: 2 * elements };
      if (operator.concatDim > 0) return { ...sent, ...rearranged(elements, count) };
      return { ...sent, computation: 2 * elements, memory: 2 * elements };
    }
  }
}

/**
 * Cost of the Split and Concat after a collective, each of which reads and writes all elements once
 * more.
 */
function rearranged(elements: number, count: number) {
  const touched = 2 * count * elements + 2 * elements;
  return { computation: touched, memory: touched };
}

/** Bytes of a communication as `costmodel.cc` refines them: small ones count as 3072. */
export function refinedBytes(bytes: number): number {
  if (bytes <= 1e-6) return bytes;
  return bytes <= 2048 ? 3072 : bytes + 1024;
}
