import type { Collective } from "#core/collective";
import { sentSteps } from "#core/reshard";
import type { PolicyName, PolicyStep } from "./compiled.ts";

/** What one plan of an edge does and costs. */
export interface EdgeFigures {
  readonly steps: readonly Pick<PolicyStep, "collective" | "axes">[];
  /** Received by the busiest device. */
  readonly bytes: number;
  readonly seconds: number;
}

/** What is known of an edge beside the two plans. */
export interface EdgeFacts {
  /** The source is a partial sum. */
  readonly isPartial: boolean;
  /** Source and target lie on arrangements of the devices that differ. */
  readonly isAcross: boolean;
  /** The other system copies the tensor to all devices on its way. */
  readonly isCopied: boolean;
}

/** What is said of a plan that is no other than ours. */
export const sameAsOurs = "The same steps as ours.";

/** Why another system's plan of an edge is not ours, in one plain sentence. */
export function whyItDiffers(
  policy: PolicyName,
  ours: EdgeFigures,
  theirs: EdgeFigures,
  facts: EdgeFacts,
): string {
  if (stepsText(ours) === stepsText(theirs)) return sameAsOurs;
  if (ours.bytes === 0 && theirs.bytes === 0) return "Neither sends anything.";
  return ownCause(policy, ours, theirs, facts) ?? plainCause(ours, theirs);
}

function stepsText({ steps }: EdgeFigures): string {
  const sent = steps.filter(({ collective }) => collective !== "slice");
  return sent.map(({ collective, axes }) => `${collective} ${axes.join()}`).join(";");
}

/** What the rules of just this system explain. */
function ownCause(
  policy: PolicyName,
  ours: EdgeFigures,
  theirs: EdgeFigures,
  { isPartial, isAcross, isCopied }: EdgeFacts,
): string | undefined {
  const [we, they] = [does(ours), does(theirs)];
  if (policy === "mindspore" && isPartial && they("all-reduce") && !we("all-reduce")) {
    return "MindSpore completes a sum inside the operator, before it knows what the reader wants, so every device receives all of it; ours sums straight into the reader's layout.";
  }
  if (policy === "mindspore" && isAcross && they("all-gather")) {
    return "MindSpore finds no common arrangement of the devices for both ends, so it gathers the whole tensor and cuts it again.";
  }
  if (policy === "mindspore" && they("all-gather") && movesPieces(we)) {
    return "MindSpore gathers a dim and then cuts: its AllToAll is off unless enable_alltoall is set; ours sends only the pieces that change their device.";
  }
  if (policy !== "nnscaler") return undefined;
  if (isCopied) {
    return "nnScaler cannot line up the devices along its path, so it copies the whole tensor to all of them first.";
  }
  if (sentSteps(theirs.steps) > sentSteps(ours.steps)) {
    return "nnScaler changes one count at a time (copies, partial values, pieces of a dim) and prices elements alone; ours moves several axes in one collective.";
  }
  return undefined;
}

/** What the collectives themselves explain. */
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
  const steps = sentSteps(theirs.steps) - sentSteps(ours.steps);
  if (steps > 0) return "It sends as much in more steps, each of which has to be launched.";
  if (steps < 0) return "It sends as much in fewer steps, over links that take longer.";
  return "It sends as much by other collectives, or in another order.";
}

function does({ steps }: EdgeFigures): (kind: Collective) => boolean {
  return (kind) => steps.some(({ collective }) => collective === kind);
}

function movesPieces(does: (kind: Collective) => boolean): boolean {
  return does("all-to-all") || does("collective-permute") || does("exchange");
}
