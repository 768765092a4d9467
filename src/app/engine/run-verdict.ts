import { compileText } from "#app/language-service";
import { compileDocument, createSystemSteps } from "#compile";
import { type Diagnostic, hasErrors } from "#core/diagnostics";
import { flatSteps, type SpmdProgram } from "#core/program";
import type { Cancel } from "#execute/engine";
import { type RunOptions, type RunResult, runPlanOn } from "#execute/verify";
import { GpuBudgetError, GpuLostError } from "#execute/webgpu";
import { drawnInstead } from "#language/document";
import { splitTexts } from "#language/texts";
import { readDocument } from "#systems";
import type { ChosenEngine, RunEngines } from "./run-engines.ts";
import type { RunFault, RunProgress, RunRefusal, RunRequest, RunVerdict } from "./run-protocol.ts";
import { reportOf } from "./run-report.ts";

/** A run that came to its end, and what it left behind to look at. */
export interface Ended {
  readonly verdict: RunVerdict;
  readonly result?: RunResult;
}

/** Points that a run may take: some ten seconds, in which it says how far it is. */
const mostWork = 80_000_000;

/** The same where the reader asks for the sizes of the text, knowing what they take. */
const mostWholeWork = 30_000_000_000;

type Say = (progress: RunProgress) => void;

/**
 * Runs a text's program, sharded and unsharded, and compares every element; throws what the signal
 * says when the run is no longer wanted.
 */
export async function verdictOf(
  task: RunRequest,
  engines: RunEngines,
  say: Say,
  signal?: Cancel,
): Promise<Ended> {
  say({ stage: "reading" });
  const { source, settings, fault } = task;
  const isLoom = splitTexts(source) !== undefined;
  const document = readDocument(isLoom ? "" : source);
  const { plan, program, diagnostics } = isLoom ? compileText(source) : compileDocument(document);
  if (hasErrors(diagnostics)) return refused("The text has an error", diagnostics);
  if (fault !== undefined && !isThere(program, fault)) {
    const sentence = "What was to be broken is no longer part of the program.";
    return { verdict: { kind: "refused", sentence } };
  }
  const options: RunOptions = {
    seed: settings.seed,
    values: settings.values,
    sizes: settings.sizes,
    own: settings.own,
    mostWork: settings.sizes === "own" ? mostWholeWork : mostWork,
    onPart: (stage) => say({ stage }),
    traceBody: document.traceBody,
    systems: createSystemSteps(),
    ...(fault !== undefined && { sabotage: fault }),
  };
  const runOn = ({ engine }: ChosenEngine) => runPlanOn(engine, plan, program, options, signal);
  const { run, label } = await surviving(
    runOn,
    engines,
    isOnCpu(fault)
      ? engines.cpu("this fault is put in on the CPU")
      : await engines.choose(settings.engine, say),
    say,
  );
  if (!run.ok) return refused("It cannot be run", run.diagnostics);
  const report = reportOf({
    ...{ program, settings, fault, engine: label },
    result: run.value,
    notes: [...run.diagnostics, ...drawnInstead(document)],
  });
  return { verdict: report, result: run.value };
}

/** Faults of what devices hold, not of the ways that messages go. */
function isOnCpu(fault: RunFault | undefined): boolean {
  return fault?.how === "stale" || fault?.how === "scale";
}

/** Whether a program has what a fault is to be put in. */
function isThere(program: SpmdProgram, fault: RunFault): boolean {
  return fault.how === "cut"
    ? program.graph.tensors.some(
        ({ id, producer }) => id === fault.tensor && producer === undefined,
      )
    : flatSteps(program)[fault.step]?.kind === "collective";
}

/** A run on an engine; where its GPU is lost for good, on the CPU. */
async function surviving<Run>(
  runOn: (chosen: ChosenEngine) => Promise<Run>,
  engines: RunEngines,
  chosen: ChosenEngine,
  say: Say,
): Promise<{ readonly run: Run; readonly label: ChosenEngine["label"] }> {
  try {
    return { run: await runOn(chosen), label: chosen.label };
  } catch (fault) {
    if (!(fault instanceof GpuLostError)) throw fault;
    say({ stage: "again" });
    const cpu = engines.cpu(fault.message);
    return { run: await runOn(cpu), label: cpu.label };
  }
}

/** What an exception of a run says: of memory, numbers; all else is a fault of ours. */
export function refusalOf(fault: unknown): RunRefusal | undefined {
  return fault instanceof GpuBudgetError
    ? { kind: "refused", sentence: `It cannot be run: ${fault.message}.` }
    : undefined;
}

function refused(what: string, diagnostics: readonly Diagnostic[]): Ended {
  const error = diagnostics.find(({ severity }) => severity === "error");
  const fit = diagnostics.find(({ code }) => code === "execute/would-fit")?.message;
  const sentence = error === undefined ? `${what}.` : `${what}: ${error.message}.`;
  return { verdict: { kind: "refused", sentence, ...(fit !== undefined && { fit }) } };
}
