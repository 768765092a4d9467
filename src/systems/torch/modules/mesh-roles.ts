import type { TensorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { NotWritten } from "#systems/arrays";
import { dottedName, type ForwardFlow, patternOf } from "./forward-flow.ts";
import { type Place, placeOn, samePlace } from "./place.ts";

/** The roles of mesh axes for a model. */
export interface MeshRoles {
  /** The tensor-parallel axis, along which styles cut operators; absent if there is none. */
  readonly tensor?: string;
  /** The axes over which the batch is shared out. */
  readonly data: readonly string[];
}

/** The roles of the axes of a mesh. @throws NotWritten where two axes cut operators of the model */
export function rolesOf(flow: ForwardFlow, { axes }: DeviceMesh): MeshRoles {
  const tensor: { readonly axis: string; readonly why: string }[] = [];
  const data: string[] = [];
  for (const { name, size } of axes) {
    if (size === 1) continue;
    const why = cutInside(flow, name);
    if (why?.isMoved === true && sharesBatch(flow, name))
      throw new NotWritten(
        `${why.name} takes something of the rows of other ranks, and ${name} shares out the batch: fully_shard lets each rank compute on its own rows alone`,
      );
    if (why !== undefined) tensor.push({ axis: name, why: why.name });
    else if (isShared(flow, name)) data.push(name);
  }
  const [first, second] = tensor;
  if (first !== undefined && second !== undefined)
    throw new NotWritten(
      first.why === second.why
        ? `${first.why} is cut over ${first.axis} and ${second.axis}: parallelize_module takes one axis`
        : `${first.why} is cut over ${first.axis} and ${second.why} over ${second.axis}: these styles take one axis`,
    );
  return { data, ...(first !== undefined && { tensor: first.axis }) };
}

/** A weight that an axis cuts, else an activation that it cuts along another dim than the batch. */
function cutInside(
  flow: ForwardFlow,
  axis: string,
): { readonly name: string; readonly isMoved: boolean } | undefined {
  let moved: { readonly name: string; readonly isMoved: true } | undefined;
  for (const [id, reads] of flow.reads) {
    const { name, role } = flow.tensor(id);
    for (const { layout, path } of reads) {
      const place = placeOn(layout, axis, name);
      if (path === undefined) {
        if (role === "parameter" && place.kind !== "whole") throw withoutStyle(name, axis);
        continue;
      }
      if (role === "parameter" && place.kind !== "whole")
        return { name: patternOf(dottedName(name)), isMoved: false };
      // A rank divides by its own count: the gradients of all ranks are averaged.
      const isMade = role !== "parameter" && flow.producers.has(id) && !flow.isCount(id);
      if (isMade && !samePlace(place, madePlace(flow, id, axis))) moved ??= { name, isMoved: true };
    }
  }
  return moved;
}

/** A weight that no layer multiplies by, such as those of experts, which lie in one tensor. */
function withoutStyle(name: string, axis: string): NotWritten {
  return new NotWritten(
    `${patternOf(dottedName(name))} is cut over ${axis}, and no style of PyTorch is for it: they cut the weights of nn.Linear and nn.Embedding`,
  );
}

/** Whether an input of the model is cut by rows along an axis. */
function sharesBatch(flow: ForwardFlow, axis: string): boolean {
  const [root] = flow.modules.runs.filter(({ path }) => path === "");
  return (root?.args ?? []).some(({ tensor }) => {
    const place = tensor === undefined ? undefined : madePlace(flow, tensor, axis);
    return place?.kind === "cut" && place.dim === 0;
  });
}

/** How a tensor lies along an axis where it is made, or at rest. */
export function madePlace(flow: ForwardFlow, id: TensorId, axis: string): Place {
  return placeOn(flow.madeLayout(id), axis, flow.tensor(id).name);
}

function isShared(flow: ForwardFlow, axis: string): boolean {
  return flow.steps.some((step) =>
    flow
      .operatorOf(step)
      .outputs.some(({ tensor }) => madePlace(flow, tensor, axis).kind === "cut"),
  );
}
