import type { Compiled } from "#compile";
import { tensorsById } from "#core/ir";

/** A value on a device at its memory peak. */
export interface MemoryItem {
  /** Name of the tensor; for memory kept besides a tensor, a description such as `mask of h`. */
  readonly name: string;
  readonly what:
    | "parameter"
    | "input"
    | "activation"
    | "gradient"
    | "optimizer state"
    | "copy"
    | "workspace";
  readonly bytes: number;
}

/** The tensors alive at the peak; several copies of one tensor add up. */
export function itemsOf({
  memory,
  program,
}: Pick<Compiled, "memory" | "program">): readonly MemoryItem[] {
  const tensors = tensorsById(program.graph);
  const values = new Map(program.values.map((value) => [value.id, value]));
  const items = new Map<string, MemoryItem>();
  for (const { value: id, what: beside, isWorkspace, bytes } of memory.alive) {
    const value = values.get(id);
    const tensor = value && tensors.get(value.tensor);
    if (value === undefined || tensor === undefined) continue;
    const role = value.role === "state" ? "optimizer state" : value.role;
    const own = program.made.get(tensor.id) === id ? role : "copy";
    const what = isWorkspace ? "workspace" : own;
    const name = beside === undefined ? tensor.name : `${beside} of ${tensor.name}`;
    const key = `${what} ${name}`;
    items.set(key, { name, what, bytes: (items.get(key)?.bytes ?? 0) + bytes });
  }
  return [...items.values()];
}

/** Bytes of one kind of tensor on a device. */
export interface HeldKind {
  readonly what: MemoryItem["what"];
  readonly bytes: number;
}

/**
 * Peak memory of the fullest device by kind of tensor, largest first; the kinds add up to the peak.
 */
export function heldKinds(compiled: Pick<Compiled, "memory" | "program">): readonly HeldKind[] {
  const kinds = new Map<MemoryItem["what"], number>();
  for (const { what, bytes } of itemsOf(compiled)) kinds.set(what, (kinds.get(what) ?? 0) + bytes);
  return [...kinds]
    .map(([what, bytes]) => ({ what, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
}
