import { rowsOf } from "#app/scene";
import type { Compiled, TensorView } from "#compile";
import { product } from "#core/arithmetic";
import { hasErrors } from "#core/diagnostics";
import { bytesOf, type Tensor, unknownTensor } from "#core/ir";
import { deviceCount, localElements, printLayout, printPart } from "#core/mesh";
import { flatSteps } from "#core/program";
import type { Term } from "./expression.ts";
import type { Lying } from "./same-layout.ts";
import { sameLines, sameMachine } from "./same-lines.ts";
import { sameWork } from "./same-program.ts";

/**
 * Facts of one text: its compiled plan and, for the text on the board, the view and the last run.
 */
export interface Facts {
  readonly compiled: Compiled;
  /** Redistribution shown, counted from 1, and the number of hops done in it. */
  readonly view?: { readonly step: number; readonly hop: number };
  /** Whether the last run of exactly this text matched the unsharded program. */
  readonly isEqual?: boolean;
  /** Whether the planner has proven that no plan is faster. */
  readonly isProven?: boolean;
}

/** Value of a term or an expression; `unknown` carries the reason. */
export type Value =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string; readonly lies?: Lying }
  | { readonly kind: "truth"; readonly value: boolean }
  | { readonly kind: "unknown"; readonly why: string };

/**
 * Value of a term in a plan. Never throws: a missing tensor, operator or figure gives `unknown`.
 *
 * @param start the plan whose operators and shapes `same` compares with
 */
export function termValue(term: Term, facts: Facts, start: Facts | undefined): Value {
  const { compiled } = facts;
  const [first = "", second = ""] = term.args.map(({ text }) => text);
  switch (term.name) {
    case "ok":
      return truth(!hasErrors(compiled.diagnostics));
    case "same":
      if (start === undefined) return unknown("there is no text to compare with");
      return truth(sameAs[first]?.(compiled, start.compiled) ?? sameWork(compiled, start.compiled));
    case "count":
      return number(countOf(compiled, first, second));
    case "bytes":
      return figure(compiled, compiled.cost.bytes);
    case "time":
      return figure(compiled, compiled.cost.seconds);
    case "compute":
      return figure(compiled, compiled.cost.computeSeconds);
    case "memory":
      return figure(compiled, compiled.memory.peakBytes);
    case "optimizer":
      return figure(compiled, compiled.memory.optimizerBytes);
    case "devices":
      return number(deviceCount(compiled.mesh.mesh));
    case "mesh":
      return text(lengthsOf(compiled));
    case "room":
      return number(compiled.hardware.memoryBytes);
    case "size":
      return ofTensor(compiled, first, ({ shape, dtype }) =>
        number(product(shape) * bytesOf(dtype)),
      );
    case "local":
      return ofTensor(compiled, first, ({ shape, dtype }, { layout }) =>
        number(localElements(layout, shape) * bytesOf(dtype)),
      );
    case "layout":
      return ofTensor(compiled, first, ({ shape }, { placed, layout }) =>
        lying({ layout: placed ?? layout, shape }),
      );
    case "rest":
      return ofTensor(compiled, first, ({ shape }, { atRest, placed, layout }) =>
        lying({ layout: atRest ?? placed ?? layout, shape }),
      );
    case "strategy":
      return strategyOf(compiled, first, term.field);
    case "hold":
      return ofTensor(compiled, second, (tensor, view) => holdOf(tensor, view, Number(first)));
    case "at":
      return atView(facts, Number(first), second === "" ? undefined : Number(second));
    case "equal":
      return facts.isEqual === undefined
        ? unknown("it has not run as it is written")
        : truth(facts.isEqual);
    case "proven":
      if (facts.isProven === undefined) return unknown("nothing is planned yet");
      return truth(facts.isProven);
  }
}

/** Comparisons of `same` by its argument; without one it compares the work. */
const sameAs: Readonly<Record<string, (a: Compiled, b: Compiled) => boolean>> = {
  program: sameWork,
  lines: sameLines,
  machine: sameMachine,
  steps: (a, b) => stepsOf(a) === stepsOf(b),
};

/** Sequence of collectives as text, each with its phase, its kind and the sizes of its groups. */
function stepsOf({ program }: Compiled): string {
  const words = flatSteps(program).flatMap((step) =>
    step.kind === "collective" && step.collective !== "slice"
      ? [`${step.phase} ${step.collective} ${step.groups.map(({ length }) => length)}`]
      : [],
  );
  return words.join(";");
}

function number(value: number): Value {
  return Number.isFinite(value) ? { kind: "number", value } : unknown("it is no finite number");
}

function text(value: string): Value {
  return { kind: "text", value };
}

/** Text value of a layout, kept together with the layout itself. */
function lying(lies: Lying): Value {
  return { kind: "text", value: printLayout(lies.layout), lies };
}

function truth(value: boolean): Value {
  return { kind: "truth", value };
}

function unknown(why: string): Value {
  return { kind: "unknown", why };
}

/** Figure of the whole program; `unknown` if any tensor's shape is. */
function figure({ graph }: Compiled, value: number): Value {
  const missing = unknownTensor(graph);
  return missing === undefined ? number(value) : unknown(`the shape of ${missing.name} is unknown`);
}

/** Sizes of the mesh axes, without axes of size 1, which cut nothing. */
function lengthsOf({ mesh }: Compiled): string {
  const lengths = mesh.mesh.axes.map(({ size }) => size).filter((size) => size > 1);
  return lengths.length === 0 ? "1" : lengths.join(",");
}

function countOf({ program }: Compiled, kind: string, phase: string): number {
  return flatSteps(program).filter(
    (step) =>
      step.kind === "collective" &&
      (kind === "" ? step.collective !== "slice" : step.collective === kind) &&
      (phase === "" || step.phase === phase),
  ).length;
}

function ofTensor(
  { program, tensors }: Compiled,
  name: string,
  value: (tensor: Tensor, view: TensorView) => Value,
): Value {
  const tensor = program.graph.tensors.find((each) => each.name === name);
  const view = tensor && tensors.find((each) => each.tensor === tensor.id);
  if (tensor === undefined || view === undefined) return unknown(`there is no tensor ${name}`);
  if (tensor.isUnknown) return unknown(`the shape of ${name} is unknown`);
  return value(tensor, view);
}

/**
 * Mesh axes that cut an identifier: `a*b`, or `_` for none. Without `field`, all cuts: `m=d,k=a*b`.
 */
function strategyOf(compiled: Compiled, name: string, field: string | undefined): Value {
  const operator = compiled.graph.operators.find((each) => each.name === name);
  const plan = operator && compiled.plan.operators.get(operator.id);
  if (operator === undefined || plan === undefined) return unknown(`there is no operator ${name}`);
  const axes = new Set(operator.axes.map((axis) => axis.name));
  if (field !== undefined && !axes.has(field)) return unknown(`${name} has no ${field}`);
  const { cuts } = plan.strategy;
  const partsOf = (identifier: string) =>
    Object.hasOwn(cuts, identifier) ? (cuts[identifier] ?? []) : [];
  const words = (identifier: string) =>
    partsOf(identifier)
      .map((part) => printPart(plan.mesh, part))
      .join("*") || "_";
  if (field !== undefined) {
    const dim = { parts: partsOf(field), chunks: "flat" } as const;
    const layout = { mesh: plan.mesh, dims: [dim], partials: [] };
    const shape = operator.axes.flatMap(({ name: own, size }) => (own === field ? [size] : []));
    return { kind: "text", value: words(field), lies: { layout, shape } };
  }
  const cut = [...axes].filter((axis) => words(axis) !== "_");
  return text(cut.map((axis) => `${axis}=${words(axis)}`).join(",") || "_");
}

/** Index ranges that a device holds, one per dim: `0:4,0:8`; several boxes are joined by `;`. */
function holdOf(tensor: Tensor, view: TensorView, device: number): Value {
  const rows = rowsOf(view, tensor).filter((row) => row.device === device);
  if (rows.length === 0) return unknown(`there is no device ${device}`);
  return text(
    rows
      .map(({ ranges }) => ranges.map(({ start, stop }) => `${start}:${stop}`).join(","))
      .join(";"),
  );
}

function atView({ view }: Facts, step: number, hop: number | undefined): Value {
  if (view === undefined) return unknown("no step is on screen");
  return truth(view.step === step && (hop === undefined || view.hop === hop));
}
