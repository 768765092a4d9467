import {
  type ChipFigures,
  type FigureFault,
  figureWords,
  nearestMachine,
  ownHardwarePlatform,
  parseMachine,
  platformOf,
  readChipFigures,
  readHardware,
  readLinkFigures,
  unlinkedAxes,
} from "#core/cost/machines";
import type { Span } from "#core/diagnostics";
import type { Argument, Context, SpanTree, Value } from "#language/python";
import { writing } from "../fix.ts";
import type { WrittenMesh } from "../trace/written-layouts.ts";
import { assumedOf } from "./assumed.ts";
import { numberOf, textOf } from "./values/values.ts";

/** Arguments of `Mesh(…)` that take figures; when an integer is passed the name is a mesh axis. */
export const figureNames: ReadonlySet<string> = new Set(["chip", "links"]);

/**
 * The `hardware` argument of a mesh: a preset such as "8xH100", or a dict of device figures. Faults
 * are reported and the mesh is kept.
 */
export function hardwareIn(
  argument: Argument | undefined,
  axes: WrittenMesh["axes"],
  context: Context,
): WrittenMesh["hardware"] {
  if (argument === undefined || argument.value.kind === "none") return undefined;
  const { value, span } = argument;
  const text = textOf(value);
  if (text !== undefined) return presetIn(text, span, context);
  if (value.kind === "dict") return deviceIn(argument, axes, context);
  if (assumedOf(value) !== undefined) return undefined;
  const message =
    'hardware is the name of a machine, like "8xH100", or figures of a device: {"chip": "H100", "flops": 800e12}';
  context.report({ code: "document/machine-figure", severity: "error", message, span });
  return undefined;
}

function presetIn(text: string, span: Span, context: Context): WrittenMesh["hardware"] {
  const parsed = parseMachine(text);
  const meant = `"${nearestMachine(text)}"`;
  const fixes = [{ title: `Write ${meant}`, edits: [{ ...span, text: meant }] }];
  for (const fault of parsed.diagnostics) context.report({ ...fault, span, fixes });
  return parsed.ok
    ? { machine: parsed.value, platform: platformOf(parsed.value), span }
    : undefined;
}

/** A custom device. Missing figures are reported as errors; the others are used. */
function deviceIn(
  argument: Argument,
  axes: WrittenMesh["axes"],
  context: Context,
): WrittenMesh["hardware"] {
  const { span } = argument;
  const given = objectOf(argument.value);
  const { own, faults, missing } = readHardware(given);
  for (const fault of faults) report(fault, argument, context);
  sayUnlikely(own.figures.chip, argument, context);
  if (Object.hasOwn(given, "chip") && own.from.machine === undefined) return undefined;
  checkAxes(Object.keys(own.figures.links), ["links"], argument, axes, context);
  const apart = missing.includes("within") ? [] : unlinkedAxes(own, axes);
  const lacks = [...missing, ...apart.map((name) => `links.${name}`)];
  if (lacks.length > 0) {
    const words = lacks.map((word) => `"${word}"`).join(", ");
    const message = `hardware lacks ${words}: give them, or begin from a machine with "chip": "H100"`;
    context.report({ code: "document/machine-figure", severity: "error", message, span });
    return undefined;
  }
  const machine = own.from.machine === undefined ? undefined : parseMachine(own.from.machine);
  return {
    ...(machine?.ok && { machine: machine.value }),
    platform: ownHardwarePlatform(own),
    own,
    axisSpans: spansOf(Object.keys(own.figures.links), ["links"], argument),
    span,
  };
}

/** Positions of mesh axes written as dict keys. */
function spansOf(axes: readonly string[], path: readonly string[], argument: Argument | undefined) {
  return axes.map((axis) => ({ axis, span: placeOf([...path, axis], true, argument) }));
}

/**
 * Figures that `Mesh(…)` gives for chip and links. Wrong ones are reported; the others are used.
 */
export function figuresIn(
  args: readonly Argument[],
  axes: WrittenMesh["axes"],
  context: Context,
): WrittenMesh["figures"] {
  const [chipArgument, linksArgument] = ["chip", "links"].map((word) =>
    args.find(({ name, value }) => name === word && value.kind === "dict"),
  );
  const chip =
    chipArgument === undefined
      ? {}
      : readChipFigures(
          objectOf(chipArgument.value),
          (fault) => report(fault, chipArgument, context),
          { name: "chip" },
        );
  if (chipArgument !== undefined) sayUnlikely(chip, chipArgument, context);
  const written = linksArgument === undefined ? {} : objectOf(linksArgument.value);
  const names = axes.map(({ name }) => name);
  const links = Object.entries(written).flatMap(([axis, link]) => {
    if (linksArgument === undefined || !names.includes(axis)) return [];
    const say = (fault: FigureFault) => report(fault, linksArgument, context);
    return [[axis, readLinkFigures(link, [axis], say)] as const];
  });
  if (linksArgument !== undefined)
    checkAxes(Object.keys(written), [], linksArgument, axes, context);
  if (Object.keys(chip).length + links.length === 0) return undefined;
  const axisSpans = spansOf(Object.keys(written), [], linksArgument);
  return { chip, links: Object.fromEntries(links), axisSpans };
}

/** Plausible range of each device figure, in SI units. */
const likely = {
  flops: [1e9, 1e18],
  memory: [1e6, 1e14],
  memory_bandwidth: [1e7, 1e15],
  launch: [0, 1e-2],
} as const;

/** Reports figures that are implausible in SI units, such as 989 FLOP/s or a launch of 9 s. */
function sayUnlikely(chip: ChipFigures, argument: Argument, context: Context): void {
  for (const [word, [least, most]] of Object.entries(likely)) {
    const key = figureWords[word]?.key;
    const value = key && chip[key];
    if (value === undefined || (value >= least && value <= most)) continue;
    const power = [3, 6, 9, 12].find((each) => value * 10 ** each >= 1000 * least);
    const small = power === undefined ? undefined : `${value}e${power}`;
    const meant = value < least ? small : `${value}e-6`;
    const span = placeOf([word], false, argument);
    context.report({
      code: "document/unlikely-figure",
      severity: "warning",
      message: `"${word}" is ${value}, which no device has: figures are numbers in SI units`,
      span,
      ...(span !== argument.span && meant !== undefined && { fixes: [writing(span, meant)] }),
    });
  }
}

/** Refuses link figures for axes that the mesh does not have. */
function checkAxes(
  named: readonly string[],
  path: readonly string[],
  argument: Argument,
  axes: WrittenMesh["axes"],
  context: Context,
): void {
  for (const axis of named) {
    if (axes.some(({ name }) => name === axis)) continue;
    const message = `links names "${axis}", but the mesh has no such axis`;
    report({ path: [...path, axis], isOfKey: true, message }, argument, context);
  }
}

/** A dict as plain data: numbers, strings and nested dicts; any other value becomes null. */
function objectOf(value: Value): Readonly<Record<string, unknown>> {
  if (value.kind !== "dict") return {};
  return Object.fromEntries(
    [...value.entries.values()].map((entry) => [textOf(entry.key) ?? "", dataOf(entry.value)]),
  );
}

function dataOf(value: Value): unknown {
  if (value.kind === "dict") return objectOf(value);
  return numberOf(value) ?? textOf(value) ?? null;
}

function report(
  { path, isOfKey, message, meant }: FigureFault,
  argument: Argument,
  context: Context,
) {
  const span = placeOf(path, isOfKey, argument);
  const isWritten = span !== argument.span;
  const isBare = /\w/u.test(context.source[span.from] ?? "");
  const text = isOfKey && !isBare ? `"${meant}"` : `${meant}`;
  const fixes = [{ title: `Write ${text}`, edits: [{ ...span, text }] }];
  context.report({
    code: "document/machine-figure",
    severity: "error",
    message,
    span,
    ...(meant !== undefined && isWritten && { fixes }),
  });
}

/** Span of a key or of its value; that of the whole argument when the dict is not a literal. */
function placeOf(path: readonly string[], isOfKey: boolean, argument: Argument | undefined): Span {
  const around = argument?.span ?? { from: 0, to: 0 };
  let tree: SpanTree | undefined = argument?.tree;
  for (const key of path) tree = tree?.items.find((item) => item.key === key);
  if (tree === undefined) return around;
  return isOfKey ? (tree.keySpan ?? tree.span) : tree.span;
}
