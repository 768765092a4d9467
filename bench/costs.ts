import { answerTo } from "#cli";
import { compile } from "#compile";
import { estimate } from "#core/cost";
import { flatSteps, type SpmdProgram, type Step, type ValueId, valueId } from "#core/program";
import { schedule } from "#core/schedule";
import { type Measure, often } from "./measure.ts";
import { distinctProgram, gptTraining } from "./programs.ts";

/** Runs after which V8 has compiled their code; an editor's worker reaches that in seconds. */
const warmUps = 20;

/** Time of computing a plan's costs: all costs, and the schedule alone. */
export const costMeasures: readonly Measure[] = [
  estimating("estimate: 1 000 distinct operators", 0.01, distinctProgram(1_000)),
  estimating("estimate: a training step of 24 layers", 0.02, gptTraining(24, "zero=3")),
  scheduling("schedule: 100 000 items", 0.1, gptTraining(24, "zero=3")),
  planning("command plan: a training step of 24 layers", 0.25, gptTraining(24)),
  planning("command plan: the same in pieces (ZeRO)", 0.3, gptTraining(24, "zero=3")),
  planning("command plan: 1 000 distinct on 512 devices", 0.4, distinctProgram(1_000, 32, 16)),
];

function estimating(name: string, aimSeconds: number, text: string): Measure {
  const { program, hardware, rules } = compile(text);
  const run = () => {
    if (!(estimate(program, hardware, undefined, rules).seconds > 0)) throw new Error("no time");
  };
  return { name, aimSeconds, warmUp: warmUps, runs: often(run) };
}

function scheduling(name: string, aimSeconds: number, text: string): Measure {
  const { program } = compile(text);
  const long = repeated(program, Math.ceil(100_000 / flatSteps(program).length));
  const time = { seconds: 1e-4, fixed: 1e-5, launch: 0 };
  const run = () => {
    const { hidden } = schedule(long, () => time, { overlap: "weights", node: 8 });
    if (!(hidden > 0)) throw new Error("nothing is hidden");
  };
  return { name, aimSeconds, warmUp: 5, runs: often(run) };
}

/** A program repeated in sequence, each time with its own values. */
function repeated(program: SpmdProgram, times: number): SpmdProgram {
  const values: SpmdProgram["values"][number][] = [];
  const steps: Step[] = [];
  for (let time = 0; time < times; time += 1) {
    const own = new Map(program.values.map(({ id }) => [id, valueId(`${id} ${time}`)]));
    const nameOf = (id: ValueId) => own.get(id) ?? id;
    for (const value of program.values) values.push({ ...value, id: nameOf(value.id) });
    for (const step of flatSteps(program)) {
      if (step.kind === "local") {
        const [inputs, outputs] = [step.inputs.map(nameOf), step.outputs.map(nameOf)];
        steps.push({ ...step, inputs, outputs });
      } else steps.push({ ...step, input: nameOf(step.input), output: nameOf(step.output) });
    }
  }
  return { ...program, values, stages: program.stages.map((stage) => ({ ...stage, steps })) };
}

function planning(name: string, aimSeconds: number, program: string): Measure {
  const run = () => {
    if (!answerTo("plan", { program }).ok) throw new Error("the command did not plan");
  };
  return { name, aimSeconds, warmUp: 5, runs: often(run) };
}
