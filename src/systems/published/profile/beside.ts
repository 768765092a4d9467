import type { Graph } from "#core/ir";
import { flatSteps, type SpmdProgram } from "#core/program";
import type { Schedule, ScheduledItem } from "#core/schedule";
import { scheduledItems } from "#core/schedule";
import type { MeasuredSteps } from "../format.ts";
import { laidBeside, ownCollectives, type RowBeside } from "../hlo/beside.ts";
import { workClasses, workClassOf } from "./classes.ts";

/** A plan's estimates for one step, in the classes of a measured step. */
export interface ModelledSteps {
  readonly seconds: number;
  readonly collectives: ReturnType<typeof ownCollectives>;
  /** Seconds of collectives by kind. */
  readonly kindSeconds: ReadonlyMap<string, number>;
  /** Operator counts and seconds by class. */
  readonly classes: ReadonlyMap<string, { readonly count: number; readonly seconds: number }>;
}

/** One kind of collective, or one class of work, per step: measured and modelled. */
export interface MeasuredRow {
  readonly name: string;
  readonly isCollective: boolean;
  readonly measured: { readonly count: number; readonly seconds: number; readonly bytes?: number };
  readonly modelled: { readonly count: number; readonly seconds: number; readonly bytes?: number };
  /** Difference in the work itself, in words; absent when there is none. */
  readonly difference?: string;
}

/** A measured step compared with a modelled one. */
export interface BesideMeasured {
  readonly steps: number;
  readonly seconds: number;
  readonly modelledSeconds: number;
  readonly rows: readonly MeasuredRow[];
  /** Collectives with sizes in the trace, each with its counterpart in the plan. */
  readonly collectives: readonly RowBeside[];
  /** Planned collectives without a measured counterpart; empty when the trace has no sizes. */
  readonly onlyOurs: readonly string[];
}

/** Estimates for one step from a plan's schedule. */
export function modelledSteps(program: SpmdProgram, schedule: Schedule): ModelledSteps {
  const steps = flatSteps(program);
  const { graph } = program;
  const kindSeconds = new Map<string, number>();
  const classes = new Map<string, { count: number; seconds: number }>();
  for (const item of scheduledItems(program, schedule)) {
    const step = steps[item.steps[0] ?? -1];
    const seconds = secondsOf(item);
    if (step?.kind === "collective") {
      kindSeconds.set(step.collective, (kindSeconds.get(step.collective) ?? 0) + seconds);
    } else if (step?.kind === "local") {
      const word = classOf(graph, step.operator);
      const known = classes.get(word) ?? { count: 0, seconds: 0 };
      const count = known.count + (item.repeat?.count ?? 1) * item.steps.length;
      classes.set(word, { count, seconds: known.seconds + seconds });
    }
  }
  return { seconds: schedule.seconds, collectives: ownCollectives(program), kindSeconds, classes };
}

function secondsOf({ start, end, repeat }: ScheduledItem): number {
  return (end - start) * (repeat?.count ?? 1);
}

function classOf({ operators }: Graph, id: string): string {
  const operator = operators.find((each) => each.id === id);
  return workClassOf(`${operator?.entry ?? ""} ${operator?.name ?? ""}`);
}

/**
 * Compares a measured step with a plan's schedule: collectives by kind, and one by one if the trace
 * has sizes; other work by classes, which are derived from names on both sides.
 */
export function besideMeasured(measured: MeasuredSteps, modelled: ModelledSteps): BesideMeasured {
  const sized = measured.collectives.flatMap(({ moved, times }) =>
    moved === undefined ? [] : [{ ...moved, times: Math.max(1, Math.round(times)) }],
  );
  const { rows, onlyOurs } = laidBeside(sized, modelled.collectives);
  const isSized = sized.length > 0;
  return {
    ...{ steps: measured.steps, seconds: measured.seconds, modelledSeconds: modelled.seconds },
    rows: [...collectiveRows(measured, modelled), ...classRows(measured, modelled)],
    collectives: rows.map((row) => ({
      ...row,
      ...(row.difference !== undefined && {
        difference: row.difference.replaceAll("XLA's", "the run's").replaceAll("XLA", "the run"),
      }),
    })),
    onlyOurs: isSized ? onlyOurs.map(({ kind, tensor }) => `${kind} of ${tensor}`) : [],
  };
}

function collectiveRows(measured: MeasuredSteps, modelled: ModelledSteps): readonly MeasuredRow[] {
  const kinds = [...measured.collectives, ...modelled.collectives].map(({ kind }) => kind);
  return [...new Set(kinds)].sort().map((kind) => {
    const theirs = measured.collectives.filter((each) => each.kind === kind);
    const ours = modelled.collectives.filter((each) => each.kind === kind);
    const count = theirs.reduce((sum, { times }) => sum + times, 0);
    const isWhole = theirs.length > 0 && theirs.every(({ moved }) => moved !== undefined);
    const bytes = theirs.reduce((sum, { moved, times }) => sum + (moved?.bytes ?? 0) * times, 0);
    const seconds = theirs.reduce((sum, each) => sum + each.seconds, 0);
    const difference = countDifference(count, ours.length);
    return {
      ...{ name: kind, isCollective: true },
      measured: { count, seconds, ...(isWhole && { bytes }) },
      modelled: {
        count: ours.length,
        seconds: modelled.kindSeconds.get(kind) ?? 0,
        bytes: ours.reduce((sum, each) => sum + each.bytes, 0),
      },
      ...(difference !== undefined && { difference }),
    };
  });
}

function countDifference(measured: number, modelled: number): string | undefined {
  if (measured === modelled) return undefined;
  if (measured === 0) return "only in this plan";
  if (modelled === 0) return "only in the run";
  return measured > modelled ? "more often in the run" : "more often in this plan";
}

function classRows(measured: MeasuredSteps, modelled: ModelledSteps): readonly MeasuredRow[] {
  const none = { count: 0, seconds: 0 };
  return workClasses.flatMap((name) => {
    const theirs = measured.classes.find((each) => each.name === name);
    const ours = modelled.classes.get(name);
    if (theirs === undefined && ours === undefined) return [];
    const alone = theirs === undefined ? "only in this plan" : "only in the run";
    return [
      {
        ...{ name, isCollective: false },
        measured: theirs ? { count: theirs.count, seconds: theirs.seconds } : none,
        modelled: ours ?? none,
        ...((theirs === undefined || ours === undefined) && { difference: alone }),
      },
    ];
  });
}
