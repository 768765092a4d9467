import type { Diagnostic, Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { assumedOf, type TensorBindings } from "#language/document/bindings";
import { bindArguments, hostFunction } from "#language/document/bindings/values";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostFunction, Value } from "#language/python";
import { mindsporeLayoutOf } from "./layouts.ts";
import { checkParameterPlan } from "./parameter-plan.ts";
import { readSide, type Side } from "./shard-sides.ts";
import { strategyFrom } from "./shard-strategy.ts";
import { bodyAround } from "./unread-statements.ts";

/** Services for `shard`, `reshard` and `Cell.shard`. */
export interface ShardParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  /** Reports a diagnostic once per run. */
  readonly say: (diagnostic: Diagnostic) => void;
}

const names = ["fn", "in_strategy", "out_strategy", "parameter_plan", "device", "level"];

/**
 * Places the arguments of a call, then runs it; operators inside follow their operands' layouts.
 */
type Placed = (inner: readonly Argument[], span: Span, run: () => Value) => Value;

/**
 * The functional `shard(fn, in_strategy, out_strategy, parameter_plan)`: its inputs are placed as
 * the strategy says, and the strategies of operators inside follow by propagation (mindspore.md
 * §2.1).
 */
export function shardWord(parts: ShardParts): HostFunction {
  return hostFunction("shard", (args, context, span) => {
    const { bound } = bindArguments(names, args);
    const fn = bound.get("fn");
    if (fn === undefined) {
      const message = "shard() missing 1 required positional argument: 'fn'";
      return context.raise("TypeError", message, span);
    }
    const placed = placing(parts, fn.value, bound, context, span);
    return hostFunction("shard", (inner, innerContext, callSpan) =>
      placed(inner, callSpan, () => innerContext.call(fn.value, inner, callSpan)),
    );
  });
}

/** Cells on which `Cell.shard(…)` was called, with the placement of their arguments. */
export class ShardedCells {
  private readonly parts: ShardParts;
  private readonly cells = new Map<Value, Placed>();

  constructor(parts: ShardParts) {
    this.parts = parts;
  }

  /** `cell.shard(in_strategy, …)`: places the arguments of every later call of the Cell. */
  shard(cell: Value, args: readonly Argument[], context: Context, span: Span): Value {
    const { bound } = bindArguments(names.slice(1), args);
    this.cells.set(cell, placing(this.parts, cell, bound, context, span));
    // MindSpore 2.10 returns None; texts for earlier versions call the returned Cell.
    return hostFunction("shard", (inner, innerContext, callSpan) => {
      this.parts.say({
        code: "mindspore/shard-gives-none",
        severity: "warning",
        message: "Cell.shard() gives None in MindSpore 2.10: read as a call of the Cell itself",
        span: callSpan,
        upstream: "TypeError",
      });
      return innerContext.call(cell, inner, callSpan);
    });
  }

  /** Runs a Cell, with its arguments placed if `shard` was called on it. */
  run(cell: Value, args: readonly Argument[], span: Span, run: () => Value): Value {
    const placed = this.cells.get(cell);
    return placed === undefined ? run() : placed(args, span, run);
  }
}

function placing(
  { recorder, tensors, say }: ShardParts,
  fn: Value,
  bound: ReadonlyMap<string, Argument>,
  context: Context,
  span: Span,
): Placed {
  const [asked, out, plan] = names.slice(1, 4).map((name) => bound.get(name));
  if (asked === undefined) {
    const message = "shard() missing 1 required positional argument: 'in_strategy'";
    return context.raise("TypeError", message, span);
  }
  const side = readSide("in_strategy", asked, context);
  if (out !== undefined && out.value.kind !== "none") reportIgnored(out, context);
  if (plan !== undefined) checkParameterPlan(plan, fn, tensors, context);
  if (plan !== undefined && plan.value.kind !== "none")
    say({
      code: "mindspore/not-modelled",
      severity: "warning",
      message: "not modelled: parameter_plan: parameters are drawn as their operators cut them",
      span: plan.span,
    });
  return (inner, callSpan, run) => {
    const fault = inputsFault(tensors, side, inner) ?? interleavedFault(tensors, side, inner);
    if (fault !== undefined) return context.raise("RuntimeError", fault, asked.span);
    say({
      code: "mindspore/shard-propagation",
      severity: "warning",
      message:
        "MindSpore chooses the strategies inside shard() by sharding propagation, in which an operator that reads the result may decide before what is placed here: what is drawn follows the operands as placed",
      span: callSpan,
    });
    placeInputs(recorder, tensors, side, asked, inner);
    recorder.free += 1;
    try {
      return run();
    } finally {
      recorder.free -= 1;
    }
  };
}

/**
 * Why the compiler refuses a strategy for these arguments: it needs one entry per tensor and one
 * number per dim.
 */
function inputsFault(
  tensors: TensorBindings,
  side: Side,
  inner: readonly Argument[],
): string | undefined {
  const given = inner.map(({ value }) => tensors.tensorOf(value));
  const entries = side.kind === "tuples" ? side.values : side.layouts;
  const isPlain = given.every((tensor) => tensor !== undefined);
  if (isPlain && given.length !== entries.length)
    return `Input numbers: ${given.length} is not equal to in_strategy numbers: ${entries.length}`;
  const at = given.findIndex((tensor, index) => {
    const pieces = side.kind === "tuples" ? side.values[index] : undefined;
    return pieces !== undefined && tensor?.shape !== undefined
      ? tensor.shape.length !== pieces.length
      : false;
  });
  if (at < 0 || side.kind !== "tuples") return undefined;
  return `Input dimension: ${given[at]?.shape?.length} is not equal to in_strategy dimension: ${side.values[at]?.length} at index ${at}`;
}

/** Why the compiler refuses pieces inside each card: an input of the net cannot have them. */
function interleavedFault(
  tensors: TensorBindings,
  side: Side,
  inner: readonly Argument[],
): string | undefined {
  if (side.kind !== "layouts") return undefined;
  const bad = inner.findIndex(({ value }, index) => {
    const layout = side.layouts[index];
    const entries = layout?.called?.written.dims.flatMap(({ entry = -1 }) => entry) ?? [];
    const isMade = tensors.tensorOf(value)?.producer !== undefined;
    return layout?.spec.isInterleaved === true && entries.includes(0) && !isMade;
  });
  return bad < 0 ? undefined : `input ${bad} of shard() can not set to interleaved parallel`;
}

/** `reshard(tensor, layout)`: an identity operator whose result has the given layout. */
export function reshardWord(tensors: TensorBindings): HostFunction {
  return hostFunction("reshard", (args, context, span) => {
    const { bound } = bindArguments(["tensor", "layout"], args);
    const [tensor, layout] = ["tensor", "layout"].map((name) => bound.get(name));
    if (tensor === undefined || layout === undefined) {
      const message = "reshard() takes a tensor and a layout";
      return context.raise("TypeError", message, span);
    }
    const called = mindsporeLayoutOf(layout.value);
    if (called === undefined && assumedOf(layout.value) === undefined)
      return context.raise("TypeError", "reshard() takes a Layout", layout.span);
    const entry = library.get("identity");
    if (called?.called === undefined || entry === undefined) return tensor.value;
    const { dims, span: made } = called.called.written;
    const joined = dims.find((dim) => typeof dim.entry === "object");
    if (joined !== undefined) {
      const message = "reshard() of MindSpore 2.10 takes one axis for a dim, not a tuple of axes";
      return context.raise("TypeError", message, joined.span);
    }
    const body = bodyAround(context.source, span.from);
    if (body !== undefined && body.from <= made.from && made.to <= body.to) {
      const message =
        "reshard() needs a Layout that is called before the net is compiled, as in __init__: MindSpore 2.10 does not know one that the net itself calls";
      return context.raise("RuntimeError", message, layout.span);
    }
    const side = { kind: "layouts", layouts: [called] } as const;
    const strategy = strategyFrom(side, undefined, layout, undefined);
    const style = { op: "Reshard", stem: "reshard", reducesInside: true, strategy };
    return tensors.call(entry, style, [{ value: tensor.value, span: tensor.span }], context, span);
  });
}

function reportIgnored(out: Argument, context: Context): void {
  readSide("out_strategy", out, context);
  context.report({
    code: "mindspore/out-strategy-ignored",
    severity: "warning",
    message: "the functional shard() ignores its out_strategy",
    span: out.span,
  });
}

function placeInputs(
  recorder: Recorder,
  tensors: TensorBindings,
  side: Side,
  asked: Argument,
  args: readonly Argument[],
): void {
  for (const [index, { value }] of args.entries()) {
    const tensor = tensors.tensorOf(value);
    const span = asked.tree?.items[index]?.span ?? asked.span;
    if (tensor !== undefined) placeInput(recorder, tensor, side, index, span);
  }
}

function placeInput(
  recorder: Recorder,
  tensor: TracedTensor,
  side: Side,
  index: number,
  span: Span,
): void {
  if (side.kind === "tuples") {
    const pieces = side.values[index];
    if (pieces !== undefined) recorder.trace.placedPieces.push({ target: tensor, pieces, span });
    return;
  }
  const layout = side.layouts[index];
  if (layout?.called === undefined) return;
  const { spec, called } = layout;
  recorder.trace.places.push({ target: tensor, layout: called.written, spec, span });
}
