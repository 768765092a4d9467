import type { TracedOperator, TracedTensor } from "#language/document/trace";
import type { OperatorCollective } from "../operators/model-operator.ts";
import { stepsOfRank } from "../redistribution/emitted.ts";
import { isMarked } from "./folded-values.ts";
import type { EmittedLayouts } from "./layouts.ts";
import type { PlacedOperator } from "./placed-operators.ts";
import { isTransparent } from "./transparent.ts";

/**
 * Sums that the compiler moves from products to an Add after them (its `matmul_add_comm_reduction`
 * pass).
 */
export interface MovedSums {
  /** The products whose own sums are removed. */
  readonly unsummed: ReadonlySet<TracedOperator>;
  /** For each Add: the collectives after it that replace the sums of the products. */
  readonly behind: ReadonlyMap<TracedOperator, readonly OperatorCollective[]>;
}

/** Operators allowed between a product and the Add, because a sum commutes with them. */
const passable = /^(Reshape|Transpose|Add|Mul|RealDiv|Gather|(Batch)?MatMul)$/;

/**
 * Finds sums to move: for an Add marked `matmul_add_comm_end` whose operands both come from
 * products marked `matmul_add_comm_begin`, one sum after the Add replaces those of the products.
 */
export function movedSums(placed: readonly PlacedOperator[], layouts: EmittedLayouts): MovedSums {
  const unsummed = new Set<TracedOperator>();
  const behind = new Map<TracedOperator, readonly OperatorCollective[]>();
  const byOperator = new Map(placed.map((each) => [each.traced, each]));
  const made = ({ producer }: TracedTensor) => producer && byOperator.get(producer);
  for (const { traced, op } of placed) {
    if (op !== "Add" || !isMarked(traced, "matmul_add_comm_end")) continue;
    const products = traced.inputs.map((input) =>
      input.kind === "tensor" ? markedProduct({ reader: traced, input, made, layouts }) : undefined,
    );
    const found = products.filter((each) => each !== undefined);
    if (found.length < 2) continue;
    for (const each of found) unsummed.add(each.traced);
    behind.set(traced, found[0]?.model?.forward ?? []);
  }
  return { unsummed, behind };
}

interface Search {
  readonly reader: TracedOperator;
  readonly input: TracedTensor;
  readonly made: (tensor: TracedTensor) => PlacedOperator | undefined;
  readonly layouts: EmittedLayouts;
}

/**
 * The marked product that an operand comes from, following first operands; `undefined` if there is
 * none.
 */
function markedProduct(search: Search): PlacedOperator | undefined {
  let { reader, input } = search;
  for (;;) {
    if (isSent(reader, input, search.layouts)) return undefined;
    const placed = search.made(input);
    if (placed === undefined || isTransparent(placed.traced)) return undefined;
    const isSummed = (placed.model?.forward.length ?? 0) > 0;
    if (isSummed) return isMarked(placed.traced, "matmul_add_comm_begin") ? placed : undefined;
    const first = placed.traced.inputs.find((each) => each.kind === "tensor");
    if (!passable.test(placed.op) || first?.kind !== "tensor") return undefined;
    reader = placed.traced;
    input = first;
  }
}

/** Whether a tensor is redistributed for its reader. */
function isSent(reader: TracedOperator, input: TracedTensor, layouts: EmittedLayouts): boolean {
  const edges = layouts.edgesInto(reader).filter(({ tensor }) => tensor === input);
  return edges.some(({ from, to }) => {
    const { list } = stepsOfRank(from, to, 0, { allToAll: false, cleanUp: true });
    return list.some(({ kind }) => kind !== "reshape");
  });
}
