import type { Operator, OperatorId } from "#core/ir";
import type { DisplayNames } from "../display-names.ts";

/** The name of an item; equal for equal work of equal layers. */
interface ItemName {
  /** Kind of operator, with the pass unless forward: `attention`, `linear, backward`. */
  readonly what: string;
  /** Place in the program, with `*` for layer indices: `blocks[*].y`. */
  readonly where: string;
}

/** The name and place of an operator, merged over equal layers. */
export function labelOf(
  id: OperatorId,
  operators: ReadonlyMap<OperatorId, Operator>,
  said: DisplayNames,
): ItemName {
  const operator = operators.get(id);
  if (operator === undefined) return { what: foldedName(id), where: "" };
  const { phase = "forward", of } = operator;
  // An optimizer step runs over all parameters.
  if (phase === "update") return { what: operator.op, where: "all parameters" };
  const own = (of === undefined ? undefined : operators.get(of)) ?? operator;
  const isOwn = phase === "forward";
  const kind = own.entry ?? own.op;
  return {
    what: isOwn ? kind : `${kind}, ${phase === "recompute" ? "computed anew" : phase}`,
    where: foldedName(said.operator(own.id)),
  };
}

/** A name with `*` for its indices, and without the `#` number that distinguishes equal names. */
export function foldedName(name: string): string {
  return name.replace(/\[\d+\]/g, "[*]").replace(/#\d+/g, "");
}
