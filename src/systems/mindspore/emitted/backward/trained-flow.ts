import type { TracedTensor } from "#language/document/trace";
import type { PlacedOperator } from "../placed-operators.ts";
import type { SameTensors } from "../transparent.ts";
import { givesZeros, passesTo } from "./passed-back.ts";

interface Flowing {
  readonly placed: readonly PlacedOperator[];
  readonly same: SameTensors;
  readonly isTrained: (parameter: TracedTensor) => boolean;
}

/** Tells which tensors of a net depend on trained parameters. */
export class TrainedFlow {
  private readonly net: Flowing;
  private readonly depends = new Map<TracedTensor, boolean>();
  private readonly used = new Map<TracedTensor, boolean>();
  private readonly byProducer: ReadonlyMap<TracedTensor, PlacedOperator>;

  constructor(net: Flowing) {
    this.net = net;
    this.byProducer = new Map(
      net.placed.flatMap((each) => each.traced.outputs.map((output) => [output, each] as const)),
    );
    // In program order, so that recursion stays shallow.
    for (const { traced } of net.placed) {
      for (const each of traced.inputs) {
        if (each.kind === "tensor" && this.dependsOnTrained(each)) this.isUsed(each);
      }
    }
  }

  /** Whether a tensor depends on a trained parameter. */
  dependsOnTrained(tensor: TracedTensor): boolean {
    return this.comesFrom(tensor, this.depends, () => false);
  }

  /**
   * Whether a gradient passed back to a tensor reaches a trained parameter; comparisons and similar
   * operators block it.
   */
  isUsed(tensor: TracedTensor | undefined): boolean {
    return tensor !== undefined && this.comesFrom(tensor, this.used, givesZeros);
  }

  private comesFrom(
    tensor: TracedTensor,
    known: Map<TracedTensor, boolean>,
    isEnd: (maker: PlacedOperator) => boolean,
  ): boolean {
    const before = known.get(tensor);
    if (before !== undefined) return before;
    const { same, isTrained } = this.net;
    const first = same.get(tensor) ?? tensor;
    const maker = this.byProducer.get(first);
    const found =
      maker === undefined
        ? first.role === "parameter" && isTrained(first)
        : !isEnd(maker) &&
          maker.traced.inputs.some(
            (each, at) =>
              each.kind === "tensor" && passesTo(maker, at) && this.comesFrom(each, known, isEnd),
          );
    known.set(tensor, found);
    return found;
  }
}
