import type { TensorId } from "#core/ir";
import { flatSteps, type SpmdProgram } from "#core/program";
import { NotWritten } from "#systems/arrays";
import type { ForwardFlow } from "./forward-flow.ts";
import { type MeshRoles, madePlace } from "./mesh-roles.ts";
import type { ValuePaths } from "./paths-of-values.ts";
import { isCutResult } from "./style-texts.ts";

/**
 * Notes on inputs of the model that are not shared out by rows of the batch.
 *
 * @throws NotWritten for an input that the data axes cut along another dim
 */
export function givenNotes(
  flow: ForwardFlow,
  { data, tensor: axis }: MeshRoles,
  paths: ValuePaths | undefined,
): readonly string[] {
  const [root] = flow.modules.runs.filter(({ path }) => path === "");
  const given = (root?.args ?? []).flatMap(({ tensor }) =>
    tensor !== undefined && flow.readsInside(tensor).length > 0 ? [flow.tensor(tensor)] : [],
  );
  const notes: string[] = [];
  for (const { id, name, shape } of given) {
    const places = data.map((each) => madePlace(flow, id, each));
    if (places.some((place) => place.kind === "cut" && place.dim > 0))
      throw new NotWritten(
        `${name} is shared out over ${data.join(" and ")} otherwise than by rows`,
      );
    if (data.length > 0 && shape.length > 0 && places.every(({ kind }) => kind === "whole"))
      notes.push(`${name} is given to every rank whole.`);
    const place = paths?.handed.get(id);
    if (place?.kind === "cut")
      notes.push(
        `Each rank along ${axis} is given its own part of ${name}, along dim ${place.dim}.`,
      );
  }
  return notes;
}

/**
 * Notes on results that each rank holds a part of. @throws NotWritten where the part would be read
 * as the whole
 */
export function resultNotes(
  flow: ForwardFlow,
  paths: ValuePaths | undefined,
  axis: string | undefined,
): readonly string[] {
  if (paths === undefined) return [];
  const layers = [...paths.leaves.values()].filter((leaf) => isCutResult(flow, paths, leaf));
  const made = new Set(layers.map(({ output }) => output));
  for (const [id, place] of paths.handed)
    if (place.kind === "cut" && isResult(flow, id) && !made.has(id))
      throw new NotWritten(
        `${flow.tensor(id).name}, which the model gives back, is cut along dim ${place.dim} over ${axis}, and no style makes it a DTensor`,
        [flow.madeIn(id)],
      );
  const isLast = layers.some(({ output }) => {
    const place = paths.handed.get(output);
    return place?.kind === "cut" && place.dim === flow.tensor(output).shape.length - 1;
  });
  if (layers.length === 0) return [];
  const loss = isLast ? ": a loss of classes is computed under loss_parallel()" : "";
  return [`What the model gives back is a DTensor, cut over ${axis}${loss}.`];
}

function isResult(flow: ForwardFlow, id: TensorId): boolean {
  const reads = flow.reads.get(id) ?? [];
  const isRead = reads.length === 0 || reads.some(({ path }) => path === undefined);
  return isRead && flow.madeIn(id) !== undefined;
}

/** Notes on parts of the plan that the file leaves to other code. */
export function otherNotes(
  flow: ForwardFlow,
  program: SpmdProgram,
  data: readonly string[],
): readonly string[] {
  const isCounted = [...flow.producers.keys()].some(
    (id) => flow.isCount(id) && data.some((axis) => madePlace(flow, id, axis).kind !== "whole"),
  );
  const isDrawn = flow.steps.some((step) => {
    const { entry, attributes } = flow.operatorOf(step);
    return entry === "dropout" && attributes.p !== 0;
  });
  const isAgain = flatSteps(program).some(({ phase }) => phase === "recompute");
  return [
    ...(isCounted
      ? [
          "The loss is a mean over the targets that count: each rank divides by the number of its own, which is the plan's loss where all ranks have as many.",
        ]
      : []),
    ...(isDrawn
      ? ["Dropout draws on each rank for itself: its numbers are not those of one device."]
      : []),
    ...(isAgain
      ? [
          "What the plan computes again in the backward pass is kept here: checkpoint_wrapper is for that.",
        ]
      : []),
  ];
}

/** Whether the loss of the text adds up its rows, along the axes that share them out. */
export function isSummedLoss(flow: ForwardFlow, data: readonly string[]): boolean {
  return flow.steps.some((step) => {
    const { entry, attributes, outputs } = flow.operatorOf(step);
    const isScalar = outputs.some(
      ({ tensor }) =>
        flow.tensor(tensor).shape.every((size) => size === 1) &&
        data.some((axis) => madePlace(flow, tensor, axis).kind === "partial"),
    );
    return isScalar && (entry === "sum" || attributes.reduction === "sum");
  });
}
