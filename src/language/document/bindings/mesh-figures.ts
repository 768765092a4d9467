import { fabrics, type MachineFigures } from "#core/cost";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Link } from "#core/mesh";
import type { Argument, Context, SpanTree, Value } from "#language/python";
import { chipWords } from "../figures-text.ts";
import type { WrittenMesh } from "../trace.ts";
import { numberOf, textOf } from "./values.ts";

/** Words of `Mesh(…)` that take figures by name; as whole numbers they are axes. */
export const figureWords: ReadonlySet<string> = new Set(["chip", "links"]);

/** The figures that a `Mesh(…)` gives; each wrong one is said, and the others stand. */
export function figuresIn(
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
