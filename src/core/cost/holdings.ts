import { type Operator, type OperatorId, storagesOf, type TensorId, tensorId } from "#core/ir";
import {
  type CollectiveStep,
  copiesOf,
  type FlatStep,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
  valueId,
} from "#core/program";
import { besideBytes, type Sizes } from "./beside-bytes.ts";
import { addsGradients, asksForSizes, leftOver, madeBy } from "./holding-rules.ts";
import { type Keeping, type KeptOfOperator, keepingOf } from "./kept.ts";

/**
 * Memory that one device holds as a whole: from the step that fills it to the last that needs it,
 * both counted among `flatSteps`.
 */
export interface Holding {
  /** The value that it was filled with; others may show parts of it. */
  readonly value: ValueId;
  /** What it is where it is none of the program's values, but kept beside this one: `mask`. */
  readonly what?: string;
  readonly bytes: number;
  readonly first: number;
  readonly last: number;
}

/** What a device holds in the course of a program. */
export interface Holdings {
  readonly all: readonly Holding[];
  /** By value, the holding that it lies in. */
  readonly of: ReadonlyMap<ValueId, Holding>;
  readonly steps: readonly FlatStep[];
}

/**
 * What lies in a device's memory, and when. What no step makes is there throughout, the program's
 * outputs to the end, the gradients of parameters until all are updated. Views lie in the memory of
 * what they show. Of forward values the backward pass holds what autograd keeps (`KeepRule`), until
 * the last step of their operator's gradients; an all-reduce and the sum of two gradients work in
 * place.
 *
 * Of micro-batches the last run stands for all: sums over them are there from its start.
 *
 * @param bytes of every value
 */
export function holdingsOf(program: SpmdProgram, bytes: ReadonlyMap<ValueId, number>): Holdings {
  const walk = new Walk(program, bytes);
  for (const { steps, runs } of program.stages) {
    const flat = steps.flatMap(copiesOf);
    if (runs !== undefined) walk.hold(flat);
    for (const step of flat) walk.run(step);
  }
  return walk.finish();
}

/** A holding while the steps are gone through. */
interface Open {
  readonly value: ValueId;
  readonly what?: string;
  readonly bytes: number;
  readonly first: number;
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

class Walk {
  private readonly program: SpmdProgram;
  private readonly bytes: ReadonlyMap<ValueId, number>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly views: ReadonlySet<OperatorId>;
  private readonly keeping: Keeping;
  private readonly all: Open[] = [];
  private readonly of = new Map<ValueId, Open>();
  private readonly pending = new Map<OperatorId, Pending>();
  /** Forward tensors that are computed again; by these, what holds them once they are. */
  private readonly recomputed: ReadonlySet<TensorId>;
  private readonly again = new Map<TensorId, Open>();
  private readonly steps: FlatStep[] = [];
  private readonly sizes: Sizes;
  private readonly untilEnd: Open[] = [];
  /** What a step of training derives by; nothing elsewhere. */
  private readonly loss: TensorId | undefined;

  constructor(program: SpmdProgram, bytes: ReadonlyMap<ValueId, number>) {
    this.program = program;
    this.bytes = bytes;
    const { graph } = program;
    this.operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
    this.values = new Map(program.values.map((value) => [value.id, value]));
    this.sizes = { bytes, values: this.values, microbatches: program.microbatches };
    this.views = storagesOf(graph).views;
    this.keeping = keepingOf(graph);
    this.loss = graph.tensors.find(
      ({ role, producer }) => role === "gradient" && producer === undefined,
    )?.gradientOf;
    this.recomputed = new Set(this.keeping.original.values());
    const made = madeBy(program);
    for (const { id } of program.values) if (!made.has(id)) this.fill(id, 0, true);
  }

  private get moment(): number {
    return this.steps.length;
  }

  /** Sums over runs are there before the step that seems to make them. */
  hold(steps: readonly FlatStep[]): void {
    for (const step of steps)
      if (step.kind === "local" && this.operators.get(step.operator)?.op === "accumulate")
        for (const id of step.outputs) this.fill(id, this.moment, true);
  }

  run(step: FlatStep): void {
    if (step.kind === "local") this.local(step);
    else this.collective(step);
    this.steps.push(step);
  }

  private collective({ collective, input, output }: CollectiveStep): void {
    this.read(input);
    if (collective === "all-reduce") this.takeOver(input);
    this.fill(output, this.moment);
  }

  private local(step: LocalStep): void {
    const operator = this.operators.get(step.operator);
    for (const [at, id] of step.inputs.entries())
      if (!this.isForgone(operator, step.inputs[at])) this.readIn(operator, id);
    const shown = this.of.get(step.inputs[0] ?? step.outputs[0] ?? nowhere);
    if (operator !== undefined && this.views.has(operator.id) && shown !== undefined) {
      for (const id of step.outputs) this.of.set(id, shown);
    } else {
      if (operator !== undefined && addsGradients(operator)) this.takeOver(step.inputs[0]);
      for (const id of step.outputs) this.fill(id, this.moment);
    }
    if (operator !== undefined) this.keep(operator, step);
    if (step.phase === "update") this.holdGradients(step);
  }

  private readIn(operator: Operator | undefined, id: ValueId): void {
    this.read(id);
    const { of, phase } = operator ?? {};
    const pending = of === undefined || phase !== "backward" ? undefined : this.pending.get(of);
    const open = this.of.get(id);
    if (pending !== undefined && open !== undefined)
      pending.readBack.set(this.originalOf(id), open);
  }

  /** The tensor of the forward pass that a value stands for. */
  private originalOf(id: ValueId): TensorId {
    const tensor = this.values.get(id)?.tensor ?? tensorId("");
    return this.keeping.original.get(tensor) ?? tensor;
  }

  /** A backward step reads what is kept, and its formula here may say it by other operands. */
  private isForgone(operator: Operator | undefined, id: ValueId | undefined): boolean {
    if (operator !== undefined && asksForSizes(operator)) return true;
    if (operator?.phase !== "backward" || operator.of === undefined || id === undefined)
      return false;
    const kept = this.keeping.kept.get(operator.of);
    const value = this.values.get(id);
    if (kept === undefined || value === undefined || value.role === "gradient") return false;
    return !kept.tensors.has(this.originalOf(id));
  }

  /** Notes what a forward step keeps; a backward step holds what its forward step has kept. */
  private keep(operator: Operator, step: LocalStep): void {
    const { phase = "forward", of } = operator;
    if (phase === "backward" && of !== undefined) this.holdKept(of);
    const first = phase === "recompute" ? of : operator.id;
    const kept = first === undefined ? undefined : this.keeping.kept.get(first);
    if (phase === "recompute") this.noteAgain(operator, step);
    if (kept === undefined || first === undefined) return;
    if (phase !== "forward" && phase !== "recompute") return;
    const beside = kept.beside.map((each): Open => {
      const value = step.outputs[0] ?? nowhere;
      const bytes = besideBytes(each, operator, step, this.sizes);
      return { value, what: each.name, bytes, first: this.moment, last: -1 };
    });
    this.pending.set(first, { kept, step, beside, readBack: new Map() });
  }

  private noteAgain(operator: Operator, step: LocalStep): void {
    for (const [at, { tensor }] of operator.outputs.entries()) {
      const original = this.keeping.original.get(tensor);
      const open = this.of.get(step.outputs[at] ?? nowhere);
      if (original !== undefined && open !== undefined) this.again.set(original, open);
    }
  }

  private holdKept(of: OperatorId): void {
    const pending = this.pending.get(of);
    if (pending === undefined) return;
    const { kept, step, beside, readBack } = pending;
    const ids = [
      ...kept.inputs.map((at) => step.inputs[at]),
      ...kept.outputs.map((at) => step.outputs[at]),
    ];
    for (const id of ids) {
      if (id === undefined || this.values.get(id)?.role === "parameter") continue;
      const original = this.originalOf(id);
      this.holdOpen(kept.readBack.has(original) ? readBack.get(original) : this.keptIn(id));
    }
    for (const open of beside) {
      if (open.last < 0 && open.bytes > 0) this.all.push(open);
      open.last = this.moment;
    }
  }

  /** Where a forward value lies that is kept: its copy where it is computed again. */
  private keptIn(id: ValueId): Open | undefined {
    const tensor = this.values.get(id)?.tensor;
    const isAgain = tensor !== undefined && this.recomputed.has(tensor);
    return isAgain ? this.again.get(tensor) : this.of.get(id);
  }

  private holdOpen(open: Open | undefined): void {
    if (open !== undefined) open.last = Math.max(open.last, this.moment);
  }

  /** The gradients that updates read are there until all parameters are updated. */
  private holdGradients({ inputs }: LocalStep): void {
    for (const id of inputs) {
      const open = this.of.get(id);
      if (open !== undefined && this.values.get(id)?.role === "gradient") this.untilEnd.push(open);
    }
  }

  private fill(value: ValueId, first: number, isLasting = false): void {
    if (this.of.get(value)?.isLasting === true) {
      this.read(value);
      return;
    }
    const bytes = this.bytes.get(value) ?? 0;
    const open: Open = { value, bytes, first, last: first, ...(isLasting && { isLasting: true }) };
    this.all.push(open);
    this.of.set(value, open);
  }

  private read(id: ValueId): void {
    const open = this.of.get(id);
    if (open === undefined) this.fill(id, 0, true);
    else open.last = Math.max(open.last, this.moment);
  }

  /**
   * What a step reads for the last time makes room for its result: noted, and done at the end, when
   * it is known that nothing reads it later.
   */
  private readonly takenOver: { readonly open: Open; readonly moment: number }[] = [];

  private takeOver(id: ValueId | undefined): void {
    const open = id && this.of.get(id);
    if (open && open.isLasting === undefined && open.first < this.moment)
      this.takenOver.push({ open, moment: this.moment });
  }

  /** In a step of training, what nothing reads is dropped as soon as it is there; not so the loss. */
  private isDropped(id: ValueId): boolean {
    const value = this.values.get(id);
    return value?.role === "activation" && this.loss !== undefined && value.tensor !== this.loss;
  }

  finish(): Holdings {
    const end = Math.max(0, this.moment - 1);
    for (const open of this.all) {
      const isUnmade = open.isLasting === true && open.first === 0;
      if (isUnmade) open.last = end;
    }
    const left = leftOver(this.program);
    for (const id of this.program.outputs) {
      const tensor = this.values.get(id)?.tensor;
      if (tensor !== undefined && left.has(tensor)) continue;
      const open = this.of.get(id);
      if (open !== undefined && !this.isDropped(id)) open.last = end;
    }
    for (const open of this.untilEnd) open.last = end;
    for (const { open, moment } of this.takenOver) if (open.last === moment) open.last = moment - 1;
    return { all: this.all, of: this.of, steps: this.steps };
  }
}

const nowhere = valueId("");
