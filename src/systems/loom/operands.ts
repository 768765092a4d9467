import type { Projection } from "#core/indexspace";
import { type Side, type Slot, slotsAt } from "./document.ts";
import type { OperationNode } from "./graph.ts";

/** A selection of an operation with its projection, where it has one. */
export interface OperandSlot extends Slot {
  readonly projection?: Projection;
}

/**
 * Selections of an operation in operand order: inputs as `params.arguments` lists them, else by
 * name in alphabetical order, which is how Loom keeps them; then outputs.
 */
export function operandSlots(operation: OperationNode): readonly OperandSlot[] {
  return [...inputsOf(operation), ...slotsAt(operation, "outputs")].map((slot) => {
    const projection = projectionAt(operation, slot.side, slot.name, slot.position);
    return projection === undefined ? slot : { ...slot, projection };
  });
}

function inputsOf(operation: OperationNode): readonly Slot[] {
  const slots = slotsAt(operation, "inputs");
  const listed = operation.params.get("arguments");
  if (!Array.isArray(listed)) return slots;
  const left = [...slots];
  const ordered = listed.flatMap((name): Slot[] => {
    const at = left.findIndex((slot) => slot.name === name);
    return at < 0 ? [] : left.splice(at, 1);
  });
  return left.length === 0 ? ordered : slots;
}

function projectionAt(
  { tags }: OperationNode,
  side: Side,
  name: string,
  position: number,
): Projection | undefined {
  return tags.signature?.[side].get(name)?.[position];
}
