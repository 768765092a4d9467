import { nearestMachine, parseMachine } from "#core/cost";
import type { Span } from "#core/diagnostics";
import { nearestDType, parseDType } from "#core/ir";
import type { Argument, Context, HostFunction, HostType, Value } from "#language/python";
import { writing } from "../fix.ts";
import type { Recorder } from "../recorder.ts";
import { provisional, type Size } from "../size.ts";
import type { StrategyCall, TracedTensor, WrittenAxes, WrittenMesh } from "../trace.ts";
import { assumedOf } from "./assumed.ts";
import { mindsporeLayoutOf } from "./layouts.ts";
import { layoutWord, writtenLayoutOf } from "./native-layout.ts";
import { reservedWords } from "./reserved.ts";
import { reshardWord } from "./reshard-word.ts";
import type { TensorWords } from "./tensors.ts";
import { axesOf, bindArguments, integerOf, integersOf, itemsOf, none, textOf } from "./values.ts";
import { asWhole, placedItems } from "./whole-numbers.ts";
import { rankLimit, shapeOf, sizeOf } from "./written-shape.ts";

/** The size of a mesh axis that is a name which the text does not define. */
const assumedPieces = 2;

/** The words of design.md §2 as Python functions. */
export function nativeWords(recorder: Recorder, tensors: TensorWords): ReadonlyMap<string, Value> {
  const words: readonly HostFunction[] = [
    define("Mesh", (args, context, span) => meshWord(recorder, args, context, span)),
    define("Tensor", (args, context, span) =>
      leafWord(recorder, tensors, "input", args, context, span),
    ),
    define("Parameter", (args, context, span) =>
      leafWord(recorder, tensors, "parameter", args, context, span),
    ),
    define("strategy", (args, context, span) =>
      strategyWord(recorder, tensors, args, context, span),
    ),
    define("place", (args, context, span) => placeWord(recorder, tensors, args, context, span)),
    define("reshard", (args, context, span) =>
      reshardWord(recorder, (argument) => targetOf(tensors, argument), args, context, span),
    ),
    define("shapes", (args, context) => shapesWord(recorder, args, context)),
    define("layout", layoutWord),
    ...reservedWords(recorder, tensors),
  ];
  return new Map(words.map((word) => [word.name, word]));
}

function define(name: string, call: HostFunction["call"]): HostFunction {
  return { kind: "host-function", name, call };
}

function meshWord(
  recorder: Recorder,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const settings = new Set(["devices", "hardware"]);
  const axes = args.flatMap((argument) => {
    if (argument.name === undefined) {
      return context.raise(
        "TypeError",
        "a mesh axis needs a name, e.g. Mesh(dp=2, mp=4)",
        argument.span,
      );
    }
    if (settings.has(argument.name)) return [];
    const isAssumed = assumedOf(argument.value) !== undefined;
    const size = isAssumed ? assumedPieces : integerOf(argument.value);
    if (size === undefined) {
      return context.raise(
        "TypeError",
        `the size of mesh axis "${argument.name}" must be an integer`,
        argument.span,
        { fixes: asWhole([argument], context.source) },
      );
    }
    if (size < 1) {
      return context.raise(
        "ValueError",
        `the size of mesh axis "${argument.name}" must be at least 1, not ${size}`,
        argument.span,
        { fixes: [writing(argument.span, "1")] },
      );
    }
    const nameSpan = argument.nameSpan ?? argument.span;
    return [
      {
        name: argument.name,
        size,
        span: { from: nameSpan.from, to: argument.span.to },
        sizeSpan: argument.span,
      },
    ];
  });
  const listed = args.find((argument) => argument.name === "devices");
  const devices = integersOf(listed?.value);
  const hardware = hardwareIn(
    args.find((argument) => argument.name === "hardware"),
    context,
  );
  const devicesSpan = listed && { devicesSpan: listed.span };
  recorder.trace.meshes.push({
    axes,
    devices,
    ...devicesSpan,
    ...(hardware !== undefined && { hardware }),
    span,
  });
  return { kind: "host", type: meshType, data: recorder.trace.meshes.length - 1 };
}

/** `hardware="8xH100"`; a preset that nobody knows is said, and the mesh stands. */
function hardwareIn(argument: Argument | undefined, context: Context): WrittenMesh["hardware"] {
  const text = textOf(argument?.value);
  if (argument === undefined || text === undefined) return undefined;
  const { span } = argument;
  const parsed = parseMachine(text);
  const meant = `"${nearestMachine(text)}"`;
  const fixes = [{ title: `Write ${meant}`, edits: [{ ...span, text: meant }] }];
  for (const fault of parsed.diagnostics) context.report({ ...fault, span, fixes });
  return parsed.ok ? { machine: parsed.value, span } : undefined;
}

const meshType: HostType = {
  name: "Mesh",
  attribute: (_self, name) => (name === "layout" ? define("layout", layoutWord) : undefined),
  text: () => "Mesh",
};

function leafWord(
  recorder: Recorder,
  tensors: TensorWords,
  role: "input" | "parameter",
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const shapeArgument = args.find(
    ({ value, name }) =>
      name === "shape" || itemsOf(value) !== undefined || sizeOf(value) !== undefined,
  );
  const shape = shapeArgument === undefined ? undefined : shapeIn(shapeArgument, context);
  const dtypeArgument = args.find(({ value, name }) => name === "dtype" || value.kind === "str");
  const dtypeText = textOf(dtypeArgument?.value) ?? "f32";
  const dtype = parseDType(dtypeText);
  if (dtype === undefined) {
    return context.raise(
      "TypeError",
      `"${dtypeText}" is no data type; try "f32" or "bf16"`,
      dtypeArgument?.span ?? span,
      dtypeArgument && { fixes: [writing(dtypeArgument.span, `"${nearestDType(dtypeText)}"`)] },
    );
  }
  const tree = shapeArgument?.tree;
  const isGiven = shape?.every((size) => typeof size === "number") === true;
  const shapeStatus = isGiven ? "set" : "assumed";
  const tensor = recorder.leaf(
    {
      role,
      shape,
      shapeStatus,
      ...(tree !== undefined && { shapeTree: tree }),
      dtype,
      dtypeText,
      span,
    },
    context,
  );
  return tensors.object(tensor);
}

/** A shape of integers and of names that the text does not define, which stand for open sizes. */
function shapeIn(argument: Argument, context: Context): readonly Size[] {
  const shape = shapeOf(argument.value);
  const rank = itemsOf(argument.value)?.length ?? 1;
  if (rank > rankLimit) {
    const message = `a tensor has at most ${rankLimit} dims here, not ${rank}`;
    return context.raise("ValueError", message, argument.span);
  }
  if (shape === undefined) {
    return context.raise(
      "TypeError",
      "a shape is a tuple of integers, e.g. (8, 4096)",
      argument.span,
      { fixes: asWhole(placedItems(argument.value, argument.tree), context.source) },
    );
  }
  const negative = shape.find((size) => typeof size === "number" && size < 0);
  if (negative !== undefined) {
    const message = `a shape has no negative size: ${String(negative)}`;
    return context.raise("ValueError", message, argument.span);
  }
  return shape;
}

function strategyWord(
  recorder: Recorder,
  tensors: TensorWords,
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
  tensors: TensorWords,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { bound } = bindArguments(["tensor", "layout"], args);
  const target = targetOf(tensors, bound.get("tensor"));
  const value = bound.get("layout")?.value;
  const layout = writtenLayoutOf(value) ?? mindsporeLayoutOf(value)?.called?.written;
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
  tensors: TensorWords,
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
