import type { Span } from "#core/diagnostics";
import type { Argument, Context, HostFunction, Value } from "#language/python";
import type { BoundSystems } from "../bound-systems.ts";
import type { Recorder } from "../trace/recorder.ts";
import { provisional } from "../trace/size.ts";
import type { StrategyCall } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { WrittenAxes, WrittenLayout } from "../trace/written-layouts.ts";
import { leafWord, shapeIn } from "./leaf-word.ts";
import { layoutWord, meshWord, writtenLayoutOf } from "./mesh-bindings.ts";
import { reservedWords } from "./reserved.ts";
import { reshardWord } from "./reshard-word.ts";
import { parameterClass, tensorClass } from "./tensor-class.ts";
import type { TensorBindings } from "./tensors.ts";
import { axesOf, bindArguments, hostFunction, none, textOf } from "./values/values.ts";

/** The words of architecture.md §2.1 as Python functions. */
export function nativeBindings(
  recorder: Recorder,
  tensors: TensorBindings,
  systems: Pick<BoundSystems, "layoutOf" | "stepNames">,
): ReadonlyMap<string, Value> {
  const layoutOf: LayoutOf = (value) => writtenLayoutOf(value) ?? systems.layoutOf(value)?.written;
  const { stepNames } = systems;
  const words: readonly HostFunction[] = [
    define("Mesh", (args, context, span) => meshWord(recorder, args, context, span)),
    {
      ...tensorClass(tensors, "Tensor"),
      call: (args, context, span) => leafWord(recorder, tensors, "input", args, context, span),
    },
    {
      ...parameterClass(tensors, "Parameter"),
      call: (args, context, span) => leafWord(recorder, tensors, "parameter", args, context, span),
    },
    define("strategy", (args, context, span) =>
      strategyWord(recorder, tensors, args, context, span),
    ),
    define("place", (args, context, span) =>
      placeWord(recorder, tensors, layoutOf, args, context, span),
    ),
    define("reshard", (args, context, span) =>
      reshardWord(
        { recorder, layoutOf, stepNames, targetOf: (argument) => targetOf(tensors, argument) },
        args,
        context,
        span,
      ),
    ),
    define("shapes", (args, context) => shapesWord(recorder, args, context)),
    define("layout", layoutWord),
    ...reservedWords(recorder, tensors),
  ];
  return new Map(words.map((word) => [word.name, word]));
}

/** A layout of the native word, or of one of the systems. */
type LayoutOf = (value: Value | undefined) => WrittenLayout | undefined;

function define(name: string, call: HostFunction["call"]): HostFunction {
  return { kind: "host-function", name, call };
}

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
  const pairs: Pair[] = [];
  for (let at = 1; at < args.length; at++) {
    const argument = args[at];
    if (argument !== undefined) pairs.push(...pairsOf(argument, context));
  }
  const cuts = pairs.filter((pair) => pair.key !== "carry" || pair.fromDict);
  const carry =
    cuts.length === pairs.length ? undefined : pairs.find((pair) => !cuts.includes(pair))?.written;
  recorder.trace.strategies.push({ target, cuts, carry, span });
  return none;
}

type Pair = StrategyCall["cuts"][number] & { readonly fromDict: boolean };

/** `f="mp"` is one pair; a dict given by position is one per key. */
function pairsOf(argument: Argument, context: Context): readonly Pair[] {
  if (argument.name !== undefined) {
    const keySpan = argument.nameSpan ?? argument.span;
    const written = requireAxes(argument.value, argument, context);
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
    return context.raise(
      "TypeError",
      'strategy() takes identifiers by name, e.g. b="dp"',
      argument.span,
    );
  }
  return [...argument.value.entries.values()].map((entry, index): Pair => {
    const tree = argument.tree?.items[index];
    const span = tree?.span ?? argument.span;
    const written = requireAxes(entry.value, { ...argument, span, ...(tree && { tree }) }, context);
    return {
      key: context.text(entry.key),
      keySpan: tree?.keySpan ?? span,
      written,
      span,
      fromDict: true,
    };
  });
}

function requireAxes(value: Value, argument: Argument, context: Context): WrittenAxes {
  const axes = axesOf(value, argument.tree, argument.span);
  if (axes !== undefined) return axes;
  const key = argument.name === undefined ? "an identifier" : `"${argument.name}"`;
  return context.raise(
    "TypeError",
    `${key} takes a mesh axis name or a tuple of them`,
    argument.span,
  );
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

/** Functions of Python that reach beyond a text: into files, to a person, into its own text. */
const names = ["open", "input", "exec", "eval", "compile", "__import__", "globals", "locals"];

/**
 * Those functions as a reading takes them: they are not run, and what they give is not known.
 *
 * @param unknown something of which is said already that nobody knows it
 */
export function outsideBindings(unknown: (name: string) => Value): ReadonlyMap<string, Value> {
  const words = names.map((name) =>
    hostFunction(name, (_args, context, span) => {
      context.report({
        code: "document/unknown-value",
        severity: "warning",
        message: `${name}() is not run here: what it gives is not known`,
        span,
      });
      return unknown(`${name}()`);
    }),
  );
  // What ends a program where something is missing that a board has.
  const ends = ["exit", "quit"].map((name) => hostFunction(name, () => none));
  return new Map([...words, ...ends].map((word) => [word.name, word]));
}
