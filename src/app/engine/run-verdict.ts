import { compileText } from "#app/language-service";
import { compileDocument, createSystemSteps } from "#compile";
import { type Checked, type Diagnostic, hasErrors } from "#core/diagnostics";
import { flatSteps, type SpmdProgram } from "#core/program";
import type { Cancel } from "#execute/engine";
import {
  explainUndetectedFault,
  type OwnNumbers,
  type RunOptions,
  type RunResult,
  runPlanOn,
  withRead,
} from "#execute/verify";
import { GpuBudgetError, GpuLostError } from "#execute/webgpu";
import { uncalledInputGenerators } from "#language/document";
import { splitTexts } from "#language/texts";
import { readDocument } from "#systems";
import { paceOn } from "./pace-on.ts";
import { type ReadWeights, readWeights } from "./read-weights.ts";
import type { ChosenEngine, RunEngines } from "./run-engines.ts";
import type { RunFault, RunProgress, RunRequest, RunSettings, RunVerdict } from "./run-protocol.ts";
import { reportOf } from "./run-report.ts";

/** Finished run, with its values kept for later requests. */
export interface Ended {
  readonly verdict: RunVerdict;
  readonly result?: RunResult;
}

/** Work limit of a run in index points, about ten seconds. */
const mostWork = 80_000_000;

/**
 * Work limit if the reader asks for the text's own sizes and the engine's pace is unknown. With a
 * known pace the limit is one hour.
 */
const mostWholeWork = 30_000_000_000;

type Say = (progress: RunProgress) => void;

/**
 * Runs a text's program sharded and unsharded, and compares every element. Throws the signal's
 * reason if it is aborted.
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
    const sentence = "The step that was to be broken is no longer in the program.";
    return { verdict: { kind: "refused", sentence } };
  }
  const weights = await weightsOf(task, program, signal);
  if (weights?.ok === false) return refused("The weights cannot be taken", weights.diagnostics);
  const isOwn = settings.sizes === "own";
  const options: RunOptions = {
    seed: settings.seed,
    values: settings.values,
    precision: settings.precision ?? "own",
    sizes: settings.sizes,
    own: ownOf(settings, weights?.value),
    ...(settings.optimizerStep !== undefined && { optimizerStep: settings.optimizerStep }),
    mostWork: isOwn ? mostWholeWork : mostWork,
    onPart: (stage) => say({ stage }),
    traceBody: document.traceBody,
    systems: createSystemSteps(),
    ...(fault !== undefined && { sabotage: fault }),
  };
  const pacedOn = async ({ engine }: ChosenEngine) => {
    const pace = await paceOn(engine, settings.values, engines.clock, signal);
    return pace === undefined ? {} : { pace };
  };
  const runOn = async (chosen: ChosenEngine) => {
    const paced = isOwn ? await pacedOn(chosen) : {};
    return runPlanOn(chosen.engine, plan, program, { ...options, ...paced }, signal);
  };
  const { run, label, chosen } = await surviving(
    runOn,
    engines,
    await chosenFor(task, engines, say),
    say,
    signal,
  );
  if (!run.ok) return refused("It cannot be run", run.diagnostics);
  const isUnseen = fault !== undefined && run.value.equal;
  const report = reportOf({
    ...{ program, settings, fault, engine: label },
    ...(isUnseen && {
      unseen: explainUndetectedFault(await withRead(run.value.ran, fault), fault),
    }),
    result: run.value,
    notes: [...run.diagnostics, ...uncalledInputGenerators(document)],
    ...(weights !== undefined && { weights: weights.value }),
    ...(run.value.shrunk !== undefined && (await pacedOn(chosen))),
  });
  return { verdict: report, result: run.value };
}

/** Values from the reader's weights file; `undefined` without a file. */
async function weightsOf(
  { settings: { weights } }: RunRequest,
  { graph }: SpmdProgram,
  signal: Cancel | undefined,
): Promise<Checked<ReadWeights> | undefined> {
  return weights && readWeights(weights, graph, signal);
}

/** Values given by hand, then those of the file for the remaining tensors. */
function ownOf({ own }: RunSettings, weights: ReadWeights | undefined): readonly OwnNumbers[] {
  const written = new Set(own.map(({ tensor }) => tensor));
  return [...own, ...(weights?.own ?? []).filter(({ tensor }) => !written.has(tensor))];
}

/**
 * Engine for a run. Faults that change blocks can only be injected on the CPU, unlike faults in
 * messages.
 */
async function chosenFor(
  { settings, fault, cpuBecause }: RunRequest,
  engines: RunEngines,
  say: Say,
): Promise<ChosenEngine> {
  if (cpuBecause !== undefined) return engines.cpu(cpuBecause);
  if (fault?.how === "stale" || fault?.how === "scale")
    return engines.cpu("this fault is put in on the CPU");
  return engines.choose(settings.engine, say);
}

/** Whether the faulted step or tensor exists in the program. */
function isThere(program: SpmdProgram, fault: RunFault): boolean {
  return fault.how === "cut"
    ? program.graph.tensors.some(
        ({ id, producer }) => id === fault.tensor && producer === undefined,
      )
    : flatSteps(program)[fault.step]?.kind === "collective";
}

/**
 * Runs on an engine; if a GPU fails for good (lost twice, out of memory, unreadable results),
 * repeats the run on the CPU with that reason.
 */
async function surviving<Run>(
  runOn: (chosen: ChosenEngine) => Promise<Run>,
  engines: RunEngines,
  chosen: ChosenEngine,
  say: Say,
  signal: Cancel | undefined,
): Promise<{
  readonly run: Run;
  readonly label: ChosenEngine["label"];
  readonly chosen: ChosenEngine;
}> {
  try {
    return { run: await runOn(chosen), label: chosen.label, chosen };
  } catch (fault) {
    signal?.throwIfAborted();
    if (chosen.label.name === "cpu") throw fault;
    say({ stage: "again" });
    const cpu = engines.cpu(whyNotOnGpu(fault));
    return { run: await runOn(cpu), label: cpu.label, chosen: cpu };
  }
}

function whyNotOnGpu(fault: unknown): string {
  const message = fault instanceof Error ? fault.message : String(fault);
  if (fault instanceof GpuLostError) return message;
  return fault instanceof GpuBudgetError
    ? `the GPU has too little memory for it (${message})`
    : `the GPU failed during the run (${message})`;
}

function refused(what: string, diagnostics: readonly Diagnostic[]): Ended {
  const error = diagnostics.find(({ severity }) => severity === "error");
  const fit = diagnostics.find(({ code }) => code === "execute/would-fit")?.message;
  const sentence = error === undefined ? `${what}.` : `${what}: ${error.message}.`;
  return { verdict: { kind: "refused", sentence, ...(fit !== undefined && { fit }) } };
}
