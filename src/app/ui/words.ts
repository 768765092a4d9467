import { displayNames } from "#app/scene";
import {
  formatBytes,
  formatSeconds,
  labelIn,
  type Notation,
  sentenceOf,
  stateSentence,
  unverifiedSentence,
} from "#app/scene/text";
import type { WrongDevices } from "#app/state/run";
import { type Compiled, shownLayout, type TensorView } from "#compile";
import type { Operator, Tensor } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import type { CollectiveStep, Reason, Redistribution, SpmdProgram, ValueId } from "#core/program";
import { groupedBy } from "#core/records";

/** Most devices that a sentence names; more are counted. */
const mostNamed = 8;

/**
 * Sentence on where the last run found a tensor wrong: `Wrong in the last run on devices 0, 2: …`.
 */
export function wrongSentence(wrong: WrongDevices): string {
  const ids = [...wrong].sort((a, b) => a - b);
  const [first, ...others] = ids;
  const named = ids.slice(0, mostNamed).join(", ");
  const rest = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : "";
  const on = others.length === 0 ? `device ${first}` : `devices ${named}${rest}`;
  const blocks = others.length === 0 ? "its blocks are" : "their blocks are";
  return `Wrong in the last run on ${on}: ${blocks} crossed out.`;
}

/** Collective steps of one redistribution, in order. */
export function stepsOf(
  { program }: Compiled,
  { index }: Redistribution,
): readonly CollectiveStep[] {
  const known = collectives.get(program) ?? collectivesIn(program);
  collectives.set(program, known);
  return known.get(index) ?? [];
}

const collectives = new WeakMap<SpmdProgram, ReturnType<typeof collectivesIn>>();

function collectivesIn({ stages }: SpmdProgram): ReadonlyMap<number, readonly CollectiveStep[]> {
  const all = stages.flatMap(({ steps }) => steps.filter((step) => step.kind === "collective"));
  return groupedBy(all, ({ reshard }) => reshard);
}

/**
 * Redistribution in words, such as `all-gather of y over d0 among devices 0, 1, 2, 3; each device
 * receives 108 B in 3.00 µs.`
 */
export function redistributionSentence(
  redistribution: Redistribution,
  collectives: readonly CollectiveStep[],
): string {
  const steps = collectives.map(
    (step) => `${step.collective} over ${step.axes.join(", ")}, ${groupsText(step.groups)}`,
  );
  const { bytes, seconds, tensor } = redistribution;
  const cost =
    bytes === 0
      ? "Nothing is sent."
      : `Each device receives ${formatBytes(bytes)} in ${formatSeconds(seconds)}.`;
  return `Redistribution of ${tensor}: ${steps.join(", then ")}. ${cost}`;
}

/** Groups of devices, such as `group {0, 1} and {2, 3}`; of a long list the rest is counted. */
function groupsText(groups: readonly (readonly number[])[]): string {
  const shown = groups.slice(0, 4).map((group) => `{${group.join(", ")}}`);
  const rest = groups.length - shown.length;
  const list = rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
  return `${groups.length === 1 ? "group" : "groups"} ${list}`;
}

/** Operator in one plain sentence. */
export function operatorSentence(
  operator: Operator,
  plan: OperatorPlan | undefined,
  status: string = plan?.status ?? "inferred",
): string {
  const cuts = Object.entries(plan?.strategy.cuts ?? {}).flatMap(([name, parts]) => {
    const axes = parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
    const inside = parts.reduce((n, part) => (part.kind === "pieces" ? n * part.count : n), 1);
    const pieces = inside === 1 ? [] : [`in ${inside} pieces on each device`];
    const over = axes.length === 0 ? pieces : [`over ${axes.join(", ")}`, ...pieces];
    return over.length === 0 ? [] : [`${name} ${over.join(" ")}`];
  });
  const split = cuts.length === 0 ? "not split" : `split ${cuts.join(", ")}`;
  const given =
    plan?.unverified === undefined ? "" : ` ${unverifiedSentence(plan.unverified.rule)}`;
  return `${operator.name} = ${operator.call}, ${split}, ${status}.${given}`;
}

/** Tensor in one plain sentence. */
export function tensorSentence(tensor: Tensor, view: TensorView | undefined): string {
  if (view === undefined) return tensor.name;
  return `${sentenceOf(tensor, shownLayout(view))}${stateSentence(view)}${givenText(view)}`;
}

/** Text on an unverified tensor, such as ` As given by cross_batch: …`; empty if it is verified. */
export function givenText({ tensor, unverified }: TensorView): string {
  if (unverified === undefined) return "";
  const from = unverified.tensor === tensor ? undefined : unverified.tensor;
  return ` ${unverifiedSentence(unverified.rule, from)}`;
}

/** Reason of a redistribution, in the names of the text. */
export function reasonText(
  compiled: Compiled,
  redistribution: Redistribution,
  reason: Reason,
  notation: Notation,
): string {
  const said = displayNames(compiled);
  const tensor = said.tensor(redistribution.tensor);
  const has = layoutText(compiled, redistribution.tensor, redistribution.input, notation);
  const gets = layoutText(compiled, redistribution.tensor, redistribution.output, notation);
  switch (reason.kind) {
    case "operand": {
      return `${said.made(reason.operator)} reads ${tensor} as ${gets}, but it lies as ${has}.`;
    }
    case "reduction":
      return `${said.operator(reason.operator)} adds over a dim that is cut, so its parts are added: ${has} becomes ${gets}.`;
    case "output":
      return `${tensor} is a result of the program, so its parts are added at the end: ${has} becomes ${gets}.`;
    case "place":
      return `The text places ${tensor} as ${gets}, but it lies as ${has}.`;
    case "mirror":
      return `${tensor} is summed over the devices that share its parameter: ${has} becomes ${gets}.`;
  }
}

function layoutText(
  compiled: Compiled,
  tensorName: string,
  value: ValueId,
  notation: Notation,
): string {
  const tensor = compiled.program.graph.tensors.find(({ id }) => id === tensorName);
  const layout = compiled.program.values.find(({ id }) => id === value)?.layout;
  return layout === undefined
    ? "another layout"
    : labelIn(notation, layout, tensor?.dimNames ?? [])
        .map(({ text }) => text)
        .join("");
}
