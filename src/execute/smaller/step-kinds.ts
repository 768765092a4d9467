import { type Operator, operatorsById } from "#core/ir";
import { type Layout, printLayout } from "#core/mesh";
import {
  type FlatStep,
  flatSteps,
  type SpmdProgram,
  type ValueId,
  valuesById,
} from "#core/program";

/** A kind of step: its operation, on values with given layouts. */
interface StepKind {
  readonly key: string;
  /** The first step of the kind, among all steps. */
  readonly step: number;
}

/** The number of kinds of step in a program, and of those that a smaller one has as well. */
export interface StepKindCoverage {
  readonly kinds: number;
  readonly run: number;
  /** The first step of each kind that the smaller program lacks. */
  readonly missing: readonly number[];
}

/**
 * The kinds of a program's steps: an operator or collective of one phase, with its cuts and its
 * operands' layouts. Sizes and names do not count.
 */
function stepKinds(program: SpmdProgram): readonly StepKind[] {
  const kinds = new Map<string, number>();
  for (const [at, key] of stepKeys(program).entries()) if (!kinds.has(key)) kinds.set(key, at);
  return [...kinds].map(([key, step]) => ({ key, step }));
}

/** Kinds of a program's steps that another program has too. */
export function stepKindCoverage(program: SpmdProgram, smaller: SpmdProgram): StepKindCoverage {
  const all = stepKinds(program);
  const there = new Set(stepKeys(smaller));
  const missing = all.filter(({ key }) => !there.has(key)).map(({ step }) => step);
  return { kinds: all.length, run: all.length - missing.length, missing };
}

/** The kind of every step, as a text. */
export function stepKeys(program: SpmdProgram): readonly string[] {
  const values = valuesById(program);
  const operators = operatorsById(program.graph);
  const texts = new Map<Layout, string>();
  const layoutOf = (id: ValueId) => {
    const value = values.get(id);
    if (value === undefined) return "?";
    const text = texts.get(value.layout) ?? printLayout(value.layout);
    texts.set(value.layout, text);
    return value.held === undefined ? text : `${text} in windows`;
  };
  const written = new WeakMap<Operator, string>();
  return flatSteps(program).map((step) => {
    if (step.kind === "collective") return collectiveKey(step, layoutOf);
    const operator = operators.get(step.operator);
    if (operator === undefined) return step.operator;
    const known = written.get(operator) ?? operatorKey(operator);
    written.set(operator, known);
    const axes = new Set(operator.axes.map(({ name }) => name));
    const cuts = Object.entries(step.strategy.cuts)
      .filter(([axis, parts]) => parts.length > 0 && axes.has(axis))
      .map(([axis, parts]) => `${axis}=${JSON.stringify(parts)}`);
    const lying = [...step.inputs.map(layoutOf), ">", ...step.outputs.map(layoutOf)];
    return [step.phase, known, ...cuts.sort(), ...lying, step.unverified?.rule ?? ""].join(" ");
  });
}

function collectiveKey(
  step: Extract<FlatStep, { kind: "collective" }>,
  layoutOf: (id: ValueId) => string,
): string {
  const { phase, collective, axes, input, output, pairs } = step;
  const way = pairs === undefined ? "" : "by pairs";
  return [phase, collective, axes.join(), layoutOf(input), layoutOf(output), way].join(" ");
}

/** The text of an operator's computation, without its sizes. */
function operatorKey({ op, entry, inputs, outputs, axes }: Operator): string {
  const names = new Set(axes.map(({ name }) => name));
  const shape = ({ dims }: Operator["inputs"][number]) =>
    dims.map(({ identifiers }) =>
      identifiers.map((name) => (names.has(name) ? name : "n")).join("·"),
    );
  const operands = [...inputs.map(shape), ["->"], ...outputs.map(shape)];
  return `${entry ?? op}(${operands.map((dims) => dims.join(" ")).join(", ")})`;
}
