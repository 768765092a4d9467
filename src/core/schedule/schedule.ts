import { type FlatStep, flatSteps, type SpmdProgram, type Step } from "#core/program";
import type { Overlap } from "#core/training";
import { hiddenOrder } from "./hidden-order.ts";
import { laneOf } from "./lanes.ts";
import { orderedAsWritten, simulate, type Timing } from "./simulate.ts";
import type { TimeOf } from "./step-time.ts";
import { type Given, type Order, orderAsWritten } from "./tasks.ts";
import { type NumberedValues, numberedValues, wiresOf } from "./wires.ts";

/** The rules by which steps are ordered. */
export interface ScheduleRules {
  readonly overlap: Overlap;
  /** Devices per node; if absent, no communication leaves a node. */
  readonly node?: number;
}

/** The place of a step's work: the device's arithmetic, one of the fabrics, or the host. */
export type Lane = "compute" | "node" | "network" | "host";

/** The lanes of devices by their numbers in a `Pass`. */
export const lanes = ["compute", "node", "network"] as const satisfies readonly Lane[];

/**
 * Steps that are ordered together, and how often they run. With micro-batches one pass has all runs
 * but the last, and the next pass has the last run with the steps after it.
 */
export interface Pass {
  /** Index of the first step in `flatSteps(program)`. */
  readonly first: number;
  /**
   * Seconds from the beginning to the first run (`start`), and from the start of a run to that of
   * the next (`every`).
   */
  readonly start: number;
  readonly every: number;
  readonly count: number;
  /** For each step, its begin and end in seconds from the start of a run. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** For each step, its index into `lanes`. */
  readonly lanes: Uint8Array;
  /** For each step, the first step of its item. */
  readonly leads: Int32Array;
  /** For each step, its part of the item's seconds. */
  readonly seconds: Float64Array;
  /** Exposed seconds of each step: it communicates while nothing is computed. */
  readonly exposed: Float64Array;
  /** Seconds of the host in a run. */
  readonly host: number;
}

/** Times of all items of a program, and their sums. */
export interface Schedule {
  /** The end of the last item. */
  readonly seconds: number;
  readonly compute: number;
  /** Seconds of all collectives; those that go together pay their latency once. */
  readonly communication: number;
  /**
   * Seconds of communication while nothing is computed; `hidden` is the rest of `communication`.
   */
  readonly exposed: number;
  readonly hidden: number;
  /** Seconds in which devices are idle. */
  readonly bubble: number;
  readonly host: number;
  readonly limit: "device" | "host";
  readonly overlap: Overlap;
  readonly passes: readonly Pass[];
}

/**
 * Schedules the steps of a program: each starts when its operands are ready, its lane is free, and
 * the rules allow it (schedule.md §1). A device computes in program order, and sends one message
 * set at a time over each fabric.
 *
 * The host runs ahead of the devices. If its launches take longer in total than the launched work,
 * they determine the time.
 */
export function schedule(program: SpmdProgram, timeOf: TimeOf, rules: ScheduleRules): Schedule {
  const steps = flatSteps(program);
  const whole = givenOf(steps, timeOf, laneOf(program, rules.node));
  const numbered = rules.overlap === "none" ? undefined : numberedValues(program);
  let start = 0;
  const made: Made[] = [];
  for (const { first, length, count } of partsOf(program)) {
    const given = partOf(whole, first, first + length);
    const pass = passOf(program, { given, first, count, start, numbered });
    made.push(pass);
    start += pass.every * count;
  }
  return totalsOf(made, rules);
}

function givenOf(
  steps: readonly FlatStep[],
  timeOf: TimeOf,
  fabricOf: (step: FlatStep) => number,
): Given {
  const { length } = steps;
  const [seconds, fixed] = [new Float64Array(length), new Float64Array(length)];
  const launch = new Float64Array(length);
  const lanesOfSteps = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) {
    const step = steps[at];
    if (step === undefined) continue;
    const time = timeOf(step, at);
    seconds[at] = time.seconds;
    fixed[at] = time.fixed;
    launch[at] = time.launch;
    lanesOfSteps[at] = fabricOf(step);
  }
  return { steps, seconds, fixed, launch, lanes: lanesOfSteps };
}

function partOf(given: Given, first: number, end: number): Given {
  if (first === 0 && end === given.steps.length) return given;
  return {
    steps: given.steps.slice(first, end),
    seconds: given.seconds.slice(first, end),
    fixed: given.fixed.slice(first, end),
    launch: given.launch.slice(first, end),
    lanes: given.lanes.slice(first, end),
  };
}

/** Stages that are ordered together. */
interface Part {
  readonly first: number;
  readonly length: number;
  readonly count: number;
}

/** Number of flat steps in a step. */
function runsIn(step: Step): number {
  return step.kind === "repeat" ? step.count * step.body.length : 1;
}

/**
 * The stages as parts: a stage that runs several times has its last run in the part of the stage
 * after it.
 */
function partsOf(program: SpmdProgram): readonly Part[] {
  const parts: Part[] = [];
  let open: Part = { first: 0, length: 0, count: 1 };
  for (const stage of program.stages) {
    const { runs = 1 } = stage;
    const length = stage.steps.reduce((sum, step) => sum + runsIn(step), 0);
    if (runs > 1) {
      if (open.length > 0) parts.push(open);
      const first = open.first + open.length;
      parts.push({ first, length, count: runs - 1 });
      open = { first, length, count: 1 };
    } else open = { ...open, length: open.length + length };
  }
  return open.length > 0 ? [...parts, open] : parts;
}

interface Asked {
  readonly given: Given;
  readonly first: number;
  readonly count: number;
  readonly start: number;
  /** The numbered values, needed only if traffic is hidden. */
  readonly numbered: NumberedValues | undefined;
}

interface Made extends Pass {
  readonly timing: Timing;
  readonly device: number;
}

function passOf(program: SpmdProgram, { given, first, count, start, numbered }: Asked): Made {
  const { order, timed } =
    numbered === undefined ? asWritten(given) : asHidden(program, given, numbered);
  const host = given.launch.reduce((sum, launch) => sum + launch, 0);
  const device = timed.seconds;
  const timing = host > device ? heldUp(order, given.launch, host) : timed;
  return {
    ...{ first, start, count, every: Math.max(timing.seconds, host), host, device, timing },
    ...{ starts: bySteps(order, timing.starts), ends: bySteps(order, timing.ends) },
    ...{ lanes: given.lanes, leads: order.leads, seconds: order.seconds },
    exposed: exposedOf(order, timing),
  };
}

/** Values by task, spread over the steps of each task. */
function bySteps({ taskOf }: Order, values: Float64Array): Float64Array {
  const of = new Float64Array(taskOf.length);
  for (let at = 0; at < of.length; at += 1) of[at] = values[taskOf[at] ?? 0] ?? 0;
  return of;
}

/** The exposed seconds of each task, shared among its steps in proportion to their seconds. */
function exposedOf({ tasks, taskOf, seconds }: Order, { exposedBy }: Timing): Float64Array {
  const exposed = new Float64Array(taskOf.length);
  for (let at = 0; at < exposed.length; at += 1) {
    const task = taskOf[at] ?? 0;
    const whole = tasks.seconds[task] ?? 0;
    if (whole > 0) exposed[at] = ((exposedBy[task] ?? 0) * (seconds[at] ?? 0)) / whole;
  }
  return exposed;
}

interface Timed {
  readonly order: Order;
  readonly timed: Timing;
}

function asWritten(given: Given): Timed {
  const order = orderAsWritten(given);
  return { order, timed: orderedAsWritten(order) };
}

function asHidden(program: SpmdProgram, given: Given, numbered: NumberedValues): Timed {
  const order = hiddenOrder(program, given, wiresOf(given.steps, numbered));
  const timed = simulate(order, undefined);
  if (!timed.isWhole) throw new Error("steps of a schedule wait for each other");
  return { order, timed };
}

/**
 * Timing if the host is slower than the devices: no step starts before the host launches it. The
 * host starts a training step while devices are still busy with the one before. So the end of one
 * step overlaps the beginning of the next, and the whole takes as long as the host.
 */
function heldUp(order: Order, launch: Float64Array, host: number): Timing {
  const releases = new Float64Array(order.tasks.seconds.length);
  let launched = 0;
  for (const [at, seconds] of launch.entries()) {
    const task = order.taskOf[at] ?? 0;
    if (order.leads[at] === at) releases[task] = launched;
    launched += seconds;
  }
  const late = simulate(order, releases).seconds - host;
  if (late <= 0) return simulate(order, releases);
  return simulate(
    order,
    releases.map((release) => Math.max(0, release - late)),
  );
}

/** Relative difference below which sums of the same numbers in another order are equal. */
const rounding = 1e-12;

function totalsOf(passes: readonly Made[], { overlap }: ScheduleRules): Schedule {
  const total = (of: (pass: Made) => number) =>
    passes.reduce((sum, pass) => sum + pass.count * of(pass), 0);
  const seconds = total(({ every }) => every);
  const compute = total(({ timing }) => timing.compute);
  const communication = total(({ timing }) => timing.sent);
  const exposed = total(({ timing }) => timing.exposed);
  const host = total((pass) => pass.host);
  return {
    ...{ seconds, compute, communication, exposed, host, overlap },
    hidden: Math.max(0, communication - exposed),
    bubble: seconds - compute - exposed > rounding * seconds ? seconds - compute - exposed : 0,
    limit: host > total(({ device }) => device) ? "host" : "device",
    passes: passes.map(({ timing: _, device: __, ...pass }) => pass),
  };
}
