import fc from "fast-check";
import { expect, test } from "vitest";
import type { OperatorId, TensorId } from "#core/ir";
import {
  type FlatStep,
  flatSteps,
  fold,
  type RepeatStep,
  type SpmdProgram,
  type StepNames,
  type ValueId,
} from "#core/program";
import { layeredProgram } from "../../execute/verify/layered-program.testing.ts";
import { randomProgram, randomTrainingStep } from "../../execute/verify/random-program.testing.ts";
import { estimate } from "./estimate.ts";
import { holdingsOf } from "./holdings.ts";
import { assumedHardware } from "./machines/hardware.ts";
import { aliveAt as heldAt, memoryOf } from "./memory.ts";
import { valueBytes } from "./operator-seconds.ts";

const runs = 12 * (process.env.SOAK === undefined ? 1 : 42);

/** Checks over random programs and training steps, with a number to choose a step by. */
function overPrograms(check: (program: SpmdProgram, choice: number) => void): void {
  const programs = fc.tuple(fc.nat(100_000), fc.boolean(), fc.nat(1_000));
  const holds = fc.property(programs, ([seed, isTraining, choice]) =>
    check(isTraining ? randomTrainingStep(seed) : randomProgram(seed), choice),
  );
  fc.assert(holds, { seed: 5, numRuns: runs });
}

function withSteps(program: SpmdProgram, steps: readonly FlatStep[]): SpmdProgram {
  return { ...program, stages: [{ devices: program.devices, steps }] };
}

const cost = (program: SpmdProgram) => estimate(program, assumedHardware);

/** The figures that one step adds, measured on a program of that step alone. */
const alone = (program: SpmdProgram, step: FlatStep) => cost(withSteps(program, [step]));

test("without a step, seconds and bytes fall by what that step takes, and by nothing else", () => {
  overPrograms((program, choice) => {
    const steps = flatSteps(program);
    const at = choice % steps.length;
    const step = steps[at];
    if (step === undefined) throw new Error("a program without steps");
    const [before, own] = [cost(program), alone(program, step)];
    const after = cost(withSteps(program, steps.toSpliced(at, 1)));
    expect(before.bytes - after.bytes).toBeCloseTo(own.bytes, 6);
    expect(before.seconds - after.seconds).toBeCloseTo(own.seconds, 15);
    expect(own.bytes).toBe(step.kind === "collective" ? step.bytes : 0);
    expect(own.communicationSeconds).toBe(step.kind === "collective" ? step.seconds : 0);
    if (step.kind === "collective") expect(own.computeSeconds).toBe(0);
  });
});

test("a collective that takes twice as long and sends twice as much adds itself once more", () => {
  overPrograms((program, choice) => {
    const steps = flatSteps(program);
    const collectives = steps.filter((step) => step.kind === "collective");
    const chosen = collectives[choice % Math.max(1, collectives.length)];
    if (chosen === undefined) return;
    const { bytes, seconds } = chosen;
    const slower = steps.map((step) =>
      step === chosen ? { ...step, bytes: 2 * bytes, seconds: 2 * seconds } : step,
    );
    const [before, after] = [cost(program), cost(withSteps(program, slower))];
    expect(after.bytes - before.bytes).toBeCloseTo(bytes, 6);
    expect(after.communicationSeconds - before.communicationSeconds).toBeCloseTo(seconds, 15);
    expect(after.computeSeconds).toBe(before.computeSeconds);
    expect(memoryOf(withSteps(program, slower))).toEqual(memoryOf(program));
  });
});

test("one run more of a repeat adds its body once", () => {
  const holds = fc.property(fc.nat(1_000), (seed) => {
    const folded = fold(layeredProgram(seed, 5));
    const [stage] = folded.stages;
    const repeat = stage?.steps.find((step) => step.kind === "repeat");
    if (stage === undefined || repeat === undefined) return;
    const more = withRuns(repeat, repeat.count + 1);
    const steps = stage.steps.map((step) => (step === repeat ? more : step));
    const after = cost({ ...folded, stages: [{ ...stage, steps }] });
    const body = withRuns(repeat, 1);
    const once = cost({ ...folded, stages: [{ ...stage, steps: [body] }] });
    expect(after.seconds - cost(folded).seconds).toBeCloseTo(once.seconds, 15);
    expect(after.bytes - cost(folded).bytes).toBeCloseTo(once.bytes, 6);
  });
  fc.assert(holds, { seed: 5, numRuns: runs });
});

/** A repeat with another number of runs; every run has the values of the first. */
function withRuns(repeat: RepeatStep, count: number): RepeatStep {
  const names = repeat.names.map(
    (each): StepNames =>
      each.kind === "local"
        ? { kind: "local", operators: resized(each.operators, count) }
        : {
            ...each,
            reasons: resized(each.reasons, count),
            reshards: resized(each.reshards, count),
          },
  );
  const each = repeat.each.map(({ inside, outside }) => ({
    inside,
    outside: resized(outside, count),
  }));
  return { ...repeat, count, each, names };
}

function resized<Item>(list: readonly Item[], count: number): readonly Item[] {
  return Array.from({ length: count }, (_, at) => list.slice(at % list.length)).flatMap(([item]) =>
    item === undefined ? [] : [item],
  );
}

test("names, places in the text, reasons and redistributions do not enter", () => {
  overPrograms((program) => {
    const { graph } = program;
    const anonymous = {
      ...graph,
      tensors: graph.tensors.map(({ span: _span, ...tensor }) => ({
        ...tensor,
        name: "t",
        dimNames: [],
      })),
      operators: graph.operators.map(({ span: _span, ...operator }) => ({
        ...operator,
        name: "o",
        call: "",
        linear: [],
        reducesInside: !operator.reducesInside,
      })),
      outputs: [],
    };
    const steps = flatSteps(program).map((step) =>
      step.kind === "collective" ? { ...step, reasons: [], reshard: 0, elements: 0 } : step,
    );
    const bare = { ...withSteps(program, steps), graph: anonymous, redistributions: [] };
    expect(cost(bare)).toEqual(cost(program));
    expect(memoryOf(bare)).toEqual(memoryOf(program));
  });
});

const usesOf = (step: FlatStep) =>
  step.kind === "local" ? [...step.inputs, ...step.outputs] : [step.input, step.output];
const tensorsOf = (operands: readonly { readonly tensor: TensorId }[]) =>
  operands.map(({ tensor }) => tensor);
const makesOf = (step: FlatStep) => (step.kind === "local" ? step.outputs : [step.output]);

/**
 * Values alive while a step runs, found by scanning all steps: computed values that are still
 * needed, and values that no step computes. At its last use, an all-reduce's operand has given its
 * memory to the result. An unread result of an operator with another, read result is not alive.
 */
function aliveAt(program: SpmdProgram, moment: number): ReadonlySet<ValueId> {
  const steps = flatSteps(program);
  const step = steps[moment];
  const soFar = new Set(steps.slice(0, moment + 1).flatMap(makesOf));
  const ever = new Set(steps.flatMap(makesOf));
  const read = new Set(program.graph.operators.flatMap(({ inputs }) => tensorsOf(inputs)));
  const unasked = new Set(
    program.graph.operators.flatMap(({ outputs }) => {
      const made = tensorsOf(outputs);
      return made.some((tensor) => read.has(tensor)) ? made.filter((each) => !read.has(each)) : [];
    }),
  );
  const asked = new Set(
    program.values.flatMap(({ id, tensor }) => (unasked.has(tensor) ? [] : [id])),
  );
  const results = program.outputs.filter((id) => asked.has(id));
  const later = new Set([...steps.slice(moment + 1).flatMap(usesOf), ...results]);
  const isInPlace = step?.kind === "collective" && step.collective === "all-reduce";
  const now = step === undefined ? [] : isInPlace ? [step.output] : usesOf(step);
  const needed = new Set([...later, ...now]);
  const ids = program.values.map(({ id }) => id);
  return new Set(ids.filter((id) => !ever.has(id) || (soFar.has(id) && needed.has(id))));
}

test("without a backward pass memory holds what the steps make and still need, views once", () => {
  const holds = fc.property(fc.nat(100_000), fc.nat(1_000), (seed, choice) => {
    const program = randomProgram(seed);
    const steps = flatSteps(program);
    for (const kept of [steps, steps.toSpliced(choice % steps.length, 1)]) {
      const each = withSteps(program, kept);
      const { all, of } = holdingsOf(each, valueBytes(each));
      for (const moment of kept.keys()) {
        const alive = all.filter(({ first, last }) => first <= moment && moment <= last);
        const needed = [...aliveAt(each, moment)].map((id) => of.get(id));
        expect(new Set(alive)).toEqual(new Set(needed));
      }
    }
  });
  fc.assert(holds, { seed: 5, numRuns: runs });
});

test("at every moment what is alive adds up to the curve, of which the peak is the most", () => {
  overPrograms((program) => {
    const { curve, peakBytes, alive } = memoryOf(program);
    const sums = curve.map((_, moment) =>
      heldAt(program, moment).reduce((sum, { bytes }) => sum + bytes, 0),
    );
    for (const [moment, bytes] of curve.entries()) expect(sums[moment]).toBeCloseTo(bytes, 6);
    expect(curve.length).toBe(flatSteps(program).length);
    expect(Math.max(...curve)).toBe(peakBytes);
    expect(alive.reduce((sum, { bytes }) => sum + bytes, 0)).toBeCloseTo(peakBytes, 6);
  });
});

test("a value that one more step reads lives as long as that step", () => {
  overPrograms((program, choice) => {
    const steps = flatSteps(program);
    const bytes = valueBytes(program);
    const at = choice % steps.length;
    const step = steps[at];
    const output = step?.kind === "local" ? step.outputs[0] : step?.output;
    if (output === undefined) throw new Error("a step without a result");
    const reader = readerOf(output, steps);
    const longer = withSteps(program, [...steps, reader]);
    const [before, after] = [
      memoryOf(withSteps(program, [...steps, readerOf(undefined, steps)])),
      memoryOf(longer),
    ];
    expect(holdingsOf(longer, bytes).of.get(output)?.last).toBe(steps.length);
    expect(after.peakBytes).toBeGreaterThanOrEqual(before.peakBytes);
    expect(after.peakBytes - before.peakBytes).toBeLessThanOrEqual(bytes.get(output) ?? 0);
  });
});

/** A step that only reads. */
function readerOf(value: ValueId | undefined, steps: readonly FlatStep[]): FlatStep {
  const like = steps.find((step) => step.kind === "local");
  if (like?.kind !== "local") throw new Error("a program without operators");
  const operator: OperatorId = like.operator;
  return { ...like, operator, inputs: value === undefined ? [] : [value], outputs: [] };
}
