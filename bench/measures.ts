import { spawnSync } from "node:child_process";
import { decodeLink, encodeLink } from "#app/share";
import { answerTo } from "#cli";
import { compile } from "#compile";
import { planReshard } from "#core/reshard";
import { randomEdges, shape } from "./edges.ts";

/** Something that is timed, and how long it may take. */
export interface Measure {
  readonly name: string;
  readonly aimSeconds: number;
  /** What is timed one by one; the middle one counts. */
  readonly runs: readonly (() => void)[];
}

/** What is timed, each against its aim on two slow cores. */
export const measures: readonly Measure[] = [
  { name: "command line: one answer, npm included", aimSeconds: 0.5, runs: often(startUp) },
  { name: "parse: a thousand annotations", aimSeconds: 1, runs: often(parseThousand) },
  { name: "link: 100 kB made and opened", aimSeconds: 0.1, runs: often(linkAndOpen) },
  {
    name: "compile: two matmuls on 4 devices",
    aimSeconds: 0.02,
    runs: often(() => compileChain(2, 2, 2)),
  },
  {
    name: "compile: 300 operators on 64 devices",
    aimSeconds: 0.15,
    runs: often(() => compileChain(300, 8, 8)),
  },
  {
    name: "compile: 1 000 operators on 512 devices",
    aimSeconds: 0.4,
    runs: often(() => compileChain(1_000, 32, 16)),
  },
  { name: "reshard: an edge at 3 axes", aimSeconds: 0.000_2, runs: edgesOn([4, 2, 2]) },
  { name: "reshard: an edge at 4 axes", aimSeconds: 0.001, runs: edgesOn([4, 4, 2, 2]) },
  { name: "reshard: an edge at 6 axes", aimSeconds: 0.02, runs: edgesOn([2, 2, 2, 2, 2, 2]) },
];

function often(run: () => void): readonly (() => void)[] {
  return Array.from({ length: 5 }, () => run);
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

/** A chain of matmuls, cut by rows and columns in turn, so that about half of them redistribute. */
function compileChain(operators: number, dp: number, mp: number): void {
  const { graph } = compile(chainProgram(operators, dp, mp));
  if (graph.operators.length !== operators) throw new Error("the program was not read whole");
}

function chainProgram(operators: number, dp: number, mp: number): string {
  const layers = Array.from({ length: operators }, (_, at) => [
    `w${at} = Parameter((4096, 4096), "bf16")`,
    `h${at + 1} = project(h${at}, w${at})`,
    `strategy(h${at + 1}, b="dp", ${at % 2 === 0 ? 'f="mp"' : 'k="mp"'})`,
  ]);
  return [
    `mesh = Mesh(dp=${dp}, mp=${mp})`,
    "# annotation: b k+, k+ f -> b f",
    "def project(x, w):",
    "    return torch.matmul(x, w)",
    'h0 = Tensor((4096, 4096), "bf16")',
    ...layers.flat(),
    "",
  ].join("\n");
}
