import type { Span } from "#core/diagnostics";
import {
  bindArguments,
  hostFunction,
  type Recorder,
  type TensorBindings,
  type TracedTensor,
} from "#language/document/bindings";
import type { Argument, Context, HostFunction } from "#language/python";
import { readSide, type Side } from "./shard-sides.ts";

/**
 * The functional `shard(fn, in_strategy, out_strategy, parameter_plan)`: its inputs are placed as
 * the strategy says, and the operators inside follow by propagation (mindspore.md §2.1).
 */
export function shardWord(recorder: Recorder, tensors: TensorBindings): HostFunction {
  return hostFunction("shard", (args, context, span) => {
    const names = ["fn", "in_strategy", "out_strategy", "parameter_plan", "device", "level"];
    const { bound } = bindArguments(names, args);
    const [fn, asked, out] = names.map((name) => bound.get(name));
    if (fn === undefined || asked === undefined) {
      const missing = fn === undefined ? "fn" : "in_strategy";
      const message = `shard() missing 1 required positional argument: '${missing}'`;
      return context.raise("TypeError", message, span);
    }
    const side = readSide("in_strategy", asked, context);
    if (out !== undefined && out.value.kind !== "none") reportIgnored(out, context);
    return hostFunction("shard", (inner, innerContext, callSpan) => {
      placeInputs(recorder, tensors, side, asked, inner);
      recorder.free += 1;
      try {
        return innerContext.call(fn.value, inner, callSpan);
      } finally {
        recorder.free -= 1;
      }
    });
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
