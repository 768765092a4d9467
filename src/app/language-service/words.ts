import { formatBytes, formatSeconds, labelOf, sentenceOf } from "#app/scene/text";
import { type Compiled, type Reader, restState, stateName, stateReadBy } from "#compile";
import { capitalized } from "#core/diagnostics";
import type { Operator, Tensor, TensorId } from "#core/ir";
import { blockCount, type Layout } from "#core/mesh";
import { axesText } from "#systems/system";

/** A tensor with its layout, in that of a reader if given: `h[b@dp, f@mp]`. */
export function labelledTensor(compiled: Compiled, id: TensorId, reader?: Reader): string {
  const tensor = compiled.graph.tensors.find((candidate) => candidate.id === id);
  const view = viewOf(compiled, id);
  if (tensor === undefined || view === undefined) return id;
  const layout = stateReadBy(view, reader)?.layout ?? restState(view).layout;
  return `${tensor.name}${layoutText(layout, tensor)}`;
}

function layoutText(layout: Layout, tensor: Pick<Tensor, "dimNames">): string {
  return labelOf(layout, tensor.dimNames)
    .map(({ text }) => text)
    .join("");
}

function viewOf(compiled: Compiled, id: TensorId): Compiled["tensors"][number] | undefined {
  return compiled.tensors.find(({ tensor }) => tensor === id);
}

/** Lines about a tensor: its layout and status, a plain sentence, and its redistributions. */
export function tensorLines(compiled: Compiled, tensor: Tensor): readonly string[] {
  const view = viewOf(compiled, tensor.id);
  if (view === undefined) return [`${tensor.name} has no layout yet.`];
  const layout = restState(view).layout;
  const state = view.reads === undefined ? "" : ` ${stateName(view)}`;
  const moved = compiled.program.redistributions.filter(({ tensor: id }) => id === tensor.id);
  return [
    `Layout${state} ${layoutText(layout, tensor)}, ${view.status}.`,
    sentenceOf(tensor, layout),
    ...(view.reads ?? [])
      .slice(0, 3)
      .map((read) => `${capitalized(stateName(view, read))}: ${layoutText(read.layout, tensor)}.`),
    ...(tensor.shapeStatus === "assumed"
      ? ["Its shape is assumed: the text does not give it."]
      : []),
    ...moved.map((redistribution) => redistributionText(compiled, redistribution, tensor)),
  ];
}

type Redistribution = Compiled["program"]["redistributions"][number];

function redistributionText(
  compiled: Compiled,
  { input, output, bytes, seconds }: Redistribution,
  tensor: Tensor,
): string {
  const layout = (id: Redistribution["input"]) => {
    const value = compiled.program.values.find((candidate) => candidate.id === id);
    return value === undefined ? "another layout" : layoutText(value.layout, tensor);
  };
  const sent =
    bytes === 0 ? "nothing is sent" : `${formatBytes(bytes)} in ${formatSeconds(seconds)}`;
  return `Redistributed from ${layout(input)} to ${layout(output)}: ${sent}.`;
}

/** Dtype and shape: `bf16[512, 4096]`. */
export function typeText({ dtypeText, shape }: Tensor): string {
  return `${dtypeText}[${shape.join(", ")}]`;
}

/** The strategy of an operator in words: `Split b over dp, f over mp (set).` */
export function strategyText(compiled: Compiled, operator: Operator): string {
  const plan = compiled.plan.operators.get(operator.id);
  const cuts = Object.entries(plan?.strategy.cuts ?? {}).flatMap(([name, parts]) => {
    const axes = axesText(parts);
    const inside = blockCount(parts.filter(({ kind }) => kind === "pieces"));
    const pieces = inside === 1 ? [] : [`in ${inside} pieces on each device`];
    const over = axes === "" ? pieces : [`over ${axes}`, ...pieces];
    return over.length === 0 ? [] : [`${name} ${over.join(" ")}`];
  });
  const status = plan?.status ?? "inferred";
  if (cuts.length === 0) return `Not split, ${status}.`;
  const verdicts = compiled.verdicts?.get(operator.id) ?? [];
  return [`Split ${cuts.join(", ")}, ${status}.`, ...verdicts.map(({ text }) => text)].join(" ");
}

/** A list shortened to `most` items: `a, b and 3 more`. */
export function listed(items: readonly string[], most = 4): string {
  const rest = items.length - most;
  return rest > 0 ? `${items.slice(0, most).join(", ")} and ${rest} more` : items.join(", ");
}
