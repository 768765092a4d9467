import type { Diagnostic } from "#core/diagnostics";
import { type Plan, type ReshardRequest, reshardMatches } from "#core/plan";
import { redistributionEdges, type SpmdProgram } from "#core/program";

/**
 * Diagnostics of every `reshard(…)` without effect: its tensor is not redistributed, or the chosen
 * steps do not exist and the default is used.
 */
export function reshardFindings(
  { reshards = [] }: Plan,
  program: SpmdProgram,
): readonly Diagnostic[] {
  if (reshards.length === 0) return [];
  const edges = redistributionEdges(program);
  return reshards.flatMap((request, at): readonly Diagnostic[] => {
    const about = { severity: "warning", ...(request.span && { span: request.span }) } as const;
    const spoken = edges.filter(({ tensor, to }) => reshardMatches(request, tensor, to));
    if (spoken.length === 0) {
      const message = `${nothing(request)}: there are no steps to choose`;
      return [{ code: "reshard/nothing-to-choose", ...about, message }];
    }
    const declined = spoken.filter(
      ({ edge: { chosen } }) => chosen?.request === at && chosen.declined !== undefined,
    );
    const [first] = declined;
    if (first === undefined) return [];
    const message = `${noSteps(request, first.tensor.name)}: ${first.edge.chosen?.declined}; the default stands${andOthers(declined.length - 1)}`;
    return [{ code: "reshard/no-such-steps", ...about, message }];
  });
}

function nothing({ target, to }: ReshardRequest): string {
  const where = to === undefined ? "" : " to that layout";
  return target.includes("*")
    ? `nothing called "${target}" is redistributed${where}`
    : `"${target}" is not redistributed${where}`;
}

/**
 * Sentence such as `no plan for "h" has 3 steps`, or `"dtensor" has no steps of its own for "h"`.
 */
function noSteps({ steps }: ReshardRequest, name: string): string {
  if (typeof steps === "string") return `"${steps}" has no steps of its own for "${name}"`;
  return `no plan for "${name}" has ${steps === 1 ? "1 step" : `${steps} steps`}`;
}

function andOthers(count: number): string {
  return count === 0 ? "" : `, there and ${count === 1 ? "once" : `${count} times`} more`;
}
