import {
  entryOf,
  type Operator,
  type OperatorId,
  operatorsById,
  type Tensor,
  type TensorId,
  tensorId,
  tensorsById,
} from "#core/ir";
import { storagesOf } from "#core/ir/storages";
import {
  type CollectiveStep,
  copiesOf,
  type FlatStep,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
  valueId,
  valuesById,
} from "#core/program";
import { BlockBuffers } from "./block-buffers.ts";
import { addsGradients, leftOver, madeBy } from "./holding-rules.ts";
import { KeptSteps, type Open } from "./kept-steps.ts";

/**
 * Memory that one device holds as a whole: from the step that fills it to the last that needs it,
 * both counted among `flatSteps`.
 */
export interface Holding {
  /** Value that the memory was allocated for; other values may view parts of it. */
  readonly value: ValueId;
  /** Kind of memory kept in addition to the value, such as `mask`; absent for the value itself. */
  readonly what?: string;
  readonly bytes: number;
  readonly first: number;
  readonly last: number;
}

/** The memory that a device holds in the course of a program. */
export interface Holdings {
  readonly all: readonly Holding[];
  /** Holding that contains each value. */
  readonly of: ReadonlyMap<ValueId, Holding>;
  readonly steps: readonly FlatStep[];
}

/**
 * Memory holdings of a device, each with its first and last moment.
 *
 * Values that no step computes live from start to end, unless a function of the program makes them.
 * Outputs of the program live to the end, gradients of parameters until all parameters are updated.
 * Views share the memory of their operand. A forward value that autograd keeps (`SaveRule`) lives
 * until the last step of its operator's gradients. An all-reduce and the sum of two gradients work
 * in place.
 *
 * Only the last microbatch is simulated; sums over microbatches live from its start.
 *
 * @param bytes size of every value
 */
export function holdingsOf(program: SpmdProgram, bytes: ReadonlyMap<ValueId, number>): Holdings {
  const stages = program.stages.map(({ steps, runs }) => ({ runs, flat: steps.flatMap(copiesOf) }));
  const walk = new Walk(program, bytes, madeBy(stages.flatMap(({ flat }) => flat)));
  for (const { flat, runs } of stages) {
    if (runs !== undefined) walk.hold(flat);
    for (const step of flat) walk.run(step);
  }
  return walk.finish();
}

class Walk {
  private readonly program: SpmdProgram;
  private readonly bytes: ReadonlyMap<ValueId, number>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly views: ReadonlySet<OperatorId>;
  private readonly all: Open[] = [];
  private readonly of = new Map<ValueId, Open>();
  private readonly steps: FlatStep[] = [];
  private readonly kept: KeptSteps;
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  /** Parameters, and values computed from parameters alone. */
  private readonly weights = new Set<ValueId>();
  private readonly blocks = new BlockBuffers();
  private readonly untilEnd: Open[] = [];
  private readonly inside: ReadonlySet<TensorId>;
  private readonly terms: { readonly terms: Open; readonly loss: Open }[] = [];
  /** The loss of a training step; undefined in other programs. */
  private readonly loss: TensorId | undefined;

  constructor(
    program: SpmdProgram,
    bytes: ReadonlyMap<ValueId, number>,
    made: ReadonlySet<ValueId>,
  ) {
    this.program = program;
    this.bytes = bytes;
    const { graph } = program;
    this.operators = operatorsById(graph);
    this.values = valuesById(program);
    const sizes = { bytes, values: this.values, microbatches: program.microbatches };
    this.kept = new KeptSteps(graph, sizes, this.of);
    this.views = storagesOf(graph).views;
    this.loss = graph.tensors.find(
      ({ role, producer }) => role === "gradient" && producer === undefined,
    )?.gradientOf;
    this.tensors = tensorsById(graph);
    for (const { id, role } of program.values) if (role === "parameter") this.weights.add(id);
    const inside = new Set(graph.tensors.flatMap((each) => (each.isMadeInside ? [each.id] : [])));
    for (const { id, tensor } of program.values)
      if (!made.has(id) && !inside.has(tensor)) this.fill(id, 0, true);
    this.inside = inside;
  }

  private get moment(): number {
    return this.steps.length;
  }

  /**
   * Starts the holdings of sums over runs before their first step, since earlier runs have created
   * them.
   */
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

  private collective({ collective, phase, input, output }: CollectiveStep): void {
    this.read(input);
    if (collective === "all-reduce") this.takeOver(input);
    this.fill(output, this.moment);
    const pass = phase === "forward" ? "forward" : "backward";
    const name = this.nameOf(input);
    const [from, to] = [this.of.get(input), this.of.get(output)];
    if (this.weights.has(input)) this.weights.add(output);
    if (from === undefined || to === undefined || phase === "update") return;
    if (collective === "all-gather" && this.weights.has(input)) this.blocks.gather(pass, name, to);
    if (collective === "reduce-scatter" && this.isParameterGradient(input))
      this.blocks.reduce(name, from);
  }

  private nameOf(id: ValueId): string {
    return this.tensors.get(this.values.get(id)?.tensor ?? noTensor)?.name ?? "";
  }

  private isParameterGradient(id: ValueId): boolean {
    const tensor = this.tensors.get(this.values.get(id)?.tensor ?? noTensor);
    return this.tensors.get(tensor?.gradientOf ?? noTensor)?.role === "parameter";
  }

  private local(step: LocalStep): void {
    const operator = this.operators.get(step.operator);
    for (const id of step.inputs) {
      if (operator !== undefined && this.kept.isForgone(operator, id)) continue;
      this.read(id);
      if (operator !== undefined) this.kept.noteRead(operator, id);
    }
    const shown = this.of.get(step.inputs[0] ?? step.outputs[0] ?? nowhere);
    if (operator !== undefined && this.views.has(operator.id) && shown !== undefined) {
      for (const id of step.outputs) this.of.set(id, shown);
    } else {
      if (operator !== undefined && addsGradients(operator)) this.takeOver(step.inputs[0]);
      for (const id of step.outputs) this.fill(id, this.moment);
      if (operator !== undefined) this.fillTerms(operator, step);
    }
    if (operator !== undefined) this.all.push(...this.kept.run(operator, step, this.moment));
    if (step.phase !== "update" && step.inputs.every((id) => this.weights.has(id)))
      for (const id of step.outputs) this.weights.add(id);
    if (step.phase === "update") this.holdGradients(step);
  }

  /** Keeps the gradients that updates read until all parameters are updated. */
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

  private heldByModules(): readonly Open[] {
    const held = new Set(
      this.program.graph.tensors.flatMap((each) => (each.isHeld === true ? [each.id] : [])),
    );
    if (held.size === 0) return [];
    return this.program.values.flatMap(({ id, tensor }) =>
      held.has(tensor) ? (this.of.get(id) ?? []) : [],
    );
  }

  private isInside(id: ValueId): boolean {
    const value = this.values.get(id);
    return value !== undefined && this.inside.has(value.tensor);
  }

  /**
   * Keeps the terms that a loss was summed from for as long as the loss, which is stored in their
   * memory.
   */
  private fillTerms({ entry, attributes, phase }: Operator, step: LocalStep): void {
    const [from, to] = [step.inputs[0] ?? nowhere, step.outputs[0] ?? nowhere];
    const isReduced = attributes.reduction !== "none" && phase === undefined;
    const loss = this.of.get(to);
    if (!isReduced || loss === undefined || entryOf(entry ?? "")?.liesInTerms !== true) return;
    const bytes = (this.bytes.get(from) ?? 0) - loss.bytes;
    const terms: Open = { value: to, what: "terms", bytes, first: this.moment, last: this.moment };
    this.all.push(terms);
    this.terms.push({ terms, loss });
  }

  private read(id: ValueId): void {
    const open = this.of.get(id);
    if (open === undefined) this.fill(id, this.isInside(id) ? this.moment : 0, !this.isInside(id));
    else open.last = Math.max(open.last, this.moment);
  }

  /**
   * Memory that a result takes over from an operand which its step reads for the last time. Noted
   * here and done at the end, when all later readers are known.
   */
  private readonly takenOver: { readonly open: Open; readonly moment: number }[] = [];

  private takeOver(id: ValueId | undefined): void {
    const open = id && this.of.get(id);
    if (open && open.isLasting === undefined && open.first < this.moment)
      this.takenOver.push({ open, moment: this.moment });
  }

  /**
   * Whether a value that nothing reads is dropped as soon as it is made: activations of a training
   * step, except the loss.
   */
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
    for (const open of [...this.untilEnd, ...this.heldByModules()]) open.last = end;
    this.blocks.settle();
    for (const { open, moment } of this.takenOver) if (open.last === moment) open.last = moment - 1;
    for (const { terms, loss } of this.terms) terms.last = loss.last;
    return { all: this.all, of: this.of, steps: this.steps };
  }
}

const nowhere = valueId("");
const noTensor = tensorId("");
