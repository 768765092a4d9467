import { formatBytes, formatCount, formatSeconds } from "#app/scene/text";
import { evaluate, type World } from "./evaluate.ts";
import { type Comparison, type Expression, type Unit, unitOf } from "./expression.ts";
import type { Value } from "./facts.ts";

/** What holds now of a part of a condition, and what is wanted of it. */
export function wordsOfConjunct(expression: Expression, world: World, value: Value): string {
  if (value.kind === "unknown") return value.why;
  switch (expression.kind) {
    case "compare":
      return comparedWords(expression, world);
    case "not":
      return `not wanted: ${wordsOfConjunct(expression.of, world, evaluate(expression.of, world))}`;
    case "and":
    case "or": {
      const joint = expression.kind === "or" ? ", or " : ", and ";
      return expression.parts
        .map((part) => wordsOfConjunct(part, world, evaluate(part, world)))
        .join(joint);
    }
    case "term":
      return truthWords(expression, world, value.kind === "truth" && value.value);
    default:
      return "";
  }
}

const wanted: Readonly<Record<Comparison, string>> = {
  ...{ "=": "wanted", "≠": "but not", "<": "wanted less than", "≤": "at most" },
  ...{ ">": "wanted more than", "≥": "at least" },
};

function comparedWords(
  { by, left, right }: Extract<Expression, { kind: "compare" }>,
  world: World,
): string {
  const [a, b] = [evaluate(left, world), evaluate(right, world)];
  if (a.kind === "unknown") return a.why;
  if (b.kind === "unknown") return b.why;
  if (a.kind === "number" && b.kind === "number") {
    const unit = unitOf(left) === "count" ? unitOf(right) : unitOf(left);
    const [short, other] = [figureText(a.value, unit), figureText(b.value, unit)];
    const isAlike = short === other && a.value !== b.value;
    const now = isAlike ? exactText(a.value, unit) : short;
    const bound = isAlike ? exactText(b.value, unit) : other;
    return `${subject(left)} ${now}, ${wanted[by]} ${bound}`;
  }
  return `${subject(left)} ${layoutText(a.value)}, ${wanted[by]} ${layoutText(b.value)}`;
}

function layoutText(value: string | number | boolean): string {
  return typeof value === "string" ? (value === "_" ? "nothing" : `[${value}]`) : String(value);
}

/** What is said before a figure. */
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
      return `${first} lies as`;
    case "rest":
      return `${first} rests as`;
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

const sameWords: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  program: [
    "the operators and shapes are those of the start",
    "the operators or shapes are not those of the start",
  ],
  lines: [
    "only lines of the plan have changed",
    "a line has changed that says nothing of how it is split",
  ],
  machine: ["the machine is that of the start", "the machine is not that of the start"],
};

function truthWords(
  { name, args }: Extract<Expression, { kind: "term" }>,
  { now }: World,
  isTrue: boolean,
): string {
  switch (name) {
    case "ok": {
      const fault = now.compiled.diagnostics.find(({ severity }) => severity === "error");
      return fault === undefined ? "the text has no errors" : `an error stands: ${fault.message}`;
    }
    case "same":
      return sameWords[args[0]?.text ?? "program"]?.[isTrue ? 0 : 1] ?? "";
    case "equal":
      return isTrue
        ? "the last run gave the values of the unsharded program"
        : "the last run gave other values than the unsharded program";
    case "proven":
      return isTrue ? "no plan is faster" : "it is not proven that no plan is faster";
    default: {
      const [step, hop] = args.map(({ text }) => text);
      const place = hop === undefined ? `step ${step}` : `hop ${hop} of step ${step}`;
      // Where the goal is, its reader shall find out.
      return isTrue ? `${place} is shown` : `${shownPlace(now)} is shown, another is wanted`;
    }
  }
}

function shownPlace({ view }: World["now"]): string {
  if (view === undefined) return "no step";
  return view.hop === 0
    ? `the beginning of step ${view.step}`
    : `hop ${view.hop} of step ${view.step}`;
}

/** A number with its unit, to three digits: `25.2 MB`, `767 µs`, `4`. */
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

/** All digits of a number, in threes: `3 145 728 B`. */
export function exactText(value: number, unit: Unit): string {
  if (unit === "seconds") return formatSeconds(value);
  const digits = String(Number(value.toPrecision(15))).replace(
    /\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/gu,
    "\u00a0",
  );
  return unit === "bytes" ? `${digits}\u00a0B` : digits;
}
