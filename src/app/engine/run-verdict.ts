import { compileText } from "#app/assist";
import { compileDocument, createSystemSteps } from "#compile";
import { type Diagnostic, hasErrors } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import { type RunOptions, type RunResult, runPlan } from "#execute/verify";
import { readDocument } from "#language/document";
import { splitTexts } from "#language/texts";
import type { RunAnswer, RunQuestion, RunStage, RunVerdict } from "./run-protocol.ts";

/** The last answer to a question; a thrown fault becomes the answer `failed`. */
export function answerRun(question: RunQuestion, onStage: (stage: RunStage) => void): RunAnswer {
  const { id } = question;
  try {
    return { kind: "ran", id, verdict: verdictOf(question, onStage) };
  } catch (fault) {
    return { kind: "failed", id, message: fault instanceof Error ? fault.message : String(fault) };
  }
}

/** Runs a text's program on whole numbers, sharded and unsharded, and compares every element. */
export function verdictOf(
  { source, without }: RunQuestion,
  onStage: (stage: RunStage) => void,
): RunVerdict {
  onStage("reading");
  const isLoom = splitTexts(source) !== undefined;
  const document = readDocument(isLoom ? "" : source);
  const { plan, program, diagnostics } = isLoom ? compileText(source) : compileDocument(document);
  if (hasErrors(diagnostics)) return refusal("The text has an error", diagnostics);
  const steps = program.stages.flatMap((stage) => stage.steps);
  if (without !== undefined && steps[without]?.kind !== "collective") {
    return { kind: "refused", message: "That step is no longer part of the program." };
  }
  const options: RunOptions = {
    seed: 1,
    values: "integers",
    onPart: onStage,
    traceBody: document.traceBody,
    systems: createSystemSteps(),
    ...(without !== undefined && { sabotage: { step: without, how: "drop" } }),
  };
  const run = runPlan(plan, program, options);
  if (!run.ok) return refusal("It cannot be run", run.diagnostics);
  return verdict(run.value, program.devices.length, run.diagnostics);
}

function verdict(
  { first, tensors }: RunResult,
  deviceCount: number,
  notes: readonly Diagnostic[],
): RunVerdict {
  if (first === undefined) {
    return { kind: "equal", tensorCount: tensors.length, deviceCount, notes };
  }
  const { tensor: name, ...where } = first;
  return { kind: "different", cell: { tensor: idOf(tensors, name), name, ...where }, notes };
}

function idOf(tensors: RunResult["tensors"], name: string): TensorId {
  const found = tensors.find((tensor) => tensor.name === name);
  if (found === undefined) throw new Error(`a run compared no tensor ${name}`);
  return found.tensor;
}

function refusal(what: string, diagnostics: readonly Diagnostic[]): RunVerdict {
  const error = diagnostics.find(({ severity }) => severity === "error");
  return {
    kind: "refused",
    message: error === undefined ? `${what}.` : `${what}: ${error.message}.`,
  };
}
