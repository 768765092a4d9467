import type { Graph } from "#core/ir";
import type { CollectiveStep, Reason } from "#core/program";

const units = ["B", "kB", "MB", "GB", "TB"];

/**
 * The comment of a collective: kind, bytes that the busiest device receives, and reason:
 * `all-gather, 768 B: z reads it`.
 */
export function collectiveComment(step: CollectiveStep, graph: Graph): string {
  const cost = step.collective === "slice" ? "nothing is sent" : bytesText(step.bytes);
  return `${step.collective}, ${cost}: ${reasonsText(step, graph)}`;
}

/** Why a collective is in the program: `z reads it so, the result leaves so`. */
export function reasonsText({ reasons }: Pick<CollectiveStep, "reasons">, graph: Graph): string {
  return [...new Set(reasons.map((reason) => reasonText(reason, graph)))].join(", ");
}

function reasonText(reason: Reason, { operators }: Graph): string {
  const nameOf = (id: string) => operators.find((each) => each.id === id)?.name ?? id;
  switch (reason.kind) {
    case "operand":
      return `${nameOf(reason.operator)} reads it so`;
    case "reduction":
      return `${nameOf(reason.operator)} adds up its partial sums`;
    case "output":
      return "the result leaves so";
    case "place":
      return "the program places it so";
    case "mirror":
      return "the gradient of a shared parameter is added up";
  }
}

/** Bytes in the largest decimal unit in which the number is at least 1. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3)));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
