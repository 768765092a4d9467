import type { Span } from "#core/diagnostics";
import type { Argument, Context, HostFunction, Value } from "#language/python";
import type { BoundSystems } from "../bound-systems.ts";
import { writing } from "../fix.ts";
import type { Recorder } from "../trace/recorder.ts";
import { provisional } from "../trace/size.ts";
import type { StrategyCall } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { WrittenAxes, WrittenLayout } from "../trace/written-layouts.ts";
import { type GlobalNames, globalNames } from "./introspection.ts";
import { leafWord, shapeIn } from "./leaf-word.ts";
import { layoutWord, meshWord, writtenLayoutOf } from "./mesh-bindings.ts";
import { reservedWords } from "./reserved.ts";
import { reshardWord } from "./reshard-word.ts";
import { parameterClass, tensorClass } from "./tensor-class.ts";
import type { TensorBindings } from "./tensors.ts";
import { axesOf, bindArguments, hostFunction, none, textOf } from "./values/values.ts";

/** Native words of architecture.md §2.1 as Python functions. */
export function nativeBindings(
  recorder: Recorder,
  tensors: TensorBindings,
  systems: Pick<BoundSystems, "layoutOf" | "stepNames">,
): ReadonlyMap<string, Value> {
  const layoutOf: LayoutOf = (value) => writtenLayoutOf(value) ?? systems.layoutOf(value)?.written;
  const { stepNames } = systems;
  const words: readonly HostFunction[] = [
    hostFunction("Mesh", (args, context, span) => meshWord(recorder, args, context, span)),
    {
      ...tensorClass(tensors, "Tensor"),
      call: (args, context, span) => leafWord(recorder, tensors, "input", args, context, span),
    },
    {
      ...parameterClass(tensors, "Parameter"),
      call: (args, context, span) => leafWord(recorder, tensors, "parameter", args, context, span),
    },
    hostFunction("strategy", (args, context, span) =>
      strategyWord(recorder, tensors, args, context, span),
    ),
    hostFunction("place", (args, context, span) =>
      placeWord(recorder, tensors, layoutOf, args, context, span),
    ),
    hostFunction("reshard", (args, context, span) =>
      reshardWord(
        { recorder, layoutOf, stepNames, targetOf: (argument) => targetOf(tensors, argument) },
        args,
        context,
        span,
      ),
    ),
    hostFunction("shapes", (args, context) => shapesWord(recorder, args, context)),
    hostFunction("layout", layoutWord),
    ...reservedWords(recorder, tensors),
  ];
  return new Map(words.map((word) => [word.name, word]));
}

/** Layout of a value, written with the native word or a system's. */
type LayoutOf = (value: Value | undefined) => WrittenLayout | undefined;

function strategyWord(
  recorder: Recorder,
  tensors: TensorBindings,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const [first] = args;
  const target = first?.name === undefined ? targetOf(tensors, first) : undefined;
  if (first === undefined || target === undefined) {
    return context.raise(
      "TypeError",
      'strategy() needs a tensor or a name first, e.g. strategy(h, b="dp")',
      first?.span ?? span,
    );
  }
  const axes = recorder.trace.meshes.at(-1)?.axes.map(({ name }) => name) ?? [];
  const pairs = args.slice(1).flatMap((argument) => pairsOf(argument, axes, context));
  const cuts = pairs.filter((pair) => pair.key !== "carry" || pair.fromDict);
  const carry =
    cuts.length === pairs.length ? undefined : pairs.find((pair) => !cuts.includes(pair))?.written;
  recorder.trace.strategies.push({ target, cuts, carry, span });
  return none;
}

type Pair = StrategyCall["cuts"][number] & { readonly fromDict: boolean };

/**
 * Argument pairs of a strategy: `f="mp"` is one pair, a positional dict one pair per key.
 *
 * @param axes names of the mesh axes
 */
function pairsOf(argument: Argument, axes: readonly string[], context: Context): readonly Pair[] {
  if (argument.name !== undefined) {
    const keySpan = argument.nameSpan ?? argument.span;
    const written = requireAxes(argument.value, argument, axes, context);
    return [
      {
        key: argument.name,
        keySpan,
        written,
        span: { from: keySpan.from, to: argument.span.to },
        fromDict: false,
      },
    ];
  }
  if (argument.value.kind !== "dict") {
    const name = nameAt(argument.span, context);
    const pair = `${name ?? "b"}="${axes[0] ?? "dp"}"`;
    const message = `strategy() takes identifiers by name, e.g. ${pair}`;
    const fixes = name === undefined ? [] : [writing(argument.span, pair)];
    return context.raise("TypeError", message, argument.span, { fixes });
  }
  return [...argument.value.entries.values()].map((entry, index): Pair => {
    const tree = argument.tree?.items[index];
    const span = tree?.span ?? argument.span;
    const value = { ...argument, span, ...(tree && { tree }) };
    const written = requireAxes(entry.value, value, axes, context);
    return {
      key: context.text(entry.key),
      keySpan: tree?.keySpan ?? span,
      written,
      span,
      fromDict: true,
    };
  });
}

function requireAxes(
  value: Value,
  argument: Argument,
  axes: readonly string[],
  context: Context,
): WrittenAxes {
  const written = axesOf(value, argument.tree, argument.span);
  if (written !== undefined) return written;
  const key = argument.name === undefined ? "an identifier" : `"${argument.name}"`;
  const name = nameAt(argument.span, context);
  const isAxis = name !== undefined && axes.includes(name);
  const message = isAxis
    ? `${key} takes the name of a mesh axis in quotes: "${name}"`
    : `${key} takes a mesh axis name or a tuple of them`;
  const fixes = isAxis ? [writing(argument.span, `"${name}"`)] : [];
  return context.raise("TypeError", message, argument.span, { fixes });
}

/** The identifier written at a span; `undefined` for other text. */
function nameAt({ from, to }: Span, { source }: Context): string | undefined {
  return /^[A-Za-z_]\w*$/u.exec(source.slice(from, to))?.[0];
}

function placeWord(
  recorder: Recorder,
  tensors: TensorBindings,
  layoutOf: LayoutOf,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { bound } = bindArguments(["tensor", "layout"], args);
  const target = targetOf(tensors, bound.get("tensor"));
  const value = bound.get("layout")?.value;
  const layout = layoutOf(value);
  if (target === undefined || layout === undefined) {
    return context.raise(
      "TypeError",
      'place() needs a tensor or a name, and a layout, e.g. place(x, layout("dp", "None"))',
      span,
    );
  }
  recorder.trace.places.push({ target, layout, span });
  return bound.get("tensor")?.value ?? none;
}

function targetOf(
  tensors: TensorBindings,
  argument: Argument | undefined,
): TracedTensor | string | undefined {
  return tensors.tensorOf(argument?.value) ?? textOf(argument?.value);
}

function shapesWord(recorder: Recorder, args: readonly Argument[], context: Context): Value {
  for (const argument of args) {
    if (argument.name === undefined) {
      return context.raise(
        "TypeError",
        "shapes() takes names, e.g. shapes(x=(8, 4096))",
        argument.span,
      );
    }
    const shape = shapeIn(argument, context).map(provisional);
    recorder.trace.shapes.push({ name: argument.name, shape, span: argument.span });
  }
  return none;
}

/** Builtins that need files, user input or the text itself, and bytes types. */
const names = [
  ...["open", "input", "exec", "eval", "compile", "__import__", "locals"],
  ...["bytes", "bytearray", "memoryview"],
];

/**
 * Builtins that are not run: their results are unknown.
 *
 * @param unknown makes an unknown value whose cause is reported already
 */
export function outsideBindings(
  unknown: (name: string, known?: GlobalNames) => Value,
): ReadonlyMap<string, Value> {
  const say = (name: string, context: Context, span: Span) =>
    context.report({
      code: "document/unknown-value",
      severity: "warning",
      message: `${name}() is not run here: what it gives is not known`,
      span,
    });
  const globals = hostFunction("globals", (_args, context, span) =>
    globalNames(unknown, () => say("globals", context, span), context, span),
  );
  const words = names.map((name) =>
    hostFunction(name, (_args, context, span) => {
      say(name, context, span);
      return unknown(`${name}()`);
    }),
  );
  // `exit` and `quit` are no-ops: they mostly end a program on a machine that lacks a device.
  const ends = ["exit", "quit"].map((name) => hostFunction(name, () => none));
  const named = [...words, ...ends].map((word) => [word.name, word] as const);
  return new Map([...named, ["globals", globals] as const]);
}
