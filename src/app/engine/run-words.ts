import { capitalized, type Diagnostic } from "#core/diagnostics";
import type { EngineRun, Sabotage } from "#execute/engine";
import type { RunReport, WrongCell } from "./run-protocol.ts";

/** What a verdict is made of, for its sentence. */
interface Told extends Pick<RunReport, "kind" | "deviceCount" | "cell" | "notes"> {
  readonly tensors: { readonly length: number };
  /** What was put in, in words: `without this all-gather`. */
  readonly fault?: string;
  /** On how much of the program, where that is not all of it. */
  readonly at?: string;
}

/** What a run says of the program, in one plain sentence or two. */
export function runSentence({ kind, tensors, deviceCount, cell, notes, fault, at }: Told): string {
  if (kind === "equal" || cell === undefined) {
    const counts = `${count(tensors.length, "tensor")}, ${count(deviceCount, "device")}`;
    if (fault === undefined) {
      return at === undefined
        ? `Equals the unsharded program: ${counts}, ${exactness(notes)}.`
        : `Equal ${at}: ${counts}, ${exactness(notes)}.`;
    }
    const less = at === undefined ? "" : ` It was run ${at}.`;
    return `Still equal ${fault}: ${counts}. On these numbers nothing depends on it.${less}`;
  }
  const less = at === undefined ? "" : ` It was run ${at}.`;
  const wrong = `${cellSentence(cell)}${less}`;
  return fault === undefined ? `Differs: ${wrong}` : `${capitalized(fault)}, ${wrong}`;
}

/** A fault in words: what the program runs with, or without. */
export function faultWords({ how }: Sabotage, of: string): string {
  switch (how) {
    case "drop":
      return `without this ${of}`;
    case "swap":
      return `with the order of this ${of} swapped`;
    case "cut":
      return `with ${of} cut along the wrong dim`;
  }
}

/** What a CPU computed with: vectors in Wasm where a contraction is worth it, else JavaScript. */
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

/** Numbers that outgrow whole numbers are compared as floats, whose sums depend on their order. */
function exactness(notes: readonly Diagnostic[]): string {
  return notes.some(({ code }) => code === "execute/not-exact" || code === "execute/floats")
    ? "within the rounding of floats"
    : "bit for bit";
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** A number with a true minus; of a float no more digits than it has. */
function figure(value: number): string {
  if (Number.isNaN(value)) return "no number";
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return text.replaceAll("-", "−");
}
