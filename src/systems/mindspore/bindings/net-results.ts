import type { Span } from "#core/diagnostics";
import { assumedOf, type TensorAccess, type TensorBindings } from "#language/document/bindings";
import { itemsOf } from "#language/document/bindings/values";
import type { Trace, TracedTensor } from "#language/document/trace";
import type { Argument, Context, InstanceValue, Value } from "#language/python";
import { type UnreadStatement, unreadStatements } from "./unread-statements.ts";

/** The result of a net that the program itself calls. */
export interface NetResult {
  readonly net: Value;
  /** Span of the call. */
  readonly span: Span;
  /** Tensors in the result, except the arguments of the call. */
  readonly tensors: readonly TracedTensor[];
  /**
   * Whether the result contains an argument of the call, or an unknown value. Nets that are called
   * without arguments, and nets that the text does not define, count as open too.
   */
  readonly isOpen: boolean;
  /** Whether the result is an empty tuple, list or dict. */
  readonly isEmpty: boolean;
  /** All tensors in the result; `undefined` if unknown. */
  readonly given: ReadonlySet<TracedTensor> | undefined;
  /** Span of the body of its `construct`; `source` is the text that contains it. */
  readonly body: Span | undefined;
  readonly source: string;
  /** Statements of its `construct` whose results are never read. */
  readonly unread: readonly UnreadStatement[];
}

const recordName = "what MindSpore nets gave";

/** Results of the nets called in a run, in program order. */
export function netResultsIn({ bySystem }: Pick<Trace, "bySystem">): readonly NetResult[] {
  const found = bySystem.get(recordName);
  return found instanceof NetResults ? found.results : [];
}

/** Tensors whose shape or data type a net of the run reads, with the spans of these reads. */
export function askedTensors({
  bySystem,
}: Pick<Trace, "bySystem">): ReadonlyMap<TracedTensor, readonly Span[]> {
  const found = bySystem.get(recordName);
  return found instanceof NetResults ? found.asked : new Map();
}

/** A Cell that ran, with the lookup of the tensor that a value holds. */
export interface RunCell {
  readonly cell: InstanceValue;
  readonly tensorOf: (value: Value) => TracedTensor | undefined;
}

/** The Cells that ran inside the nets of a run, each once. */
export function cellsRun({ bySystem }: Pick<Trace, "bySystem">): readonly RunCell[] {
  const found = bySystem.get(recordName);
  if (!(found instanceof NetResults)) return [];
  const tensorOf = (value: Value) => found.tensors.tensorOf(value);
  return [...found.ran].map((cell) => ({ cell, tensorOf }));
}

/** A read of an attribute that a tensor in a MindSpore graph lacks. */
interface AttributeFault {
  readonly message: string;
  readonly upstream: "AttributeError" | "RuntimeError";
  readonly span: Span;
}

/** Reads of tensor attributes in nets of a run that MindSpore 2.10 refuses there. */
export function attributeFaults({ bySystem }: Pick<Trace, "bySystem">): readonly AttributeFault[] {
  const found = bySystem.get(recordName);
  if (!(found instanceof NetResults)) return [];
  return found.faults.filter(({ span }) => !isLeftOut({ bySystem }, span));
}

/**
 * Whether a net of the run assigns the expression at this span to a name that nothing reads; the
 * net's graph then lacks the expression.
 */
export function isLeftOut(trace: Pick<Trace, "bySystem">, place: Span): boolean {
  return netResultsIn(trace).some((net) => leavesOut(net, place));
}

/**
 * Whether a net assigns the expression at this span to a name that it never reads; its graph then
 * lacks the expression.
 */
function leavesOut({ unread, source }: NetResult, place: Span): boolean {
  const around = unread.find(({ from, to }) => from <= place.from && place.to <= to);
  return around !== undefined && namedAlone.test(source.slice(around.from, around.to));
}

/** Matches `n = self.w.name`: an attribute without a call. */
const namedAlone = /^\s*\w+\s*=\s*[\w.]+\s*(#.*)?$/u;

/** Attributes of tensors that a graph lacks, with the exception of 2.10. */
const refusedNames: ReadonlyMap<string, AttributeFault["upstream"]> = new Map([
  ...["requires_grad", "grad", "has_init"].map((name) => [name, "AttributeError"] as const),
  ...["device", "is_contiguous", "asnumpy", "numpy", "tolist"].map(
    (name) => [name, "RuntimeError"] as const,
  ),
]);

/** Further attributes that a parameter has and that a graph lacks. */
const parameterNames: ReadonlySet<string> = new Set([
  ...["requires_grad", "name", "init_data", "layerwise_parallel", "parallel_optimizer"],
  ...["is_init", "param_info"],
]);

/**
 * Attributes and functions that need only the shape or data type of a tensor, and none of its
 * elements.
 */
const facts: ReadonlySet<string> = new Set([
  "shape",
  "ndim",
  "size",
  "dtype",
  "dim",
  "numel",
  "itemsize",
  "nbytes",
]);

/** Records the results of nets, and which tensor attributes they read. */
export class NetResults {
  readonly results: NetResult[] = [];
  readonly asked = new Map<TracedTensor, Span[]>();
  readonly ran = new Set<InstanceValue>();
  readonly faults: AttributeFault[] = [];
  readonly tensors: TensorBindings;

  constructor(trace: Trace, tensors: TensorBindings) {
    this.tensors = tensors;
    trace.bySystem.set(recordName, this);
  }

  note(net: Value, args: readonly Argument[], result: Value, context: Context, span: Span): void {
    const given = new Set(args.flatMap(({ value }) => this.tensorsOf(value)));
    const found = this.tensorsOf(result);
    const leaves = leavesOf(result);
    const isUnknown = leaves.some((leaf) => assumedOf(leaf) !== undefined || this.isLazy(leaf));
    const isPlain = leaves.every((leaf) => leaf.kind !== "instance" || this.tensors.tensorOf(leaf));
    const isGiven = given.size === 0 || found.some((tensor) => given.has(tensor));
    const body = constructOf(net, context);
    this.results.push({
      net,
      span,
      tensors: found.filter((tensor) => !given.has(tensor)),
      isOpen: body === undefined || isUnknown || isGiven,
      isEmpty: leaves.length === 0,
      given: isUnknown || !isPlain ? undefined : new Set(found),
      body,
      source: context.source,
      unread: body === undefined ? [] : unreadStatements(body, context.source),
    });
  }

  /**
   * Records that the text of a net reads an attribute of a tensor. Reads inside a library function,
   * such as `expand_as` of its second tensor, have no span in the text and are ignored.
   */
  ask({ tensor, name, span }: Pick<TensorAccess, "tensor" | "name" | "span">): void {
    if (span.from < 0) return;
    const isParameter = tensor.role === "parameter" && tensor.producer === undefined;
    const isOfParameters = isParameter && parameterNames.has(name);
    const upstream = isOfParameters ? "RuntimeError" : refusedNames.get(name);
    if (upstream !== undefined) {
      const message = `a graph of MindSpore does not read "${name}" of a ${isParameter ? "parameter" : "tensor"}`;
      this.faults.push({ message, upstream, span });
    }
    if (!facts.has(name)) return;
    const spans = this.asked.get(tensor) ?? [];
    spans.push(span);
    this.asked.set(tensor, spans);
  }

  /** Whether a value makes its items only when they are read, as the gradients of all inputs do. */
  private isLazy(leaf: Value): boolean {
    const isTensor = this.tensors.tensorOf(leaf) !== undefined;
    return leaf.kind === "host" && !isTensor && leaf.type.iterate !== undefined;
  }

  private tensorsOf(value: Value): readonly TracedTensor[] {
    return leavesOf(value).flatMap((leaf) => this.tensors.tensorOf(leaf) ?? []);
  }
}

function leavesOf(value: Value): readonly Value[] {
  if (value.kind === "dict")
    return [...value.entries.values()].flatMap((each) => leavesOf(each.value));
  return itemsOf(value)?.flatMap(leavesOf) ?? [value];
}

/** Span of the body of a net's `construct` in the text; `undefined` for a net of a library. */
function constructOf(net: Value, context: Context): Span | undefined {
  const construct = net.kind === "instance" ? context.getAttribute(net, "construct", noSpan) : net;
  const callee = construct.kind === "method" ? construct.callee : construct;
  if (callee.kind !== "function") return undefined;
  const { from, to } = callee.nameSpan;
  return context.source.slice(from, to) === "construct" ? callee.bodySpan : undefined;
}

const noSpan = { from: 0, to: 0 };
