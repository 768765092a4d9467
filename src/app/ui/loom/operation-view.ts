import type { Compiled } from "#app/state";

/** An operation of a LoomGraph as its text has it. */
export type Operation = NonNullable<Compiled["loom"]>["operations"][number];

/** One of its selections. */
export type Operand = Operation["operands"][number];

/** `tensors[1]`. */
export function slotText({ name, position }: Operand): string {
  return `${name}[${position}]`;
}
