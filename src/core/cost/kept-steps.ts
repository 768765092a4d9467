import type { Graph, Operator, OperatorId, TensorId } from "#core/ir";
import { tensorId } from "#core/ir";
import { type LocalStep, type ValueId, valueId } from "#core/program";
import { besideBytes, type Sizes } from "./beside-bytes.ts";
import { asksForSizes } from "./holding-rules.ts";
import { type Keeping, type KeptOfOperator, keepingOf } from "./kept.ts";

/** A holding whose last step is not known yet. */
export interface Open {
  readonly value: ValueId;
  readonly what?: string;
  readonly bytes: number;
  first: number;
  last: number;
  /** Whether no step may take over its memory: values that no step makes, and sums. */
  readonly isLasting?: true;
}

/** The memory that a forward step keeps until the last step of its gradients. */
interface Pending {
  readonly kept: KeptOfOperator;
  readonly step: LocalStep;
  readonly beside: readonly Open[];
  /** The values that its backward steps have read so far, by the tensors of the forward pass. */
  readonly readBack: Map<TensorId, Open>;
}

const nowhere = valueId("");
const noTensor = tensorId("");

/** The memory that forward steps keep for their backward steps, noted step by step. */
export class KeptSteps {
  private readonly sizes: Sizes;
  private readonly of: ReadonlyMap<ValueId, Open>;
  private readonly keeping: Keeping;
  private readonly pending = new Map<OperatorId, Pending>();
  /** Forward tensors that are computed again, and (`again`) the holdings of their copies. */
  private readonly recomputed: ReadonlySet<TensorId>;
  private readonly again = new Map<TensorId, Open>();

  constructor(graph: Graph, sizes: Sizes, of: ReadonlyMap<ValueId, Open>) {
    this.sizes = sizes;
    this.of = of;
    this.keeping = keepingOf(graph);
    this.recomputed = new Set(this.keeping.original.values());
  }

  /** Notes an operand that a backward step reads, if its forward step keeps something. */
  noteRead({ of, phase }: Operator, id: ValueId): void {
    const pending = of === undefined || phase !== "backward" ? undefined : this.pending.get(of);
    const open = this.of.get(id);
    if (pending !== undefined && open !== undefined)
      pending.readBack.set(this.originalOf(id), open);
  }

  /** Forward tensor of a value; for a recomputed tensor, its original. */
  private originalOf(id: ValueId): TensorId {
    const tensor = this.sizes.values.get(id)?.tensor ?? noTensor;
    return this.keeping.original.get(tensor) ?? tensor;
  }

  /**
   * Whether a step does not need an operand's memory. A backward step reads what its forward step
   * keeps, though its formula here may name other operands.
   */
  isForgone(operator: Operator, id: ValueId): boolean {
    if (asksForSizes(operator)) return true;
    if (operator.phase !== "backward" || operator.of === undefined) return false;
    const kept = this.keeping.kept.get(operator.of);
    const value = this.sizes.values.get(id);
    if (kept === undefined || value === undefined || value.role === "gradient") return false;
    return !kept.tensors.has(this.originalOf(id));
  }

  /**
   * Records the memory that a forward step keeps for its backward step, and holds it there. Returns
   * additional pieces of memory that are held from now on.
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

  /** Holding of a kept forward value; if the value is recomputed, the holding of its copy. */
  private keptIn(id: ValueId): Open | undefined {
    const tensor = this.sizes.values.get(id)?.tensor;
    const isAgain = tensor !== undefined && this.recomputed.has(tensor);
    return isAgain ? this.again.get(tensor) : this.of.get(id);
  }
}
