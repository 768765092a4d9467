import { capitalized, type Diagnostic } from "#core/diagnostics";
import { flatSteps, type SpmdProgram } from "#core/program";
import {
  type EngineRun,
  type InjectedFault,
  type StepFaultKind,
  type UndetectableFault,
  whyUndetectable,
} from "#execute/engine";
import type { UndetectedFault } from "#execute/verify";
import type { RunReport, WeightsTaken, WrongCell } from "./run-protocol.ts";

/** Facts that the verdict's sentence states. */
interface Told extends Pick<RunReport, "kind" | "deviceCount" | "cell" | "notes" | "rounding"> {
  readonly tensors: { readonly length: number };
  /** Injected fault in words: `without this all-gather`. */
  readonly fault?: string;
  /** Sentence on why the fault does not show. */
  readonly unseen?: string;
  /** Part of the program that ran, if not all of it. */
  readonly at?: string;
  /** Use of a weights file, if there is one. */
  readonly weights?: WeightsTaken;
}

/** Verdict of a run in one or two plain sentences. */
export function runSentence({
  kind,
  tensors,
  deviceCount,
  cell,
  notes,
  fault,
  unseen,
  at,
  weights,
  rounding,
}: Told): string {
  const taken = weights === undefined ? "" : `, ${weights.words} of ${weights.file}`;
  const on = rounding === undefined ? taken : `${taken}, ${rounding}`;
  if (kind === "equal" || cell === undefined) {
    const counts = `${count(tensors.length, "tensor")}, ${count(deviceCount, "device")}${on}`;
    if (fault === undefined) {
      return at === undefined
        ? `Equals the unsharded program: ${counts}, ${exactness(notes)}.`
        : `Equal ${at}: ${counts}, ${exactness(notes)}.`;
    }
    const less = at === undefined ? "" : ` It was run ${at}.`;
    const why = unseen === undefined ? "" : ` ${unseen}`;
    return `Still equal ${fault}: ${counts}.${why}${less}`;
  }
  const less = at === undefined ? "" : ` It was run ${at}.`;
  const wrong = `${cellSentence(cell)}${less}`;
  return fault === undefined ? `Differs: ${wrong}` : `${capitalized(fault)}, ${wrong}`;
}

/** Injected fault in words, for the collective or tensor named `of`. */
export function faultWords({ how }: InjectedFault, of: string): string {
  switch (how) {
    case "drop":
      return `without this ${of}`;
    case "swap":
      return `with the order of this ${of} swapped`;
    case "group":
      return `with a member of another group in this ${of}`;
    case "order":
      return `with the members of this ${of} in another order`;
    case "stale":
      return `with a stale block on one device in place of this ${of}`;
    case "scale":
      return `with the scale of this ${of} missing`;
    case "cut":
      return `with ${of} cut along the wrong dim`;
  }
}

/**
 * Reason why a fault at step `at` changes nothing, and a fault that would; `undefined` if it can
 * show.
 */
export function invisibleFault(
  program: SpmdProgram,
  at: number,
  how: StepFaultKind,
): UndetectableFault | undefined {
  const step = flatSteps(program)[at];
  return step?.kind === "collective" ? whyUndetectable(program, step, how) : undefined;
}

/** Sentence on why a fault did not show in a run, and which one can. */
export function unseenSentence({ why, instead }: UndetectedFault, of: string): string {
  const can = instead === undefined ? "" : ` “${faultNames[instead.how]}”${of} can.`;
  return `It cannot show: ${why}.${can}`;
}

/** Labels of step faults in the list of choices. */
export const faultNames: Readonly<Record<StepFaultKind, string>> = {
  drop: "Leave out",
  swap: "Swap two members",
  group: "Wrong group",
  order: "Another order",
  stale: "Stale block",
  scale: "Missing scale",
};

/**
 * Sentence on how a CPU run computed: Wasm vectors (SIMD) for large contractions, else JavaScript.
 */
export function cpuSentence({ hasVectors, vectorSteps }: NonNullable<EngineRun["cpu"]>): string {
  if (!hasVectors) return "All in JavaScript, because this browser has no vectors in Wasm (SIMD).";
  return vectorSteps === 0
    ? "All in JavaScript: no contraction is large enough for vectors in Wasm (SIMD)."
    : `${count(vectorSteps, "step")} with vectors in Wasm (SIMD), all else in JavaScript.`;
}

function cellSentence({ name, index, device, got, want }: WrongCell): string {
  const at = `${name}${index.length === 0 ? "" : `[${index.join(", ")}]`}`;
  const has = Number.isNaN(got) ? "has nothing at" : `has ${figure(got)} at`;
  return `device ${device} ${has} ${at}, where the unsharded program has ${figure(want)}.`;
}

/**
 * Exactness of the comparison in words. Integers that grow too large are compared as floats, whose
 * sums depend on their order.
 */
function exactness(notes: readonly Diagnostic[]): string {
  const codes = new Set(notes.map(({ code }) => code));
  if (codes.has("execute/not-exact") || codes.has("execute/floats"))
    return "within the rounding of floats";
  return codes.has("execute/words") ? "bit for bit on words of 32 bits" : "bit for bit";
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** Number with a true minus sign; floats have at most six digits. */
function figure(value: number): string {
  if (Number.isNaN(value)) return "no number";
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return text.replaceAll("-", "−");
}
