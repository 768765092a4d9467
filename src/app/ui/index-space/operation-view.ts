import type { Compiled } from "#compile";

/** An operation of an imported graph as its text has it. */
export type Operation = NonNullable<Compiled["imported"]>["operations"][number];

/** One of its selections. */
export type Operand = Operation["operands"][number];

/** `tensors[1]`. */
export function slotText({ name, position }: Operand): string {
  return `${name}[${position}]`;
}
