import type { Collective } from "#core/collective";
import { joinWithAnd } from "#core/diagnostics";
import type { Tensor } from "#core/ir";
import type { DeviceId, Layout } from "#core/mesh";
import type { CollectiveStep } from "#core/program";
import { changedLabels, dimName } from "../text/label.ts";
import { formatBytes } from "../text/numbers.ts";
import type { Stage } from "./frame-stages.ts";

const mostIds = 8;
/**
 * Longest run of consecutive ids written in full; longer runs are written by their ends, as in the
 * mesh panel.
 */
const mostWritten = 4;
const mostGroups = 4;

/** One sentence that describes a frame, with the tensor's own name and the bytes. */
export function captionFor(
  { kind, hop }: Stage,
  step: CollectiveStep,
  tensor: Tensor,
  bytes: number,
  before: Layout,
): string {
  const joins = joinsOf(before);
  const over = step.axes.length === 0 ? "" : ` over ${step.axes.join(", ")}`;
  const amount = formatBytes(bytes);
  const head = `${step.collective}${over}`;
  switch (kind) {
    case "keep":
      return `${head}: each device keeps its own part of ${tensor.name}${along(step, tensor)}; nothing travels.`;
    case "add":
      return `${head}: each device sends the parts of ${tensor.name} that it does not keep and ${joins.received}, ${amount}.`;
    case "add-first":
      return `${head}, first half: each device ${joins.piece} one piece of ${tensor.name} and receives ${amount}.`;
    case "gather-last":
      return `${head}, second half: the finished pieces of ${tensor.name} go to every device, ${amount} each.`;
    case "hop":
      return `${head}, ${hopWords(hop)}: each device hands the block of ${tensor.name} that it got last to the next, ${amount}.`;
    case "hop-add":
      return `${head}, ${hopWords(hop)}: each device hands one piece of ${tensor.name} to the next, which ${joins.own}, ${amount}.`;
    case "trade":
      return `${head}, ${roundWords(hop)}: each device sends the part of ${tensor.name} for the device ${placesOn(hop)}, ${amount}.`;
    case "move":
      return `${head}: ${moveWords(step, tensor)}, ${amount}.`;
  }
}

/** Words for the reduction of partial values: sums are added, others compared or multiplied. */
function joinsOf({ partials }: Layout): Joins {
  const kind = partials.find(({ reduce }) => reduce !== "sum")?.reduce;
  switch (kind) {
    case "max":
    case "min": {
      const extreme = kind === "max" ? "larger" : "smaller";
      return {
        received: `keeps the ${extreme} of what it has and what it receives`,
        piece: `finds the ${kind === "max" ? "largest" : "smallest"} values of`,
        own: `keeps the ${extreme} values`,
      };
    }
    case "prod":
      return {
        received: "multiplies by what it receives",
        piece: "multiplies",
        own: "multiplies by its own",
      };
    default:
      return { received: "adds what it receives", piece: "adds up", own: "adds its own" };
  }
}

interface Joins {
  /** Follows "each device sends … and". */
  readonly received: string;
  /** Precedes "one piece of". */
  readonly piece: string;
  /** Follows "hands one piece to the next, which". */
  readonly own: string;
}

/**
 * The rule of a collective for a layout's subscripts, for any tensor (scaling-book's invariants;
 * the ratios hold on a ring whose links send both ways).
 */
export function ruleFor(
  collective: Collective,
  before: Layout,
  after: Layout,
  dimNames: readonly string[],
): string {
  const labels = changedLabels(before, after, dimNames);
  const text = (segments: (typeof labels)["before"]) =>
    segments.map((segment) => segment.text).join("") || "[ ]";
  const change = `${text(labels.before)} becomes ${text(labels.after)}`;
  switch (collective) {
    case "all-gather":
      return `A gather removes a subscript: ${change}.`;
    case "slice":
      return `A slice adds a subscript and sends nothing: ${change}.`;
    case "reduce-scatter":
      return `A reduce-scatter turns an unsummed axis into a subscript: ${change}.`;
    case "all-reduce":
      return "An all-reduce is a reduce-scatter and a gather: about twice a gather on a ring.";
    case "all-to-all":
      return `An all-to-all moves a subscript: ${change}; about a quarter of a gather on a ring.`;
    case "collective-permute":
      return "A permute changes which device holds which block, not how the tensor is cut.";
    case "exchange":
      return "An exchange sends every part straight to the device that needs it.";
  }
}

/**
 * The group that is drawn (and the number of its drawn devices), and the groups that do the same.
 */
export function groupsText(groups: readonly (readonly DeviceId[])[], drawn: number): string {
  const [first, ...others] = groups;
  if (first === undefined) return "";
  const part = drawn < first.length ? `, its first ${drawn} devices drawn` : "";
  if (others.length === 0) return `One group: ${groupText(first)}${part}.`;
  const shown = `Group ${groupText(first)} shown${part}; `;
  if (others.length > mostGroups) return `${shown}${others.length} other groups do the same.`;
  const names = joinWithAnd(others.map(groupText));
  return `${shown}${names} ${others.length === 1 ? "does" : "do"} the same.`;
}

/**
 * The ids of a group in braces: `{0, 1}`, a long run by its ends `{0…7}`, others `{0, 2, 4, …,
 * 30}`.
 */
function groupText(group: readonly DeviceId[]): string {
  const first = group[0] ?? 0;
  if (group.length > mostWritten && group.every((id, at) => id === first + at)) {
    return `{${first}…${group.at(-1)}}`;
  }
  if (group.length <= mostIds) return `{${group.join(", ")}}`;
  return `{${group.slice(0, 3).join(", ")}, …, ${group.at(-1)}}`;
}

function hopWords(hop: Stage["hop"]): string {
  return hop === undefined ? "one hop" : `hop ${hop.at + 1} of ${hop.count}`;
}

function roundWords(hop: Stage["hop"]): string {
  return hop === undefined ? "one round" : `round ${hop.at + 1} of ${hop.count}`;
}

function placesOn(hop: Stage["hop"]): string {
  const places = (hop?.at ?? 0) + 1;
  return places === 1 ? "1 place further" : `${places} places further`;
}

function moveWords(step: CollectiveStep, tensor: Tensor): string {
  switch (step.collective) {
    case "all-gather":
      return `each device receives the parts of ${tensor.name}${along(step, tensor)} that it lacks`;
    case "all-to-all":
      return `each device keeps one part of its block of ${tensor.name} and trades the others${along(step, tensor)}`;
    case "collective-permute":
      return `each device hands its block of ${tensor.name} to one other`;
    default:
      return `each device fetches the parts of ${tensor.name} that it lacks`;
  }
}

/** ` along f`, ` from s to f`: the dims that the step's mesh axes leave and enter. */
function along(step: CollectiveStep, tensor: Tensor): string {
  const name = (dim: number) => dimName(tensor.dimNames, dim);
  const left = [...new Set(step.moves.flatMap(({ from }) => (from ? [name(from.dim)] : [])))];
  const entered = [...new Set(step.moves.flatMap(({ to }) => (to ? [name(to.dim)] : [])))];
  if (left.length > 0 && entered.length > 0)
    return ` from ${left.join(", ")} to ${entered.join(", ")}`;
  const dims = [...left, ...entered];
  return dims.length === 0 ? "" : ` along ${dims.join(", ")}`;
}
