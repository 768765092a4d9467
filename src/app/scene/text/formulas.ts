import type { Compiled } from "#compile";
import { type Formula, formulaOf, type Term, termOf } from "#core/collective";
import {
  explainCollective,
  explainLocal,
  explainReceivedBytes,
  explainValue,
  valueBytes,
} from "#core/cost";
import { unreachable } from "#core/diagnostics";
import type { CollectiveStep, FlatStep, LocalStep, ValueId } from "#core/program";
import { usesOf } from "#core/schedule";
import type { HeldKind } from "#edit";
import { rememberedFor } from "../remembered.ts";
import { type CostPart, type Metric, waitKey } from "./contributors.ts";

/** A part of a figure with its formulas; it contributes `runs` times `value`. */
export interface ExplainedPart {
  readonly name: string;
  readonly value: number;
  readonly runs: number;
  /** The formula of `value` first, then those of its terms; empty if none can be shown. */
  readonly formulas: readonly Formula[];
}

/** A step and its number of runs. */
interface CountedStep<Step extends FlatStep = FlatStep> {
  readonly step: Step;
  readonly runs: number;
}

const stepsOf = rememberedFor((program: Compiled["program"]): readonly CountedStep[] =>
  program.stages.flatMap(({ steps, runs = 1 }) =>
    steps.flatMap((step) => (step.kind === "repeat" ? [] : [{ step, runs }])),
  ),
);

const sizesOf = rememberedFor((program: Compiled["program"]) => valueBytes(program));

/** A figure of the cost bar as a formula over the cost model's sums. */
export function totalFormula({ cost, memory }: Compiled, metric: Metric): Formula {
  switch (metric) {
    case "time":
      return timeFormula(cost);
    case "comm":
      return formulaOf("Communication", "B", cost.collectives.flatMap(sentTerm), {
        source: "what the busiest device receives, of all collectives",
      });
    case "memory":
      return formulaOf("Memory per device", "B", memoryTerms(memory), {
        source: "what lies on the fullest device at its fullest moment",
      });
    default:
      return unreachable(metric);
  }
}

/** The seconds that make up a plan's time. */
type Timed = Pick<Compiled["cost"], "computeSeconds" | "communicationSeconds"> &
  Partial<Pick<Compiled["cost"], "seconds" | "exposedSeconds" | "limit">>;

/** The time of a plan, in seconds: compute, exposed communication, and waits for the host. */
export function timeFormula(cost: Timed): Formula {
  const { computeSeconds, communicationSeconds, limit } = cost;
  const { exposedSeconds = communicationSeconds } = cost;
  const known = computeSeconds + exposedSeconds;
  const rest = (cost.seconds ?? known) - known;
  const isWaiting = rest > tolerance * known;
  const terms = [
    part("compute", computeSeconds, "s"),
    part("exposed communication", exposedSeconds, "s"),
    ...(isWaiting ? [part(limit === "host" ? "waits for launches" : "waits", rest, "s")] : []),
  ];
  return formulaOf("Time", "s", terms, { source: timeSource(cost) });
}

function timeSource({ communicationSeconds, exposedSeconds, limit }: Timed): string {
  if (limit === "host") return "limited by launches: the host starts one kernel after the other";
  const hidden = communicationSeconds - (exposedSeconds ?? communicationSeconds);
  return hidden > tolerance * communicationSeconds
    ? "what is sent while compute runs is hidden and takes no time of its own"
    : "one step after the other: nothing is sent while compute runs";
}

/** Relative tolerance: sums of the same numbers in another order differ by less. */
const tolerance = 1e-9;

/** Plural names of the kinds of memory on a device. */
const kindNames: Readonly<Record<HeldKind["what"], string>> = {
  parameter: "parameters",
  input: "inputs",
  activation: "activations",
  gradient: "gradients",
  "optimizer state": "optimizer state",
  copy: "copies in other layouts",
  workspace: "workspace",
};

/** The memory of a plan by kind of tensor, in bytes of the fullest device at its peak. */
export function memoryFormula(held: readonly HeldKind[]): Formula {
  const terms = held.map(({ what, bytes }) => part(kindNames[what], bytes, "B"));
  return formulaOf("Memory per device", "B", terms, {
    source: "what lies on the fullest device at its fullest moment",
  });
}

function part(name: string, value: number, unit: "s" | "B"): Term {
  return termOf(name, [{ symbol: name, value, unit }]);
}

function sentTerm({ collective, axes, count, bytes }: Compiled["cost"]["collectives"][number]) {
  if (bytes === 0) return [];
  const name = [collective, ...axes].join(" ");
  if (count === 1) return [part(name, bytes, "B")];
  const each = { symbol: "bytes each, on average", value: bytes / count, unit: "B" } as const;
  return [termOf(name, [{ symbol: "times", value: count, unit: "1" }, each])];
}

function memoryTerms(memory: Compiled["memory"]): readonly Term[] {
  const { parameterBytes, inputBytes, activationBytes, gradientBytes, optimizerBytes } = memory;
  const { workspaceBytes } = memory;
  const all = [
    part("parameters", parameterBytes, "B"),
    part("inputs", inputBytes, "B"),
    part("activations", activationBytes, "B"),
    part("gradients", gradientBytes, "B"),
    part("optimizer state", optimizerBytes, "B"),
    part("workspace", workspaceBytes, "B"),
  ];
  return all.filter(({ value }) => value > 0);
}

/** The parts that add up to a row of a figure's table, each with the formulas of its cost model. */
export function formulasOf(
  compiled: Compiled,
  part: Pick<CostPart, "key" | "operator" | "redistribution" | "tensor">,
  metric: Metric,
): readonly ExplainedPart[] {
  if (metric === "memory") return heldParts(compiled, part);
  const { redistribution, key } = part;
  if (key === waitKey) return waitParts(compiled);
  if (redistribution === undefined) return computedParts(compiled, part);
  const uses = metric === "time" && compiled.schedule ? usesOf(compiled.schedule) : [];
  return stepsOf(compiled.program).flatMap(({ step, runs }, at) => {
    if (step.kind !== "collective" || step.reshard !== redistribution) return [];
    if (step.collective === "slice") return [];
    const alone = explainedStep(compiled, step, runs, metric);
    const exposed = uses[at]?.exposed;
    return [exposed === undefined ? alone : asScheduled(alone, exposed / runs)];
  });
}

/** The exposed time of a collective as a formula: its time alone, minus the hidden part. */
function asScheduled(alone: ExplainedPart, exposed: number): ExplainedPart {
  const saved = exposed - alone.value;
  if (Math.abs(saved) <= tolerance * alone.value) return alone;
  const terms = [
    part("by itself", alone.value, "s"),
    part("beside compute, or in one bucket with others", saved, "s"),
  ];
  const formula = formulaOf("exposed", "s", terms, { source: "the schedule of the whole step" });
  return { ...alone, value: formula.value, formulas: [formula, ...alone.formulas] };
}

function waitParts({ schedule }: Compiled): readonly ExplainedPart[] {
  return [{ name: "waits", runs: 1, value: schedule?.bubble ?? 0, formulas: [] }];
}

/** The bytes (`comm`) or seconds (`time`) of one collective with their formulas. */
export function explainedStep(
  { program }: Pick<Compiled, "program">,
  step: CollectiveStep,
  runs: number,
  metric: "comm" | "time",
): ExplainedPart {
  const received = explainReceivedBytes(step, sizesOf(program));
  const seconds = explainCollective(program, step);
  const name = [step.collective, ...step.axes].join(" ");
  const formulas = metric === "comm" ? [received] : [seconds, received];
  const isKnown = metric === "comm" || seconds !== undefined;
  return {
    ...{ name, runs },
    value: metric === "comm" ? step.bytes : step.seconds,
    formulas: isKnown ? formulas.filter((formula) => formula !== undefined) : [],
  };
}

function computedParts(
  { program, hardware, rules }: Compiled,
  { key }: Pick<CostPart, "key">,
): readonly ExplainedPart[] {
  const isOwn = (each: CountedStep): each is CountedStep<LocalStep> =>
    each.step.kind === "local" && key === `compute ${each.step.operator}`;
  return stepsOf(program)
    .filter(isOwn)
    .map(({ step, runs }) => {
      const formulas = explainLocal(program, hardware, step, sizesOf(program), rules);
      return { name: step.phase, runs, value: formulas[0]?.value ?? 0, formulas };
    });
}

/** The formula of memory that is kept or allocated along with a tensor and has no shape here. */
function besideFormula(what: string, bytes: number): Formula {
  const source = "kept beside the tensor for the backward pass, or taken by a kernel";
  return formulaOf("held", "B", [part(what, bytes, "B")], { source });
}

/** The values of a tensor that are alive at the peak. */
function heldParts(
  { program, memory }: Compiled,
  { tensor }: Pick<CostPart, "tensor">,
): readonly ExplainedPart[] {
  const own = new Set<ValueId>(
    program.values.filter((value) => value.tensor === tensor).map(({ id }) => id),
  );
  return memory.alive
    .filter(({ value, bytes }) => own.has(value) && bytes > 0)
    .map(({ value, what, bytes }) => {
      const formula =
        what === undefined ? explainValue(program, value, bytes) : besideFormula(what, bytes);
      return { name: "held", runs: 1, value: bytes, formulas: formula ? [formula] : [] };
    });
}
