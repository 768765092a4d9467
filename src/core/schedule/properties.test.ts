import fc from "fast-check";
import { expect, test } from "vitest";
import { type FlatStep, flatSteps, type SpmdProgram } from "#core/program";
import { layeredTrainingStep } from "../../execute/verify/layered-program.testing.ts";
import { randomProgram, randomTrainingStep } from "../../execute/verify/random-program.testing.ts";
import { type Schedule, type StepTime, schedule } from "./index.ts";

const factor = process.env.SOAK === undefined ? 1 : 20;

const kinds = {
  "random programs": randomProgram,
  "random training steps": randomTrainingStep,
  "layered training steps": (seed: number) => layeredTrainingStep(seed, 2 + (seed % 5)),
  "micro-batches": (seed: number) => layeredTrainingStep(seed, 3, 2),
} as const;

/** Arbitrary times that differ from step to step. */
function timesOf(program: SpmdProgram, seed: number): (step: FlatStep) => StepTime {
  const places = new Map(flatSteps(program).map((step, at) => [step, at]));
  return (step) => {
    const at = places.get(step) ?? 0;
    const seconds = ((seed + 1) * (at + 3) * 7919) % 23;
    if (step.kind === "local") return { seconds, fixed: 0, launch: ((at + seed) % 5) / 4 };
    if (step.collective === "slice") return { seconds: 0, fixed: 0, launch: 0 };
    return { seconds, fixed: seconds / 3, launch: 0 };
  };
}

const node = 2;

function everyCase(check: (program: SpmdProgram, seed: number) => void): void {
  for (const programOf of Object.values(kinds)) {
    const holds = fc.property(fc.nat(100_000), (seed) => check(programOf(seed), seed));
    fc.assert(holds, { seed: 7, numRuns: 15 * factor });
  }
}

const close = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(1e-6);

function hidden(program: SpmdProgram, seed: number, launch = 0): Schedule {
  const own = timesOf(program, seed);
  const timeOf = (step: FlatStep) => ({ ...own(step), launch: launch * own(step).launch });
  return schedule(program, timeOf, { overlap: "weights", node });
}

/** Distinct items of a pass: first step, lane, start and end. */
function itemsOf({ leads, lanes, starts, ends }: Schedule["passes"][number]) {
  return [...leads.keys()]
    .filter((at) => leads[at] === at)
    .map((at) => ({
      ...{ at, lane: lanes[at] ?? 0, start: starts[at] ?? 0, end: ends[at] ?? 0 },
    }));
}

test("without overlap a step takes the sum of its parts", () => {
  everyCase((program, seed) => {
    const timeOf = timesOf(program, seed);
    const free = (step: FlatStep) => ({ ...timeOf(step), launch: 0 });
    const found = schedule(program, free, { overlap: "none", node });
    const sum = program.stages.reduce((total, stage) => {
      const own = flatSteps({ ...program, stages: [stage] });
      return total + (stage.runs ?? 1) * own.reduce((all, step) => all + timeOf(step).seconds, 0);
    }, 0);
    close(found.seconds, sum);
    close(found.compute + found.communication, sum);
    expect([found.hidden, found.bubble]).toEqual([0, 0]);
  });
});

test("no lane has two items at once, and none outlasts the schedule", () => {
  everyCase((program, seed) => {
    for (const pass of hidden(program, seed, seed % 3).passes) {
      for (const lane of [0, 1, 2]) {
        const items = itemsOf(pass).filter((item) => item.lane === lane && item.end > item.start);
        items.sort((a, b) => a.start - b.start);
        for (const [at, { end }] of items.entries()) {
          expect(end).toBeLessThanOrEqual((items[at + 1]?.start ?? pass.every) + 1e-9);
        }
      }
    }
  });
});

test("what a step reads is there when it starts", () => {
  everyCase((program, seed) => {
    const steps = flatSteps(program);
    for (const { first, starts, ends } of hidden(program, seed, seed % 3).passes) {
      const ready = new Map<string, number>();
      for (const at of starts.keys()) {
        const step = steps[first + at];
        const outputs = step?.kind === "local" ? step.outputs : step ? [step.output] : [];
        for (const id of outputs) ready.set(id, ends[at] ?? 0);
      }
      for (const [at, start] of starts.entries()) {
        const step = steps[first + at];
        const inputs = step?.kind === "local" ? step.inputs : step ? [step.input] : [];
        for (const id of inputs) expect(ready.get(id) ?? 0).toBeLessThanOrEqual(start + 1e-9);
      }
    }
  });
});

test("exposed and hidden communication are all of it; the parts of time are all of it", () => {
  everyCase((program, seed) => {
    const found = hidden(program, seed, seed % 3);
    close(found.exposed + found.hidden, found.communication);
    close(found.compute + found.exposed + found.bubble, found.seconds);
    expect(found.exposed).toBeLessThanOrEqual(found.communication + 1e-9);
    const shares = found.passes.map(
      ({ count, exposed }) => count * exposed.reduce((a, b) => a + b, 0),
    );
    close(
      shares.reduce((a, b) => a + b, 0),
      found.exposed,
    );
    for (const { seconds, leads, starts, ends } of found.passes) {
      const parts = new Float64Array(seconds.length);
      for (const [at, lead] of leads.entries())
        parts[lead] = (parts[lead] ?? 0) + (seconds[at] ?? 0);
      for (const [at, lead] of leads.entries())
        if (lead === at) close(parts[at] ?? 0, (ends[at] ?? 0) - (starts[at] ?? 0));
    }
  });
});

test("hiding never takes longer than order, nor less than the longest lane", () => {
  everyCase((program, seed) => {
    const found = hidden(program, seed);
    const plain = schedule(program, timesOf(program, seed), { overlap: "none", node });
    expect(found.seconds).toBeLessThanOrEqual(plain.seconds + 1e-6);
    expect(found.seconds).toBeGreaterThanOrEqual(found.compute - 1e-6);
    const perLane = [0, 0, 0];
    for (const pass of found.passes)
      for (const [at, lane] of pass.lanes.entries())
        perLane[lane] = (perLane[lane] ?? 0) + pass.count * (pass.seconds[at] ?? 0);
    expect(found.seconds).toBeGreaterThanOrEqual(Math.max(...perLane) - 1e-6);
    close((perLane[1] ?? 0) + (perLane[2] ?? 0), found.communication);
  });
});

test("a slow host decides, and a fast one does not matter", () => {
  everyCase((program, seed) => {
    const [free, slow] = [hidden(program, seed), hidden(program, seed, 1e3)];
    expect(hidden(program, seed, 1e-9).seconds).toBeCloseTo(free.seconds, 6);
    if (slow.host <= free.seconds || slow.host === 0) return;
    expect(slow.limit).toBe("host");
    expect(slow.seconds).toBeGreaterThanOrEqual(slow.host - 1e-6);
    if (slow.passes.length === 1) close(slow.seconds, slow.host);
  });
});

test("a schedule is no shorter than the longest chain of steps that wait for each other", () => {
  everyCase((program, seed) => {
    const steps = flatSteps(program);
    for (const { first, seconds, every } of hidden(program, seed).passes) {
      const done = new Map<string, number>();
      for (const [at, own] of seconds.entries()) {
        const step = steps[first + at];
        if (step === undefined) continue;
        const inputs = step.kind === "local" ? step.inputs : [step.input];
        const begun = Math.max(0, ...inputs.map((id) => done.get(id) ?? 0));
        expect(begun + own).toBeLessThanOrEqual(every + 1e-6);
        for (const id of step.kind === "local" ? step.outputs : [step.output])
          done.set(id, begun + own);
      }
    }
  });
});
