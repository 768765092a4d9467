import type { Graph, Operator, OperatorId, TensorId } from "#core/ir";
import { tensorId } from "#core/ir";
import { type LocalStep, type ValueId, valueId } from "#core/program";
import { besideBytes, type Sizes } from "./beside-bytes.ts";
import { asksForSizes } from "./holding-rules.ts";
import { type Keeping, type KeptOfOperator, keepingOf } from "./kept.ts";

/** A holding while the steps are gone through. */
export interface Open {
  readonly value: ValueId;
  readonly what?: string;
  readonly bytes: number;
  first: number;
  last: number;
  /** What no step makes, and sums: no step takes it over. */
  readonly isLasting?: true;
}

/** What a forward step keeps until the last step of its gradients. */
interface Pending {
  readonly kept: KeptOfOperator;
  readonly step: LocalStep;
  readonly beside: readonly Open[];
  /** What its backward steps have read so far, by the tensors of the forward pass. */
  readonly readBack: Map<TensorId, Open>;
}

const nowhere = valueId("");
const noTensor = tensorId("");

/** What forward steps keep for their backward steps, while all steps are gone through. */
export class KeptSteps {
  private readonly sizes: Sizes;
  private readonly of: ReadonlyMap<ValueId, Open>;
  private readonly keeping: Keeping;
  private readonly pending = new Map<OperatorId, Pending>();
  /** Forward tensors that are computed again; by these, what holds them once they are. */
  private readonly recomputed: ReadonlySet<TensorId>;
  private readonly again = new Map<TensorId, Open>();

  constructor(graph: Graph, sizes: Sizes, of: ReadonlyMap<ValueId, Open>) {
    this.sizes = sizes;
    this.of = of;
    this.keeping = keepingOf(graph);
    this.recomputed = new Set(this.keeping.original.values());
  }

  /** Notes what a backward step reads of what its forward step keeps. */
  noteRead({ of, phase }: Operator, id: ValueId): void {
    const pending = of === undefined || phase !== "backward" ? undefined : this.pending.get(of);
    const open = this.of.get(id);
    if (pending !== undefined && open !== undefined)
      pending.readBack.set(this.originalOf(id), open);
  }

  /** The tensor of the forward pass that a value stands for. */
  private originalOf(id: ValueId): TensorId {
    const tensor = this.sizes.values.get(id)?.tensor ?? noTensor;
    return this.keeping.original.get(tensor) ?? tensor;
  }

  /** A backward step reads what is kept, and its formula here may say it by other operands. */
  isForgone(operator: Operator, id: ValueId): boolean {
    if (asksForSizes(operator)) return true;
    if (operator.phase !== "backward" || operator.of === undefined) return false;
    const kept = this.keeping.kept.get(operator.of);
    const value = this.sizes.values.get(id);
    if (kept === undefined || value === undefined || value.role === "gradient") return false;
    return !kept.tensors.has(this.originalOf(id));
  }

  /**
   * Notes what a forward step keeps for its backward step; the backward step then holds it. Returns
   * the pieces of memory beside the program's values that are held from now on.
   */
  run(operator: Operator, step: LocalStep, moment: number): readonly Open[] {
    const { phase = "forward", of } = operator;
    if (phase === "backward") return of === undefined ? [] : this.holdKept(of, moment);
    if (phase === "recompute") this.noteAgain(operator, step);
    const first = phase === "recompute" ? of : operator.id;
    const kept = first === undefined ? undefined : this.keeping.kept.get(first);
    if (kept === undefined || first === undefined || phase === "update") return [];
    const beside = kept.beside.map((each): Open => {
      const value = step.outputs[0] ?? nowhere;
      const bytes = besideBytes(each, operator, step, this.sizes);
      return { value, what: each.name, bytes, first: moment, last: -1 };
    });
    this.pending.set(first, { kept, step, beside, readBack: new Map() });
    return [];
  }

  private noteAgain(operator: Operator, step: LocalStep): void {
    for (const [at, { tensor }] of operator.outputs.entries()) {
      const original = this.keeping.original.get(tensor);
      const open = this.of.get(step.outputs[at] ?? nowhere);
      if (original !== undefined && open !== undefined) this.again.set(original, open);
    }
  }

  private holdKept(of: OperatorId, moment: number): readonly Open[] {
    const pending = this.pending.get(of);
    if (pending === undefined) return [];
    const { kept, step, beside, readBack } = pending;
    const ids = [
      ...kept.inputs.map((at) => step.inputs[at]),
      ...kept.outputs.map((at) => step.outputs[at]),
    ];
    for (const id of ids) {
      if (id === undefined || this.sizes.values.get(id)?.role === "parameter") continue;
      const original = this.originalOf(id);
      const open = kept.readBack.has(original) ? readBack.get(original) : this.keptIn(id);
      if (open !== undefined) open.last = Math.max(open.last, moment);
    }
    const fresh = beside.filter(({ last, bytes }) => last < 0 && bytes > 0);
    for (const open of beside) open.last = moment;
    return fresh;
  }

  /** Where a forward value lies that is kept: its copy where it is computed again. */
  private keptIn(id: ValueId): Open | undefined {
    const tensor = this.sizes.values.get(id)?.tensor;
    const isAgain = tensor !== undefined && this.recomputed.has(tensor);
    return isAgain ? this.again.get(tensor) : this.of.get(id);
  }
}
