import { tensorsById } from "#core/ir";
import type { Document } from "#language/document";
import { compileDocument } from "./compile.ts";
import type { Compiled, CompileOptions } from "./compiled.ts";
import { withPlan } from "./planned-costs.ts";
import type { PlannedProgram } from "./planned-words.ts";

/** Something that a device holds at its fullest moment. */
export interface MemoryItem {
  /** The tensor's name. */
  readonly name: string;
  readonly what: "parameter" | "input" | "activation" | "gradient" | "optimizer state" | "copy";
  readonly bytes: number;
}

/** The memory of one device by what it is for, and its largest items first. */
export interface MemoryParts {
  readonly bytes: number;
  readonly parameters: number;
  readonly inputs: number;
  readonly activations: number;
  readonly gradients: number;
  readonly optimizer: number;
  /** Of these what redistributions make beside the tensors themselves. */
  readonly copies: number;
  readonly largest: readonly MemoryItem[];
}

/** Items that are listed. */
const itemLimit = 8;

/** What a device holds when a program runs by a plan, under a cost model where one is named. */
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

/** What is alive at the peak; what one tensor holds in several copies adds up. */
function itemsOf({ memory, program }: Pick<Compiled, "memory" | "program">): readonly MemoryItem[] {
  const tensors = tensorsById(program.graph);
  const values = new Map(program.values.map((value) => [value.id, value]));
  const items = new Map<string, MemoryItem>();
  for (const { value: id, bytes } of memory.alive) {
    const value = values.get(id);
    const tensor = value && tensors.get(value.tensor);
    if (value === undefined || tensor === undefined) continue;
    const role = value.role === "state" ? "optimizer state" : value.role;
    const what = program.made.get(tensor.id) === id ? role : "copy";
    const key = `${what} ${tensor.name}`;
    items.set(key, { name: tensor.name, what, bytes: (items.get(key)?.bytes ?? 0) + bytes });
  }
  return [...items.values()];
}
