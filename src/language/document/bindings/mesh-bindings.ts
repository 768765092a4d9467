import { fabrics, type MachineFigures, nearestMachine, parseMachine } from "#core/cost";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Link } from "#core/mesh";
import type { Argument, Context, HostType, SpanTree, Value } from "#language/python";
import { chipWords } from "../figures-text.ts";
import { writing } from "../fix.ts";
import type { Recorder } from "../recorder.ts";
import type { WrittenAxes, WrittenLayout, WrittenMesh } from "../written-layouts.ts";
import { asWhole } from "./argument-checks.ts";
import { assumedOf } from "./assumed.ts";
import { axesOf, hostFunction, integerOf, integersOf, numberOf, textOf } from "./values.ts";

/** The size of a mesh axis that is a name which the text does not define. */
const assumedPieces = 2;

/** `Mesh(dp=2, mp=4, devices=[…], hardware="…", chip={…}, links={…})`. */
export function meshWord(
  recorder: Recorder,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const isSetting = ({ name = "", value }: Argument) =>
    name === "devices" || name === "hardware" || (figureWords.has(name) && value.kind === "dict");
  const axes = args.flatMap((argument) => {
    if (argument.name === undefined) {
      return context.raise(
        "TypeError",
        "a mesh axis needs a name, e.g. Mesh(dp=2, mp=4)",
        argument.span,
      );
    }
    if (isSetting(argument)) return [];
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
  const figures = figuresIn(args.filter(isSetting), axes, context);
  const devicesSpan = listed && { devicesSpan: listed.span };
  recorder.trace.meshes.push({
    axes,
    devices,
    ...devicesSpan,
    ...(hardware !== undefined && { hardware }),
    ...(figures !== undefined && { figures }),
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
  attribute: (_self, name) => (name === "layout" ? hostFunction("layout", layoutWord) : undefined),
  text: () => "Mesh",
};

/** Words of `Mesh(…)` that take figures by name; as whole numbers they are axes. */
const figureWords: ReadonlySet<string> = new Set(["chip", "links"]);

/** The figures that a `Mesh(…)` gives; each wrong one is said, and the others stand. */
function figuresIn(
  args: readonly Argument[],
  axes: WrittenMesh["axes"],
  context: Context,
): WrittenMesh["figures"] {
  const entriesOf = (word: string) => {
    const argument = args.find(({ name }) => name === word);
    return argument === undefined ? [] : entriesIn(argument.value, argument.tree, argument.span);
  };
  const chip = Object.fromEntries(entriesOf("chip").flatMap((entry) => chipFigure(entry, context)));
  const written = entriesOf("links");
  const links = written.flatMap((entry) => linkOf(entry, axes, context));
  if (Object.keys(chip).length + links.length === 0) return undefined;
  const axisSpans = written.map(({ key, keySpan }) => ({ axis: key, span: keySpan }));
  return { chip, links: Object.fromEntries(links), axisSpans };
}

interface Entry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Value;
  readonly span: Span;
  readonly tree: SpanTree | undefined;
}

/** The entries of a dict, with the places of what is written out. */
function entriesIn(value: Value, tree: SpanTree | undefined, around: Span): readonly Entry[] {
  if (value.kind !== "dict") return [];
  return [...value.entries.values()].map((entry, at): Entry => {
    const own = tree?.items[at];
    const span = own?.span ?? around;
    return {
      key: textOf(entry.key) ?? "",
      keySpan: own?.keySpan ?? span,
      value: entry.value,
      span,
      tree: own,
    };
  });
}

type ChipWord = keyof typeof chipWords;

function chipFigure(
  { key, keySpan, value, span }: Entry,
  context: Context,
): readonly (readonly [keyof MachineFigures["chip"], number])[] {
  const word = (Object.keys(chipWords) as ChipWord[]).find((each) => each === key);
  if (word === undefined) {
    return wrong(context, keySpan, `chip takes flops, memory and memory_bandwidth, not "${key}"`);
  }
  const figure = numberOf(value);
  return isPositive(figure)
    ? [[chipWords[word], figure]]
    : wrong(context, span, `"${key}" of a device is a number above 0`);
}

function linkOf(
  { key, keySpan, value, span, tree }: Entry,
  axes: WrittenMesh["axes"],
  context: Context,
): readonly (readonly [string, Partial<Link>])[] {
  if (!axes.some(({ name }) => name === key)) {
    return wrong(context, keySpan, `links names "${key}", but the mesh has no such axis`);
  }
  if (value.kind !== "dict") {
    const example = `{"bandwidth": 50e9, "latency": 10e-6, "fabric": "ring"}`;
    return wrong(context, span, `the link of "${key}" is given as ${example}`);
  }
  const figures = entriesIn(value, tree, span).flatMap((entry) => linkFigure(entry, context));
  return [[key, Object.fromEntries(figures)]];
}

function linkFigure(
  { key, keySpan, value, span }: Entry,
  context: Context,
): readonly (readonly [keyof Link, number | string])[] {
  const figure = numberOf(value);
  switch (key) {
    case "bandwidth":
      if (isPositive(figure)) return [[key, figure]];
      return wrong(context, span, "the bandwidth of a link is a number above 0");
    case "latency":
      if (figure === 0 || isPositive(figure)) return [[key, figure]];
      return wrong(context, span, "the latency of a link is a number of seconds, 0 or more");
    case "fabric": {
      const fabric = fabrics.find((each) => each === textOf(value));
      if (fabric !== undefined) return [[key, fabric]];
      return wrong(context, span, 'the fabric of a link is "switch", "ring" or "line"');
    }
    default:
      return wrong(context, keySpan, `a link takes bandwidth, latency and fabric, not "${key}"`);
  }
}

function isPositive(figure: number | undefined): figure is number {
  return figure !== undefined && Number.isFinite(figure) && figure > 0;
}

function wrong(context: Context, span: Span, message: string): readonly never[] {
  const fault: Diagnostic = { code: "document/machine-figure", severity: "error", message, span };
  context.report(fault);
  return [];
}

/** Layouts of the document's mesh as Python values; the written form stays at hand. */
const layoutType: HostType = { name: "Layout", text: () => "layout" };

/** A layout of the document's mesh behind a Python value, if it is one. */
export function writtenLayoutOf(value: Value | undefined): WrittenLayout | undefined {
  if (value?.kind !== "host" || value.type !== layoutType) return undefined;
  return value.data as WrittenLayout;
}

/** `layout("dp", "None")`. */
export function layoutWord(args: readonly Argument[], context: Context, span: Span): Value {
  const dims = args.map((argument): WrittenAxes => {
    const axes = axesOf(argument.value, argument.tree, argument.span);
    if (axes !== undefined) return axes;
    return context.raise(
      "ValueError",
      'a dim of a layout is an axis name, a tuple of axis names, or "None"',
      argument.span,
    );
  });
  const written: WrittenLayout = { dims, span };
  return { kind: "host", type: layoutType, data: written };
}
