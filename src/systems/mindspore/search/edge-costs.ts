import { flattened, type MappedTensor, normalized } from "../redistribution/flat-layout.ts";
import { redistribute } from "../redistribution/redistribute.ts";
import { type CostRecord, edgeCost } from "./candidate-prices.ts";
import { areWhole, type Choice, layoutKey } from "./choices.ts";
import type { Edge } from "./propagation-graph.ts";

/** Size of an element, in bytes. */
const elementBytes = 4;

/**
 * The costs of edges in one search. MindSpore 2.10 keeps them by device matrices and tensor maps
 * without the shape, so that an edge costs what the first one between such layouts has cost.
 */
export class EdgeCosts {
  private readonly known = new Map<string, CostRecord>();

  /** Prices an edge for all choices at its ends. */
  prepare(edge: Edge): void {
    const { from, to } = edge;
    if (from.kind === "reshape" || to.kind === "reshape") return;
    for (const producer of from.choices)
      for (const reader of to.choices) this.between(edge, producer, reader);
  }

  /** The cost of an edge with given choices; `undefined` if a parameter cannot lie as both want. */
  between({ from, output, input }: Edge, producer: Choice, reader: Choice): CostRecord | undefined {
    const [made, read] = [producer.outputs[output], reader.inputs[input]];
    if (made === undefined || read === undefined) return undefined;
    if (from.kind === "parameter") {
      const isEqual = layoutKey(made) === layoutKey(read) || areWhole(made, read);
      return isEqual ? { computation: 0, communication: 0 } : undefined;
    }
    const key = `${placement(made)}>${placement(read)}`;
    const cost = this.known.get(key) ?? edgeCost(redistribute(made, read), elementBytes);
    this.known.set(key, cost);
    return cost;
  }
}

function placement(layout: MappedTensor): string {
  const { deviceMatrix, tensorMap } = normalized(flattened(layout));
  return `${deviceMatrix}|${tensorMap}`;
}
