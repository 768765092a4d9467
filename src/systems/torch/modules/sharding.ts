import type { DType, TensorId } from "#core/ir";
import { flatSteps, type SpmdProgram, valuesById } from "#core/program";
import { NotWritten } from "#systems/arrays";
import { dottedName, type ForwardFlow } from "./forward-flow.ts";
import { type MeshRoles, madePlace } from "./mesh-roles.ts";
import { placeOn } from "./place.ts";

/** How the parameters of a model rest over the axes that share out the batch. */
export interface Sharding {
  /**
   * Axes over which parameters, or only their gradients and optimizer states, are cut; absent if
   * there are none.
   */
  readonly cut?: readonly string[];
  /** The axes over which they are copied, beside `cut` or alone. */
  readonly copied?: readonly string[];
  /**
   * ZeRO stage: 0 cuts nothing, 1 the optimizer's states, 2 the gradients too, 3 the parameters
   * too.
   */
  readonly stage: 0 | 1 | 2 | 3;
  /** Whether parameters are let go after the forward pass and gathered again. */
  readonly isGatheredAgain: boolean;
  /** Differences of the plan from FSDP, as sentences. */
  readonly notes: readonly string[];
  /** The data types in which parameters are computed with, and gradients added up. */
  readonly policy?: { readonly param: DType; readonly reduce: DType };
}

/** How parameters rest. @throws NotWritten where `fully_shard` has no words for it */
export function shardingOf(flow: ForwardFlow, program: SpmdProgram, roles: MeshRoles): Sharding {
  const { data } = roles;
  const parameters = [...flow.tensors.values()].filter(({ role }) => role === "parameter");
  const used = parameters.filter(({ id }) => flow.readsInside(id).length > 0);
  for (const axis of data) checkUsed(flow, used, axis);
  const isCutBy = (axis: string, id: TensorId) => madePlace(flow, id, axis).kind === "cut";
  const cut = data.filter((axis) => used.some(({ id }) => isCutBy(axis, id)));
  const belongs = data.filter((axis) => !cut.includes(axis) && cutsWhatBelongs(program, axis));
  if (cut.length > 0 && belongs.length > 0)
    throw new NotWritten(
      `parameters are cut over ${cut.join(" and ")}, and over ${belongs.join(" and ")} only what belongs to them: fully_shard cuts all of it alike`,
    );
  const sharded = [...cut, ...belongs];
  const copied = data.filter((axis) => !sharded.includes(axis));
  const notes = [
    ...(sharded.length === 0 ? [] : notesOn(flow, used, sharded, belongs.length > 0)),
    ...restingNotes(flow, used, roles),
  ];
  return {
    ...(sharded.length > 0 && { cut: sharded }),
    ...(copied.length > 0 && { copied }),
    stage: cut.length > 0 ? 3 : belongs.length === 0 ? 0 : cutsGradients(program) ? 2 : 1,
    isGatheredAgain: cut.length > 0 && cut.some((axis) => gathersAgain(program, axis)),
    notes,
    ...policyOf(program),
  };
}

function checkUsed(
  flow: ForwardFlow,
  used: readonly { readonly id: TensorId; readonly name: string }[],
  axis: string,
): void {
  for (const { id, name } of used)
    for (const { layout } of flow.readsInside(id))
      if (placeOn(layout, axis, name).kind !== "whole")
        throw new NotWritten(`${dottedName(name)} is computed with in pieces over ${axis}`);
}

/** Whether gradients or states of parameters are cut over an axis, which leaves parameters whole. */
function cutsWhatBelongs({ values, graph }: SpmdProgram, axis: string): boolean {
  const roles = new Map(graph.tensors.map(({ id, role, name }) => [id, { role, name }]));
  return values.some(({ tensor, layout }) => {
    const known = roles.get(tensor);
    return known?.role === "state" && placeOn(layout, axis, known.name).kind === "cut";
  });
}

/** Whether gradients are cut as soon as they are added up, and not first by who updates with them. */
function cutsGradients(program: SpmdProgram): boolean {
  return flatSteps(program).some(
    (step) =>
      step.kind === "collective" &&
      step.collective === "reduce-scatter" &&
      step.reasons.some(({ kind }) => kind === "mirror"),
  );
}

/** Axes along which all ranks do the same, and parameters rest in pieces nevertheless. */
function restingNotes(
  flow: ForwardFlow,
  used: readonly { readonly id: TensorId; readonly name: string }[],
  { data, tensor }: MeshRoles,
): readonly string[] {
  const [first] = used;
  const axes = first === undefined ? [] : flow.madeLayout(first.id).mesh.axes;
  return axes.flatMap(({ name, size }) => {
    const isIdle = size > 1 && name !== tensor && !data.includes(name);
    const isCut = isIdle && used.some(({ id }) => madePlace(flow, id, name).kind === "cut");
    return isCut
      ? [
          `All ranks along ${name} are given the same rows: parameters that the plan cuts over it at rest are copied.`,
        ]
      : [];
  });
}

function notesOn(
  flow: ForwardFlow,
  used: readonly { readonly id: TensorId; readonly name: string }[],
  axes: readonly string[],
  isOfStates: boolean,
): readonly string[] {
  if (isOfStates)
    return [
      "The plan keeps parameters whole and cuts what belongs to them; fully_shard cuts them too, and gathers them once a step.",
    ];
  const places = used.map((each) => ({
    ...each,
    places: axes.map((axis) => madePlace(flow, each.id, axis)),
  }));
  const copied = places.filter((each) => each.places.some(({ kind }) => kind === "whole"));
  const other = places.filter((each) =>
    each.places.some((place) => place.kind === "cut" && place.dim > 0),
  );
  const listed = (all: typeof places) => {
    const names = [...new Set(all.map(({ name }) => dottedName(name).replace(/\.\d+\./g, ".*.")))];
    return names.length > 4
      ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} others`
      : names.join(", ");
  };
  return [
    ...(copied.length > 0
      ? [`fully_shard also cuts what the plan copies over ${axes.join(" or ")}: ${listed(copied)}.`]
      : []),
    ...(other.length > 0
      ? [
          `fully_shard cuts along dim 0 at rest, where the plan cuts along another one: ${listed(other)}.`,
        ]
      : []),
  ];
}

/** Whether the backward pass gathers parameters of its own. */
function gathersAgain(program: SpmdProgram, axis: string): boolean {
  const values = valuesById(program);
  const parameters = new Set(
    program.graph.tensors
      .filter(({ role, castOf }) => role === "parameter" || castOf !== undefined)
      .map(({ id }) => id),
  );
  const isOfParameter = (id: Parameters<typeof values.get>[0]) => {
    const value = values.get(id);
    return value !== undefined && parameters.has(value.tensor);
  };
  const steps = flatSteps(program);
  const gathers = steps.filter(
    (step) => step.kind === "collective" && step.axes.includes(axis) && isOfParameter(step.input),
  );
  const isTrained = steps.some(({ phase }) => phase === "backward");
  return !isTrained || gathers.some(({ phase }) => phase === "backward" || phase === "recompute");
}

/** The data types of a step in which parameters are cast where they are used. */
function policyOf(program: SpmdProgram): Pick<Sharding, "policy"> {
  const cast = program.graph.tensors.find(({ castOf }) => castOf !== undefined);
  if (cast === undefined) return {};
  const values = valuesById(program);
  const summed = flatSteps(program).find(
    (step) => step.kind === "collective" && step.reasons.some(({ kind }) => kind === "mirror"),
  );
  const reduced = summed?.kind === "collective" ? values.get(summed.input)?.dtype : undefined;
  return { policy: { param: cast.dtype, reduce: reduced ?? cast.dtype } };
}
