import type { Collective } from "#core/collective";
import { communicationCount } from "#core/reshard";
import type { EdgeFigures } from "./edge.ts";

/** Facts about an edge besides the two plans. */
export interface EdgeFacts {
  /** Whether the source is a partial sum. */
  readonly isPartial: boolean;
  /** Whether the meshes of source and target have different axis sizes. */
  readonly isAcross: boolean;
  /** Codes of the other system's diagnostics of its plan. */
  readonly codes: readonly string[];
}

/** Explains a difference by the rules of one system; `undefined` where they do not explain it. */
export type Cause = (
  ours: EdgeFigures,
  theirs: EdgeFigures,
  facts: EdgeFacts,
) => string | undefined;

/** The explanation of a plan with the same steps. */
export const sameAsOurs = "The same steps as ours.";

/** Why another system's plan of an edge differs from the plan's own, in one plain sentence. */
export function whyItDiffers(
  cause: Cause | undefined,
  ours: EdgeFigures,
  theirs: EdgeFigures,
  facts: EdgeFacts,
): string {
  if (stepsText(ours) === stepsText(theirs)) return sameAsOurs;
  if (ours.bytes === 0 && theirs.bytes === 0) return "Neither sends anything.";
  return cause?.(ours, theirs, facts) ?? plainCause(ours, theirs);
}

function stepsText({ steps }: EdgeFigures): string {
  const sent = steps.filter(({ collective }) => collective !== "slice");
  return sent.map(({ collective, axes }) => `${collective} ${axes.join()}`).join(";");
}

/** Explanation derived from the collectives alone. */
function plainCause(ours: EdgeFigures, theirs: EdgeFigures): string {
  const [we, they] = [does(ours), does(theirs)];
  const [more, fewer] = [theirs.bytes > ours.bytes, theirs.bytes < ours.bytes];
  if (more && they("all-reduce") && we("reduce-scatter")) {
    return "It sums everything on every device; ours leaves each device its own part of the sum.";
  }
  if (more && they("all-gather") && movesPieces(we)) {
    return "It gathers a dim and then cuts; ours sends only the pieces that change their device.";
  }
  if (more) return "It gathers before it cuts, in an order in which more is sent.";
  if (fewer && theirs.seconds < ours.seconds) {
    return "It holds more at once on the way than either end does, which ours never does.";
  }
  if (fewer) return "It sends less in more steps; each step has to be launched, so ours is faster.";
  const steps = communicationCount(theirs.steps) - communicationCount(ours.steps);
  if (steps > 0) return "It sends as much in more steps, each of which has to be launched.";
  if (steps < 0) return "It sends as much in fewer steps, over links that take longer.";
  return "It sends as much by other collectives, or in another order.";
}

/** Whether a plan has a collective of a kind. */
export function does({ steps }: EdgeFigures): (kind: Collective) => boolean {
  return (kind) => steps.some(({ collective }) => collective === kind);
}

/** Whether a plan sends pieces of a dim to other devices instead of gathering them. */
export function movesPieces(does: (kind: Collective) => boolean): boolean {
  return does("all-to-all") || does("collective-permute") || does("exchange");
}
