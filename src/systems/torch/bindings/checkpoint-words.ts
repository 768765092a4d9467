import type { Span } from "#core/diagnostics";
import { bindArguments, hostFunction, itemsOf, none } from "#language/document/bindings/values";
import type { Recorder } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";

/** `torch.utils.checkpoint`: what a call computes is not kept for the backward pass, but computed again. */
export function checkpointWords(recorder: Recorder): Readonly<Record<string, Value>> {
  const words = [checkpointWord(recorder), sequentialWord(recorder)];
  return Object.fromEntries(words.map((word) => [word.name, word]));
}

const options = [
  ...["use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug"],
  "early_stop",
];

/** `checkpoint(function, *args)`. */
function checkpointWord(recorder: Recorder) {
  return hostFunction("checkpoint", (args, context, span) => {
    const callee = args.find(({ name }) => name === undefined || name === "function");
    const given = args.filter((each) => each !== callee && !options.includes(each.name ?? ""));
    if (callee === undefined) return none;
    return noted(recorder, runsWhole(args), () => context.call(callee.value, given, span));
  });
}

/**
 * `checkpoint_sequential(functions, segments, input)`: the functions run one by one, in segments; the
 * activations of all segments but the last are computed again in the backward pass.
 */
function sequentialWord(recorder: Recorder) {
  return hostFunction("checkpoint_sequential", (args, context, span) => {
    const { bound } = bindArguments(["functions", "segments", "input"], args);
    const [functions, segments, input] = ["functions", "segments", "input"].map((name) =>
      bound.get(name),
    );
    if (functions === undefined || input === undefined) return none;
    const all = childrenOf(functions.value, context, span);
    const count = segments?.value.kind === "int" ? Number(segments.value.value) : 1;
    const length = Math.max(1, Math.floor(all.length / Math.max(1, count)));
    let { value } = input;
    for (let from = 0; from < all.length; ) {
      const isLast = from >= length * (count - 1);
      const segment = all.slice(from, isLast ? undefined : from + length);
      const run = () =>
        segment.reduce(
          (given, callee) => context.call(callee, [{ value: given, span }], span),
          value,
        );
      value = isLast ? run() : noted(recorder, runsWhole(args), run);
      from += segment.length;
    }
    return value;
  });
}

/** The modules of a `Sequential`, or the functions of a list. */
function childrenOf(value: Value, context: Context, span: Span): readonly Value[] {
  const items = itemsOf(value);
  if (items !== undefined) return items;
  if (value.kind !== "instance") return [value];
  return context.iterate(
    context.call(context.getAttribute(value, "children", span), [], span),
    span,
  );
}

/**
 * Whether the whole block runs again: PyTorch's default, unless the call chooses the variant that
 * stops early.
 */
function runsWhole(args: readonly Argument[]): boolean {
  const flag = (name: string, otherwise: boolean) => {
    const value = args.find((each) => each.name === name)?.value;
    return value?.kind === "bool" ? value.value : otherwise;
  };
  return flag("use_reentrant", true) || !flag("early_stop", true);
}

/** Runs something and notes which operators it left behind. */
function noted(recorder: Recorder, isWhole: boolean, run: () => Value): Value {
  const { operators, checkpoints } = recorder.trace;
  const before = operators.length;
  const result = run();
  checkpoints.push({ operators: new Set(operators.slice(before)), runsWhole: isWhole });
  return result;
}
