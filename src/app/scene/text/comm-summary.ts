import type { Collective } from "#core/collective";
import type { DeviceMesh } from "#core/mesh";
import type { CollectiveStep, SpmdProgram } from "#core/program";
import { groupedBy } from "#core/records";
import { type AxisTag, hueOf } from "../hue.ts";
import { rememberedFor } from "../remembered.ts";

/**
 * All collectives of one kind over the same mesh axes; bytes are those that the busiest device
 * receives.
 */
export interface Contributor {
  readonly collective: Collective;
  readonly axes: readonly AxisTag[];
  readonly count: number;
  readonly bytes: number;
  readonly seconds: number;
  /** The redistributions that the collectives belong to, in program order. */
  readonly redistributions: readonly number[];
}

/**
 * The contributors to a program's communication, most bytes first, ties in program order. Slices,
 * which move nothing, are left out.
 */
export function commSummary(program: SpmdProgram, mesh: DeviceMesh): readonly Contributor[] {
  const groups = new Map<string, Counted[]>();
  for (const { steps, runs = 1 } of program.stages) {
    for (const step of steps) {
      if (step.kind !== "collective" || step.collective === "slice") continue;
      const key = `${step.collective} ${step.axes.join(" ")}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [{ step, runs }]);
      else group.push({ step, runs });
    }
  }
  return [...groups.values()]
    .flatMap((steps) => contributorOf(steps, mesh))
    .sort((a, b) => b.bytes - a.bytes);
}

/** Bytes received over the same axes, by any collectives. */
export interface AxesSent {
  readonly axes: readonly AxisTag[];
  readonly bytes: number;
}

/** The contributors summed by mesh axes, most bytes first. */
export function sentByAxes(parts: readonly Contributor[]): readonly AxesSent[] {
  const groups = groupedBy(parts, ({ axes }) => axes.map(({ text }) => text).join(" "));
  return [...groups.values()]
    .map(([first, ...others]) => ({
      axes: first?.axes ?? [],
      bytes: others.reduce((sum, { bytes }) => sum + bytes, first?.bytes ?? 0),
    }))
    .sort((a, b) => b.bytes - a.bytes);
}

/** A step and its number of runs: one per microbatch. */
interface Counted {
  readonly step: CollectiveStep;
  readonly runs: number;
}

/** Number of runs of each redistribution, by index: 1 without microbatches. */
export const runsOfRedistributions = rememberedFor(
  (program: SpmdProgram): ReadonlyMap<number, number> =>
    new Map(
      program.stages.flatMap(({ steps, runs = 1 }) =>
        steps.flatMap((step) =>
          step.kind === "collective" ? [[step.reshard, runs] as const] : [],
        ),
      ),
    ),
);

/** The collective steps of all stages of a program, in order. */
function collectiveStepsOf(program: SpmdProgram): readonly CollectiveStep[] {
  return program.stages
    .flatMap((stage) => stage.steps)
    .filter((step) => step.kind === "collective");
}

/**
 * The effective steps of each redistribution, by index: a slice that only rewrites a layout is left
 * out.
 */
export const stepsByRedistribution = rememberedFor(stepsOfEach);

function stepsOfEach(program: SpmdProgram): ReadonlyMap<number, readonly CollectiveStep[]> {
  const moving = collectiveStepsOf(program).filter(
    ({ collective, moves }) => collective !== "slice" || moves.length > 0,
  );
  return groupedBy(moving, ({ reshard }) => reshard);
}

/** Mesh axes and sub-axes in the notation of steps (`mp`, `mp:(2)4`), with their hues. */
export function axisTags(mesh: DeviceMesh, axes: readonly string[]): readonly AxisTag[] {
  return axes.map((text) => ({ text, hue: hueOf(mesh, text.split(":")[0] ?? text) }));
}

function contributorOf(steps: readonly Counted[], mesh: DeviceMesh): readonly Contributor[] {
  const first = steps[0]?.step;
  if (first === undefined) return [];
  return [
    {
      collective: first.collective,
      axes: axisTags(mesh, first.axes),
      count: steps.reduce((sum, { runs }) => sum + runs, 0),
      bytes: steps.reduce((sum, { step, runs }) => sum + runs * step.bytes, 0),
      seconds: steps.reduce((sum, { step, runs }) => sum + runs * step.seconds, 0),
      redistributions: [...new Set(steps.map(({ step }) => step.reshard))],
    },
  ];
}
