import type { Compiled } from "#compile";

/** Operation of an imported graph as its text states it. */
export type Operation = NonNullable<Compiled["imported"]>["operations"][number];

/** Operand (selection) of an imported operation. */
export type Operand = Operation["operands"][number];

/** Slot of an operand, such as `tensors[1]`. */
export function slotText({ name, position }: Operand): string {
  return `${name}[${position}]`;
}
