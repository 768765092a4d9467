import type { Checked, Diagnostic, Span } from "#core/diagnostics";
import type { OpAnno } from "#core/dimops";
import { fieldOf } from "#core/records";
import type { Binding, Context } from "#language/python";
import { boundExactly, giveRanks, readAnnotation } from "./call-annotation.ts";
import { type Memory, nothingKnown, Signatures } from "./memory.ts";
import type { LeafSpec, OperatorCall } from "./operator-call.ts";
import { checkCounts, checkLeaves, checkRanks, checkResults } from "./recorder-limits.ts";
import type { Rounds } from "./rounds.ts";
import { assumedSize, freshSize, type Size, unify } from "./size.ts";
import { emptyTrace, type Trace, type TraceMark } from "./trace.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";
import {
  hasGuessedResults,
  hasUnknownResults,
  openShapes,
  type Run,
  resultOf,
  tracedFrom,
  unknownShape,
  withUnknownResults,
} from "./traced-call.ts";

/** The body of a function that is traced, and why it cannot be. */
interface Body {
  readonly wanted: "numbers" | "shapes";
  reason: string | undefined;
}

/** Where calls are written down now: in the program, or in the body of a function. */
interface Scope {
  readonly trace: Trace;
  leaves: number;
  readonly body: Body | undefined;
}

/** Records the tensors and operators that a running program makes. */
export class Recorder {
  private readonly memory: Memory;
  private scope: Scope = { trace: emptyTrace(), leaves: 0, body: undefined };
  /** Operators that bodies of functions have made so far. */
  madeInBodies = 0;
  /** Operands that operators have read so far, those of bodies too. */
  private readOperands = 0;
  /** How many calls of a functional `shard` are running. */
  free = 0;
  /** Whether gradients pass back through what is recorded. */
  followsGradients = true;
  /** The arithmetic in which products of f32 are made from here on, where it is another one. */
  products: "tf32" | undefined;
  /** The loop whose rounds are written down as one, while it runs. */
  rounds: Rounds | undefined;
  /**
   * Tensors of which each round of an expert loop has its own; nothing outside the loop reads them
   * directly.
   */
  readonly roundsOwn = new Set<TracedTensor>();
  /** Whether the running code is no part of the program. */
  private isAside = false;
  private readonly stale = new Map<TracedTensor, string>();
  private readonly signatures: Signatures;

  /**
   * @param memory sizes that an earlier reading of the same text has settled
   * @param signatures what is remembered of annotations, whatever the text
   */
  constructor(memory: Memory = nothingKnown, signatures: Signatures = new Signatures()) {
    this.memory = memory;
    this.signatures = signatures;
  }

  /** `parseAnnotation`, once for all calls that have the same one. */
  parse(annotation: string): Checked<OpAnno> {
    return this.signatures.parse(annotation);
  }

  get trace(): Trace {
    return this.scope.trace;
  }

  /** Whether the body of a function is traced: then what cannot be run has to be refused. */
  get isInBody(): boolean {
    return this.scope.body !== undefined;
  }

  /**
   * Runs the body of a function beside the program, with a trace of its own.
   *
   * @param wanted what is asked of it: to run with numbers, or only the shapes that it makes
   * @returns the trace, and why the body cannot be run, if something refused it
   */
  inBody<T>(
    action: () => T,
    wanted: Body["wanted"] = "numbers",
  ): {
    readonly value: T;
    readonly trace: Trace;
    readonly reason: string | undefined;
  } {
    const outer = this.scope;
    const [trace, body]: [Trace, Body] = [emptyTrace(), { reason: undefined, wanted }];
    this.scope = { trace, leaves: 0, body };
    try {
      const value = action();
      return { value, trace, reason: body.reason };
    } finally {
      this.scope = outer;
    }
  }

  /** Runs something whose own tensors and operators are none of the program. */
  aside(action: () => void): void {
    const { tensors, operators } = this.trace;
    const [made, called, { leaves }] = [tensors.length, operators.length, this.scope];
    const wasAside = this.isAside;
    this.isAside = true;
    try {
      action();
    } finally {
      this.isAside = wasAside;
      this.scope.leaves = leaves;
      tensors.splice(made);
      operators.splice(called);
    }
  }

  /** Ends the tracing of a body: what it does cannot be run here. Outside of one it does nothing. */
  refuse(reason: string, context: Context, span: Span): void {
    const { body } = this.scope;
    if (body === undefined) return;
    body.reason ??= reason;
    context.raise("NotImplementedError", reason, span);
  }

  /** `refuse`, of what has no numbers here while the shapes that it makes are certain. */
  refuseNumbers(reason: string, context: Context, span: Span): void {
    if (this.scope.body?.wanted !== "shapes") this.refuse(reason, context, span);
  }

  leaf(spec: LeafSpec, context: Context): TracedTensor {
    checkLeaves(this.scope.leaves, spec.span, context);
    const isOpen = spec.shape?.every((size) => typeof size === "number") !== true;
    const isKnown = isOpen && !this.isInBody && !this.isAside;
    const known = isKnown ? this.memory.leaves[this.scope.leaves] : undefined;
    if (known !== undefined)
      for (const [dim, size] of (spec.shape ?? []).entries()) unify(size, known.shape[dim] ?? size);
    const length = isKnown ? this.memory.rows?.get(this.scope.leaves) : undefined;
    this.scope.leaves += 1;
    const { role, dtype, dtypeText, shapeTree, constant, isUnknown, dynamicDims, span } = spec;
    const { isTypeAssumed, leading } = spec;
    const row =
      length === undefined
        ? undefined
        : { shape: [freshSize(), assumedSize(length)], shapeStatus: "assumed" as const };
    const { shape, shapeStatus } = isUnknown === true ? unknownShape : (known ?? row ?? spec);
    const tensor: TracedTensor = {
      kind: "tensor",
      role,
      shape,
      shapeStatus,
      shapeTree,
      dtype,
      dtypeText,
      isTypeAssumed,
      constant,
      name: undefined,
      isOpen,
      isUnknown,
      leading,
      dynamicDims,
      isRankGuessed: known?.isRankGuessed === true,
      defaults: known?.defaults,
      isModuleVariable: false,
      frames: context.frames.slice(),
      span,
    };
    this.trace.tensors.push(tensor);
    return tensor;
  }

  /** Notes that an operator changes a tensor in place: from then on its old value is stale. */
  noteChanged(tensor: TracedTensor, operator: string): void {
    this.stale.set(tensor, operator);
  }

  private reportStale(call: OperatorCall, context: Context): void {
    for (const input of call.inputs) {
      const by = input.kind === "tensor" ? this.stale.get(input) : undefined;
      if (input.kind !== "tensor" || by === undefined) continue;
      this.stale.delete(input);
      context.report({
        code: "nnscaler/stale-value",
        severity: "warning",
        message: `"${by}" has changed "${input.name?.text ?? "this tensor"}" in place; nnScaler does not track the old value: use what "${by}" returns`,
        span: call.span,
      });
    }
  }

  /** A size that the next operator needs and nobody gave. */
  hiddenSize(identifier: string): Size {
    return fieldOf(this.memory.hidden[this.trace.operators.length], identifier) ?? freshSize();
  }

  /** The first simple name that a tensor is bound to is its name. */
  bind(tensor: TracedTensor, binding: Binding): void {
    const isOfModule = binding.frames.length === 0;
    if (isOfModule && binding.tree === undefined) tensor.isTakenApart = true;
    if (tensor.name !== undefined) return;
    tensor.name = { text: binding.name, frames: [...binding.frames] };
    tensor.isModuleVariable = isOfModule;
  }

  /** Records a call and returns its results; a text that is no annotation ends the statement. */
  call(asked: OperatorCall, context: Context): readonly TracedTensor[] {
    this.reportStale(asked, context);
    if (hasUnknownResults(asked)) return this.callUnknown(asked, context);
    return this.record(asked, readAnnotation(this.signatures, asked, context), context);
  }

  /**
   * Draws an operator that reads a tensor of unknown shape: of its results only the number is
   * known.
   */
  private callUnknown(asked: OperatorCall, context: Context): readonly TracedTensor[] {
    const read = asked.annotations.map(({ text }) => this.signatures.parse(text));
    const good = read.find((each) => each.ok);
    const open = asked.inputs.filter((each) => each.kind === "tensor" && each.shape === undefined);
    if (good?.ok) giveRanks(good.value, asked);
    for (const each of open) if (each.kind === "tensor") each.isRankGuessed = true;
    const call = withUnknownResults(asked, good?.ok ? good.value.outputs.length : 1);
    return this.record(call, readAnnotation(this.signatures, call, context), context);
  }

  /** Writes a call down and makes its results. */
  private record(call: OperatorCall, annotation: OpAnno, context: Context) {
    checkResults(call, annotation.outputs.length, context);
    if (this.isInBody) this.madeInBodies += 1;
    this.readOperands += call.inputs.length;
    const counts = { operators: this.trace.operators.length, operands: this.readOperands };
    checkCounts(call, counts, this.isInBody, context);
    giveRanks(annotation, call);
    const bound = boundExactly(this.signatures, call);
    const shapes = bound?.outputs.map((shape) => shape ?? []) ?? openShapes(annotation, call);
    checkRanks(call, shapes, context);
    const results: TracedTensor[] = [];
    const run: Run = {
      ...{ outputs: results, frames: context.frames.slice(), isFree: this.free > 0 },
      arithmetic: this.products,
      endsGradient: !this.followsGradients,
    };
    const operator = tracedFrom(call, bound, run);
    const assumed = this.isInBody ? undefined : this.memory.assumed[counts.operators];
    if (assumed !== undefined) operator.assumed = assumed;
    for (const [at, shape] of shapes.entries())
      results.push(this.result(operator, call.givesScalars === true ? [] : shape, call, at));
    this.trace.operators.push(operator);
    if (this.followsGradients) this.trace.rounds.followed += 1;
    else this.trace.rounds.evaluated.add(operator);
    this.rounds?.note(operator);
    return results;
  }

  /** Takes back what was made since, as if it had not run. */
  forget(mark: TraceMark): void {
    this.trace.tensors.splice(mark.tensors);
    this.trace.operators.splice(mark.operators);
    this.scope.leaves = mark.leaves;
  }

  mark(): TraceMark {
    const { tensors, operators } = this.trace;
    return { tensors: tensors.length, operators: operators.length, leaves: this.scope.leaves };
  }

  report(...diagnostics: readonly Diagnostic[]): void {
    this.trace.diagnostics.push(...diagnostics);
  }

  private result(
    operator: TracedOperator,
    shape: readonly Size[],
    { types = [], results }: OperatorCall,
    at: number,
  ): TracedTensor {
    const isGuessed = hasGuessedResults({ inputs: operator.inputs, results });
    const tensor = resultOf(operator, shape, {
      type: types[at] ?? types.at(-1),
      isGuessed,
      isUnknown: results === "unknown",
    });
    this.trace.tensors.push(tensor);
    return tensor;
  }
}
