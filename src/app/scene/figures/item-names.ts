import type { Operator, OperatorId } from "#core/ir";
import type { SaidNames } from "../said-names.ts";

/** The name of an item; equal for equal work of equal layers. */
interface ItemName {
  /** `attention`, `linear, backward`. */
  readonly what: string;
  /** Where it stands, with `*` for the layers: `blocks[*].y`. */
  readonly where: string;
}

/** The name of an operator among equal ones, and its place. */
export function labelOf(
  id: OperatorId,
  operators: ReadonlyMap<OperatorId, Operator>,
  said: SaidNames,
): ItemName {
  const operator = operators.get(id);
  if (operator === undefined) return { what: foldedName(id), where: "" };
  const { phase = "forward", of } = operator;
  // An optimizer runs over all parameters at once.
  if (phase === "update") return { what: operator.op, where: "all parameters" };
  const own = (of === undefined ? undefined : operators.get(of)) ?? operator;
  const isOwn = phase === "forward";
  const kind = own.entry ?? own.op;
  return {
    what: isOwn ? kind : `${kind}, ${phase === "recompute" ? "computed anew" : phase}`,
    where: foldedName(said.operator(own.id)),
  };
}

/** A name with `*` for the indices in it, and without the number that tells equal names apart. */
export function foldedName(name: string): string {
  return name.replace(/\[\d+\]/g, "[*]").replace(/#\d+/g, "");
}
