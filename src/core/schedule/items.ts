import type { Phase } from "#core/ir";
import { type FlatStep, flatSteps, type SpmdProgram } from "#core/program";
import { type Lane, lanes, type Pass, type Schedule } from "./schedule.ts";

/** Item that occupies a lane for some time: a step, or collectives that run together. */
export interface ScheduledItem {
  /** Indices into `flatSteps(program)`; empty for the host's launches. */
  readonly steps: readonly number[];
  /** `h`, `all-gather dp of w`, `12 × all-gather dp`, `launches`. */
  readonly name: string;
  readonly lane: Lane;
  readonly phase: Phase;
  /** Seconds from the beginning of the schedule. */
  readonly start: number;
  readonly end: number;
  /** Repetitions: the item comes `count` times in all, `every` seconds apart. */
  readonly repeat?: { readonly count: number; readonly every: number };
}

/** Items of a schedule by start time, without items of zero duration. */
export function scheduledItems(program: SpmdProgram, schedule: Schedule): readonly ScheduledItem[] {
  const naming = namesOf(program);
  const steps = flatSteps(program);
  return schedule.passes.flatMap((pass) => {
    const items = [...launchesOf(pass), ...itemsOf(pass, steps, naming)];
    return items.sort((a, b) => a.start - b.start || a.end - b.end);
  });
}

type Naming = (steps: readonly FlatStep[]) => string;

function itemsOf(pass: Pass, steps: readonly FlatStep[], naming: Naming): readonly ScheduledItem[] {
  const { first, start, leads, starts, ends } = pass;
  const members = new Map<number, number[]>();
  for (const [at, lead] of leads.entries()) {
    const own = members.get(lead);
    if (own === undefined) members.set(lead, [first + at]);
    else own.push(first + at);
  }
  return [...members].flatMap(([lead, places]): readonly ScheduledItem[] => {
    const [from = 0, to = 0] = [starts[lead], ends[lead]];
    const own = places.flatMap((place) => steps[place] ?? []);
    if (to <= from) return [];
    return [
      {
        steps: places,
        name: naming(own),
        lane: lanes[pass.lanes[lead] ?? 0] ?? "compute",
        phase: own[0]?.phase ?? "forward",
        ...{ start: start + from, end: start + to },
        ...repeatOf(pass),
      },
    ];
  });
}

function launchesOf(pass: Pass): readonly ScheduledItem[] {
  const { start, host } = pass;
  if (host <= 0) return [];
  const named = { steps: [], name: "launches", lane: "host", phase: "forward" } as const;
  return [{ ...named, start, end: start + host, ...repeatOf(pass) }];
}

function repeatOf({ count, every }: Pass): Pick<ScheduledItem, "repeat"> {
  return count === 1 ? {} : { repeat: { count, every } };
}

function namesOf({ graph, values }: SpmdProgram): Naming {
  const operators = new Map(graph.operators.map(({ id, name }) => [id, name]));
  const tensors = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const made = new Map(values.map(({ id, tensor }) => [id, tensors.get(tensor)]));
  return ([step, ...others]) => {
    if (step === undefined) return "";
    if (step.kind === "local") return operators.get(step.operator) ?? step.operator;
    const kind = [step.collective, ...step.axes].join(" ");
    if (others.length > 0) return `${others.length + 1} × ${kind}`;
    return `${kind} of ${made.get(step.output) ?? step.output}`;
  };
}
