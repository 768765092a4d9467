import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileDocument, createSystemSteps } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { flatSteps, type SpmdProgram } from "#core/program";
import { runPlan } from "#execute/verify";
import { readDocument } from "#systems";

/**
 * Runs programs of other authors on the CPU engine and compares them with the reference, on
 * integers: `PROGRAMS=<folder> npm run foreign [minimum to run]`. The folder has Python files, or
 * JSON lists of `{ name, program }`. Exit status 1 when one differs, or when too few run.
 */
interface Foreign {
  readonly name: string;
  readonly program: string;
}

/**
 * Outcome of a program: it equals the reference, differs, or does not run, with the reason. A
 * program may differ (`as told`) if an operator runs on its own blocks alone and the program says
 * so.
 */
interface Outcome {
  readonly kind: "equal" | "differs" | "as told" | "refused";
  readonly why: string;
}

const folder = process.env.PROGRAMS;
if (folder === undefined) throw new Error("PROGRAMS names the folder with the programs to run");
const wanted = Number(process.argv[2] ?? 50);
const programs = readdirSync(folder).flatMap((file) => programsIn(join(folder, file)));
const counts = { equal: 0, differs: 0, "as told": 0, refused: 0 };
for (const { name, program } of programs) {
  const { kind, why } = outcomeOf(program);
  counts[kind] += 1;
  console.log(`${kind.padEnd(8)} ${name}${why === "" ? "" : `: ${why}`}`);
}
const { equal, differs, refused, "as told": told } = counts;
console.log(
  `${equal} equal the reference, ${differs} differ, ${told} differ as they say, ${refused} do not run`,
);
if (differs > 0 || equal < wanted) process.exitCode = 1;

function programsIn(path: string): readonly Foreign[] {
  if (path.endsWith(".py")) return [{ name: path, program: readFileSync(path, "utf8") }];
  if (!path.endsWith(".json")) return [];
  const entries: readonly Foreign[] = JSON.parse(readFileSync(path, "utf8"));
  return entries.filter(({ program }) => typeof program === "string");
}

function outcomeOf(text: string): Outcome {
  const document = readDocument(text);
  const { plan, program, diagnostics } = compileDocument(document);
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (hasErrors(diagnostics)) return { kind: "refused", why: error?.message ?? "" };
  if (program.graph.operators.length === 0) return { kind: "refused", why: "no operators" };
  const run = runPlan(plan, program, {
    seed: 1,
    values: "integers",
    traceBody: document.traceBody,
    systems: createSystemSteps(),
  });
  if (!run.ok) return { kind: "refused", why: run.diagnostics.at(-1)?.message ?? "" };
  const { first } = run.value;
  if (first === undefined) return { kind: "equal", why: "" };
  const why = `${first.tensor} at ${first.index} on device ${first.device}`;
  return { kind: runsAlone(program) ? "as told" : "differs", why };
}

/** Whether every device runs some operator as if its blocks were whole tensors. */
function runsAlone(program: SpmdProgram): boolean {
  return flatSteps(program).some(
    (step) => step.kind === "local" && step.unverified?.isAlone === true,
  );
}
