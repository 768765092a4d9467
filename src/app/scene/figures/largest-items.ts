import type { Compiled } from "#compile";
import type { Operator, OperatorId } from "#core/ir";
import { groupedBy } from "#core/records";
import { commSummary } from "../text/comm-summary.ts";

/** What takes much of a step's time, with what equal blocks do alike as one. */
export interface LargestItem {
  /** `attention`, `linear, backward`, `all-reduce`. */
  readonly what: string;
  /** Where it stands, with `*` for the blocks: `blocks[*].y`; the axes of a collective. */
  readonly where: string;
  readonly count: number;
  readonly seconds: number;
  /** Of the whole step. */
  readonly share: number;
}

/** The items that take the most time, largest first. */
export function largestItems(compiled: Compiled, most = 5): readonly LargestItem[] {
  const { cost } = compiled;
  return [...computedItems(compiled), ...sentItems(compiled)]
    .filter(({ seconds }) => seconds > 0)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, most)
    .map((item) => ({ ...item, share: item.seconds / cost.seconds }));
}

type Item = Omit<LargestItem, "share">;

function computedItems({ cost, program }: Compiled): readonly Item[] {
  const operators = new Map(program.graph.operators.map((each) => [each.id, each]));
  const runs = cost.operators.map(({ operator, seconds }) => ({
    ...{ seconds, operator },
    ...labelOf(operator, operators),
  }));
  const groups = groupedBy(runs, ({ what, where }) => `${what} ${where}`);
  return [...groups.values()].map((group) => ({
    what: group[0]?.what ?? "",
    where: group[0]?.where ?? "",
    count: new Set(group.map(({ operator }) => operator)).size,
    seconds: group.reduce((sum, { seconds }) => sum + seconds, 0),
  }));
}

/** What an operator is called among equal ones, and where it stands. */
export function labelOf(
  id: OperatorId,
  operators: ReadonlyMap<OperatorId, Operator>,
): Pick<Item, "what" | "where"> {
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
    where: foldedName(own.name),
  };
}

/** A name with `*` for the indices in it, and without the number that tells equal names apart. */
export function foldedName(name: string): string {
  return name.replace(/\[\d+\]/g, "[*]").replace(/#\d+/g, "");
}

function sentItems({ program, mesh }: Compiled): readonly Item[] {
  return commSummary(program, mesh.mesh).map(({ collective, axes, count, seconds }) => ({
    ...{ what: collective, count, seconds },
    where: axes.map(({ text }) => text).join(" "),
  }));
}
