import { spawnSync } from "node:child_process";
import { layoutGraph } from "#app/scene/graph";
import { decodeLink, encodeLink } from "#app/share";
import { answerTo } from "#cli";
import { type CompileOptions, compile } from "#compile";
import { planReshard } from "#core/reshard";
import { largeProgram, shapes } from "../src/app/scene/graph/large-programs.testing.ts";
import { costMeasures } from "./costs.ts";
import { decoderModel, scanModel } from "./deep-models.ts";
import { randomEdges, shape } from "./edges.ts";
import { hostileMeasures } from "./hostile.ts";
import { loomChain, loomChainPlan } from "./looms.ts";
import { type Measure, often } from "./measure.ts";
import { pastedModelMeasures } from "./pasted-edits.ts";
import { planMeasures } from "./plans.ts";
import { chainProgram, distinctProgram, gpt3Program } from "./programs.ts";
import { surveyMeasures } from "./surveys.ts";

/** Texts after which V8 has compiled their code; an editor's worker reaches that in seconds. */
const warmUps = 20;

/** All measures, each with its aim on two slow cores. */
export const measures: readonly Measure[] = [
  { name: "command line: one answer, npm included", aimSeconds: 0.5, runs: often(startUp) },
  { name: "parse: a thousand annotations", aimSeconds: 1, runs: often(parseThousand) },
  { name: "link: 100 kB made and opened", aimSeconds: 0.1, runs: often(linkAndOpen) },
  {
    name: "compile: two matmuls on 4 devices",
    aimSeconds: 0.02,
    runs: compiling(chainProgram(2, 2, 2), 2),
  },
  {
    name: "compile: 300 operators on 64 devices",
    aimSeconds: 0.15,
    runs: compiling(chainProgram(300, 8, 8), 300),
  },
  {
    name: "compile: 1 000 operators on 512 devices",
    aimSeconds: 0.4,
    runs: compiling(chainProgram(1_000, 32, 16), 1_000),
  },
  {
    name: "compile: 1 000 distinct operators, 64 devices",
    aimSeconds: 0.06,
    warmUp: warmUps,
    runs: compiling(distinctProgram(1_000), 1_000),
  },
  {
    name: "compile: GPT-3 of 96 layers on 512 devices",
    aimSeconds: 0.15,
    warmUp: warmUps,
    runs: compiling(gpt3Program(), 1_922),
  },
  {
    name: "compile: a decoder of 10 000 operators",
    aimSeconds: 1.5,
    counts: "slowest",
    runs: compiling(decoderModel(10_000), 10_000),
  },
  {
    name: "compile: a scan of 6 218 operators",
    aimSeconds: 1,
    counts: "slowest",
    runs: compiling(scanModel(6_218), 6_218),
  },
  {
    name: "compile: a scan of 6 218, thousands warned of",
    aimSeconds: 1,
    counts: "slowest",
    runs: compiling(`${scanModel(6_218)}strategy("*", b="dp")\n`, 6_218),
  },
  {
    name: "command line: a plan of 2 034 operators",
    aimSeconds: 1.5,
    runs: often(planOnCommandLine),
  },
  {
    name: "compile: a LoomGraph of 5 000 nodes",
    aimSeconds: 1,
    runs: compiling(loomChain(2_500), 2_500, { planText: loomChainPlan }),
  },
  {
    name: "reshard: an edge at 3 axes",
    aimSeconds: 0.000_2,
    warmUp: 200,
    runs: edgesOn([4, 2, 2]),
  },
  { name: "reshard: an edge at 4 axes", aimSeconds: 0.001, runs: edgesOn([4, 4, 2, 2]) },
  { name: "reshard: an edge at 6 axes", aimSeconds: 0.02, runs: edgesOn([2, 2, 2, 2, 2, 2]) },
  ...pastedModelMeasures,
  ...costMeasures,
  ...planMeasures,
  ...surveyMeasures,
  ...layouts(),
  ...hostileMeasures,
];

/** Canvas layouts of large programs without repeated parts. */
function layouts(): readonly Measure[] {
  const trained = compile(`${distinctProgram(150)}train(h150)\n`);
  const step: Measure = {
    name: "layout: a training step of 150 distinct operators",
    aimSeconds: 0.3,
    runs: often(() => layoutGraph(trained)),
  };
  return [step, ...forwardLayouts()];
}

function forwardLayouts(): readonly Measure[] {
  return Object.entries(shapes).map(([shape, readsOf]) => {
    const compiled = largeProgram(readsOf);
    return {
      name: `layout: 10 000 operators in ${shape}`,
      aimSeconds: 2,
      runs: often(() => layoutGraph(compiled)),
    };
  });
}

/** Plans of 300 edges of rank 3. */
function edgesOn(sizes: readonly number[]): readonly (() => void)[] {
  return randomEdges(sizes, 300).map(({ from, to }) => () => {
    if (planReshard(from, to, shape).front.length === 0) throw new Error("the edge has no plan");
  });
}

function startUp(): void {
  const { status } = spawnSync("npm", ["run", "--silent", "cli", "--", "parse", "a b -> b a"]);
  if (status !== 0) throw new Error("the command line did not answer");
}

/** Plans a large program on the command line; exceeding the request's time limit is a failure. */
function planOnCommandLine(): void {
  const input = `${JSON.stringify({ command: "plan", args: { program: decoderModel(2_034) } })}\n`;
  const options = { input, maxBuffer: 2 ** 26 };
  const { stdout } = spawnSync("npm", ["run", "--silent", "cli", "--", "batch"], options);
  const { ok } = JSON.parse(stdout.toString());
  if (ok !== true) throw new Error("the command line did not plan");
}

function parseThousand(): void {
  for (let at = 0; at < 1_000; at++) {
    const { ok } = answerTo("parse", { annotation: "b s k+, k+ (h d^) -> b h s d^" });
    if (!ok) throw new Error("the annotation was not read");
  }
}

function linkAndOpen(): void {
  const lines = Array.from({ length: 4_000 }, (_, at) => `h${at} = gelu(h${(at * 7919) % 4_000})`);
  if (decodeLink(encodeLink({ text: lines.join("\n") })).kind !== "document") {
    throw new Error("the link did not open");
  }
}

/** Compiles one text, which must have the given number of operators. */
function compiling(
  program: string,
  operators: number,
  options: CompileOptions = {},
): readonly (() => void)[] {
  return often(() => {
    const { graph } = compile(program, options);
    if (graph.operators.length !== operators) throw new Error("the program was not read whole");
  });
}
