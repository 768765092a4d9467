import type { CompileOptions } from "#compile";
import { compileDocument } from "#compile";
import type { Document } from "#language/document";
import { itemsOf, type MemoryItem } from "./alive-items.ts";
import { withPlan } from "./planned-costs.ts";
import type { PlannedProgram } from "./planned-words.ts";

/** The memory of one device by purpose, and its largest items. */
export interface MemoryParts {
  readonly bytes: number;
  readonly parameters: number;
  readonly inputs: number;
  readonly activations: number;
  readonly gradients: number;
  readonly optimizer: number;
  /** Bytes of copies made by redistributions, included in the figures above. */
  readonly copies: number;
  readonly largest: readonly MemoryItem[];
}

/** The most items in the list. */
const itemLimit = 8;

/** Memory of a device under a plan; by a cost model if one is named. */
export function memoryParts(
  document: Document,
  plan: PlannedProgram,
  options: Pick<CompileOptions, "outputs" | "model"> = {},
): MemoryParts {
  const { memory, program } = compileDocument(withPlan(document, plan), options);
  const items = itemsOf({ memory, program });
  return {
    bytes: memory.peakBytes,
    parameters: memory.parameterBytes,
    inputs: memory.inputBytes,
    activations: memory.activationBytes,
    gradients: memory.gradientBytes,
    optimizer: memory.optimizerBytes,
    copies: items.reduce((sum, { what, bytes }) => (what === "copy" ? sum + bytes : sum), 0),
    largest: items.toSorted((a, b) => b.bytes - a.bytes).slice(0, itemLimit),
  };
}
