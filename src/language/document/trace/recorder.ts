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

/** Traced function body, with the reason why it cannot run. */
interface Body {
  readonly wanted: "numbers" | "shapes";
  reason: string | undefined;
}

/** Target of recording: the program, or the body of a function. */
interface Scope {
  readonly trace: Trace;
  leaves: number;
  readonly body: Body | undefined;
}

/** Records tensors and operators of a running program. */
export class Recorder {
  private readonly memory: Memory;
  private scope: Scope = { trace: emptyTrace(), leaves: 0, body: undefined };
  /** Number of operators recorded in function bodies so far. */
  madeInBodies = 0;
  /** Number of operands read so far, including those in bodies. */
  private readOperands = 0;
  /** Number of calls of a functional `shard` that are running. */
  free = 0;
  /** Whether gradients pass back through what is recorded now (no `no_grad`). */
  followsGradients = true;
  /** Arithmetic of f32 products from now on, when it is not f32. */
  products: "tf32" | undefined;
  /** Loop over experts that is recorded as one round, while it runs. */
  rounds: Rounds | undefined;
  /** Tensors that differ by round of an expert loop; code outside must not read them directly. */
  readonly roundsOwn = new Set<TracedTensor>();
  /** Whether the running code is not part of the program. */
  private isAside = false;
  private readonly stale = new Map<TracedTensor, string>();
  private readonly signatures: Signatures;

  /**
   * @param memory sizes settled by an earlier reading of the same text
   * @param signatures cache of annotations, for any text
   */
  constructor(memory: Memory = nothingKnown, signatures: Signatures = new Signatures()) {
    this.memory = memory;
    this.signatures = signatures;
  }

  /** `parseAnnotation`, cached. */
  parse(annotation: string): Checked<OpAnno> {
    return this.signatures.parse(annotation);
  }

  get trace(): Trace {
    return this.scope.trace;
  }

  /** Whether a function's body is traced, so that code which cannot run must be refused. */
  get isInBody(): boolean {
    return this.scope.body !== undefined;
  }

  /**
   * Runs the body of a function apart from the program, with its own trace.
   *
   * @param wanted purpose: to run with numbers, or only the shapes
   * @returns the trace, and the reason if something refused to run
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

  /** Runs an action whose tensors and operators are dropped afterwards. */
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

  /** Stops the tracing of a body that cannot run; no effect outside a body. */
  refuse(reason: string, context: Context, span: Span): void {
    const { body } = this.scope;
    if (body === undefined) return;
    body.reason ??= reason;
    context.raise("NotImplementedError", reason, span);
  }

  /**
   * `refuse` for code with certain shapes but no numbers: no effect when only shapes are wanted.
   */
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

  /** Size of an identifier that the next operator needs and the call does not give. */
  hiddenSize(identifier: string): Size {
    return fieldOf(this.memory.hidden[this.trace.operators.length], identifier) ?? freshSize();
  }

  /** Names a tensor after the first simple name it is bound to. */
  bind(tensor: TracedTensor, binding: Binding): void {
    const isOfModule = binding.frames.length === 0;
    if (isOfModule && binding.tree === undefined) tensor.isTakenApart = true;
    if (tensor.name !== undefined) return;
    tensor.name = { text: binding.name, frames: [...binding.frames] };
    tensor.isModuleVariable = isOfModule;
  }

  /** Records a call and returns its results; an invalid annotation ends the statement. */
  call(asked: OperatorCall, context: Context): readonly TracedTensor[] {
    this.reportStale(asked, context);
    if (hasUnknownResults(asked)) return this.callUnknown(asked, context);
    return this.record(asked, readAnnotation(this.signatures, asked, context), context);
  }

  /**
   * Records an operator that reads a tensor of unknown shape: only the number of results is known.
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

  /** Records a call and makes its results. */
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

  /** Drops everything recorded after a mark. */
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
