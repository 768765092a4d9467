import { formatBytes, formatCount, formatSeconds } from "#app/scene/text";
import type { Compiled } from "#compile";
import { evaluate, isTrue as isTruth, type World } from "./evaluate.ts";
import { type Comparison, type Expression, type Unit, unitOf } from "./expression.ts";
import type { Value } from "./facts.ts";
import { lineDifference } from "./same-lines.ts";
import { workDifference } from "./same-program.ts";

/** The present and the required value of a conjunct, in words. */
export function wordsOfConjunct(expression: Expression, world: World, value: Value): string {
  if (value.kind === "unknown") return value.why;
  const isTrue = value.kind === "truth" && value.value;
  switch (expression.kind) {
    case "compare":
      return comparedWords(expression, world, isTrue);
    case "not":
      return `not wanted: ${wordsOfConjunct(expression.of, world, evaluate(expression.of, world))}`;
    case "and":
    case "or": {
      const parts = expression.parts.map((part) => ({ part, value: evaluate(part, world) }));
      // For a true `or`, only its true operands are named.
      const told = isTrue ? parts.filter((each) => isTruth(each.value)) : parts;
      const joint = expression.kind === "or" ? ", or " : ", and ";
      const words = told.map((each) => wordsOfConjunct(each.part, world, each.value));
      return withoutRepeats(words).join(joint);
    }
    case "term":
      return truthWords(expression, world, isTrue);
    default:
      return "";
  }
}

/**
 * Removes the shared beginning from all parts but the first: `the mesh is 4, wanted 8, or wanted
 * 2`.
 */
function withoutRepeats([first = "", ...others]: readonly string[]): readonly string[] {
  const now = /^.+?, (?=wanted )/.exec(first)?.[0] ?? "";
  return [first, ...others.map((each) => (each.startsWith(now) ? each.slice(now.length) : each))];
}

const wanted: Readonly<Record<Comparison, string>> = {
  ...{ "=": "wanted", "≠": "wanted other than", "<": "wanted less than", "≤": "at most" },
  ...{ ">": "wanted more than", "≥": "at least" },
};

function comparedWords(
  { by, left, right }: Extract<Expression, { kind: "compare" }>,
  world: World,
  isTrue: boolean,
): string {
  // A true equality or inequality needs no required value.
  const isSaid = isTrue && (by === "=" || by === "≠");
  const [a, b] = [evaluate(left, world), evaluate(right, world)];
  if (a.kind === "unknown") return a.why;
  if (b.kind === "unknown") return b.why;
  if (a.kind === "number" && b.kind === "number") {
    const unit = unitOf(left) === "count" ? unitOf(right) : unitOf(left);
    const [short, other] = [figureText(a.value, unit), figureText(b.value, unit)];
    const isAlike = short === other && a.value !== b.value;
    const now = isAlike ? exactText(a.value, unit) : short;
    const bound = isAlike ? exactText(b.value, unit) : other;
    return `${subject(left)} ${now}${isSaid ? "" : `, ${wanted[by]} ${bound}`}`;
  }
  const text = (left.kind === "term" && textsOf[left.name]) || axesText;
  const [own, other] = [a, b].map(({ value }) => text(value));
  if (!isTrue && own === other) {
    const as = by === "=" ? "wanted so on axes of other lengths" : "which it should not";
    return `${subject(left)} ${own}, ${as}`;
  }
  return `${subject(left)} ${own}${isSaid ? "" : `, ${wanted[by]} ${other}`}`;
}

function axesText(value: string | number | boolean): string {
  return typeof value === "string" ? (value === "_" ? "nothing" : `[${value}]`) : String(value);
}

/** Layout in words: `whole`, `cut in dim 2 by a and b`, followed by the axes of partial sums. */
function layoutText(value: string | number | boolean): string {
  const [dims = "", sum] = String(value).split("|");
  const cut = dims.split(",").flatMap((axes, at) => {
    const isWhole = axes === "_" || axes === "";
    return isWhole ? [] : [`in dim ${at + 1} by ${axes.replaceAll("*", " and ")}`];
  });
  const lies = cut.length === 0 ? "whole" : `cut ${cut.join(" and ")}`;
  return sum === undefined ? lies : `${lies}, in parts of a sum over ${sum}`;
}

/** Mesh sizes as text: `2 × 4`, or `1` for a mesh without axes. */
function meshText(value: string | number | boolean): string {
  return String(value).replaceAll(",", " × ") || "1";
}

const textsOf: Readonly<Record<string, typeof meshText>> = {
  ...{ mesh: meshText, layout: layoutText, rest: layoutText },
};

/** Subject and verb before a figure. */
function subject(expression: Expression): string {
  if (expression.kind !== "term") return "it is";
  const [first = "", second = ""] = expression.args.map(({ text }) => text);
  switch (expression.name) {
    case "bytes":
      return "sends";
    case "time":
      return "takes";
    case "compute":
      return "computes for";
    case "memory":
      return "the peak of memory is";
    case "optimizer":
      return "the optimizer holds";
    case "devices":
      return "devices:";
    case "mesh":
      return "the mesh is";
    case "room":
      return "a device has";
    case "count":
      return `${first === "" ? "sending" : first} steps${second === "" ? "" : ` in the ${second} pass`}:`;
    case "size":
      return `${first} has`;
    case "local":
      return `of ${first} a device holds`;
    case "layout":
      return `${first} lies`;
    case "rest":
      return `${first} rests`;
    case "strategy":
      return expression.field === undefined
        ? `${first} is cut by`
        : `${expression.field} of ${first} is cut by`;
    case "hold":
      return `of ${second} device ${first} holds`;
    default:
      return "it is";
  }
}

/**
 * Sentences for `same`, by its argument: one if it holds, one with the difference if it does not.
 */
const sameWords: Readonly<
  Record<string, readonly [yes: string, no: (now: Compiled, start: Compiled) => string]>
> = {
  program: [
    "the operators and shapes are those of the start",
    (now, start) => `this is not the program of the start: ${workDifference(now, start)}`,
  ],
  lines: [
    "only lines of the plan have changed",
    (now, start) => `only lines of the plan may change: ${lineDifference(now, start)}`,
  ],
  machine: ["the machine is that of the start", () => "the machine is not that of the start"],
  steps: [
    "what is sent is that of the start",
    () => "another plan than that of the start is on the board: it sends otherwise",
  ],
};

function sameText(whole: string, isTrue: boolean, { now, of }: World): string {
  const [yes, no] = sameWords[whole] ?? ["", () => ""];
  const start = of("start");
  return isTrue || start === undefined ? yes : no(now.compiled, start.compiled);
}

function truthWords(
  { name, args }: Extract<Expression, { kind: "term" }>,
  world: World,
  isTrue: boolean,
): string {
  const { now } = world;
  switch (name) {
    case "ok": {
      const fault = now.compiled.diagnostics.find(({ severity }) => severity === "error");
      // The message is embedded in a longer sentence, so its full stop is removed.
      return fault === undefined
        ? "the text has no errors"
        : `an error stands: ${fault.message.replace(/\.$/u, "")}`;
    }
    case "same":
      return sameText(args[0]?.text ?? "program", isTrue, world);
    case "equal":
      return isTrue
        ? "the last run gave the values of the unsharded program"
        : "the last run gave other values than the unsharded program";
    case "proven":
      return isTrue ? "no plan is faster" : "it is not proven that no plan is faster";
    default: {
      const [step, hop] = args.map(({ text }) => text);
      const place = hop === undefined ? `at step ${step}` : `behind hop ${hop} of step ${step}`;
      // If the place is not reached, the words do not name it: finding it is the student's task.
      return isTrue ? `it stands ${place}` : `${shownPlace(now)}, another place is wanted`;
    }
  }
}

function shownPlace({ view }: World["now"]): string {
  if (view === undefined) return "no step is shown";
  return view.hop === 0
    ? `it stands at the beginning of step ${view.step}`
    : `it stands behind hop ${view.hop} of step ${view.step}`;
}

/** Number with its unit, to three digits: `25.2 MB`, `767 µs`, `4`. */
export function figureText(value: number, unit: Unit): string {
  switch (unit) {
    case "bytes":
      return formatBytes(value);
    case "seconds":
      return formatSeconds(value);
    case "count":
      return formatCount(value);
  }
}

/** Number with all digits, in groups of three: `3 145 728 B`; seconds as in `figureText`. */
export function exactText(value: number, unit: Unit): string {
  if (unit === "seconds") return formatSeconds(value);
  const digits = String(Number(value.toPrecision(15))).replace(
    /\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/gu,
    "\u00a0",
  );
  return unit === "bytes" ? `${digits}\u00a0B` : digits;
}
