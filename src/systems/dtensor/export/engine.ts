import { bytesOf, type Tensor, tensorsById } from "#core/ir";
import { type Layout, samePart } from "#core/mesh";
import type { CollectiveStep, SpmdProgram, ValueId } from "#core/program";
import type { PricedSteps } from "#core/reshard";
import { bytesText, type Engine, NotWritten, reasonsText } from "#systems/arrays";
import { torchDialect } from "#systems/torch";
import { dtensorReshard } from "../dtensor-reshard.ts";
import { type Layer, layerOf, type NoLayer } from "./layers.ts";
import { operatorLines } from "./operator-lines.ts";
import { placementsText, type RankMesh } from "./rank-mesh.ts";

/** A collective that DTensor issues. */
export interface DtensorCollective {
  readonly collective: string;
  /** Ranks in the order of their pieces. */
  readonly groups: readonly (readonly number[])[];
  readonly bytesPerDevice: number;
}

/** An engine that writes DTensor code, and tells what DTensor sends for each redistribution. */
export interface DtensorEngine extends Engine {
  readonly sentBy: (step: CollectiveStep) => readonly DtensorCollective[];
  /** Layers written so far, and operators with a parameter that could not become one. */
  readonly layers: readonly Layer[];
  readonly missing: readonly NoLayer[];
}

const names = [
  ..."math os torch dist nn mesh MESH INPUTS OUTPUTS TOLERANCE LAYERS PLAN place run".split(" "),
  ..."reference verify low given whole max min abs float range position element layers".split(" "),
  ..."DTensor Shard Replicate Partial distribute_tensor init_device_mesh local_map".split(" "),
  ..."PLANS SequenceParallel on_axis on_blocks parallelize_module ColwiseParallel RowwiseParallel Layers".split(
    " ",
  ),
];

/** @param program one step per redistribution */
export function dtensorEngine(program: SpmdProgram, ranks: RankMesh): DtensorEngine {
  const layers: Layer[] = [];
  const missing: NoLayer[] = [];
  const called = new Map<ValueId, string>();
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors: ReadonlyMap<string, Tensor> = tensorsById(program.graph);
  const nameOf = (id: ValueId) => tensors.get(values.get(id)?.tensor ?? "")?.name ?? id;
  const layoutOf = (id: ValueId) => values.get(id)?.layout;
  const planned = (step: CollectiveStep): PricedSteps => {
    const [from, to] = [layoutOf(step.input), layoutOf(step.output)];
    const tensor = tensors.get(values.get(step.input)?.tensor ?? "");
    if (from === undefined || to === undefined || tensor === undefined)
      throw new NotWritten(`there is no value ${step.input}`);
    checkPartials(from, to, tensor.name);
    const bytesPerElement = bytesOf(tensor.dtype);
    const plan = dtensorReshard(ranks.onRanks(from), ranks.onRanks(to), tensor.shape, {
      bytesPerElement,
    });
    if (plan.ok) return plan.value;
    const [why] = plan.diagnostics;
    throw new NotWritten(`${tensor.name} cannot be redistributed: ${why?.message ?? "unknown"}`);
  };
  const sentBy = (step: CollectiveStep) =>
    planned(step).steps.flatMap(({ collective, groups, bytes }) =>
      collective === "slice" ? [] : [{ collective, groups, bytesPerDevice: bytes }],
    );
  return {
    dialect: {
      ...torchDialect,
      names,
      coordinate: (axes) => `position(mesh, ${axes.map((axis) => `"${axis}"`).join(", ")})`,
    },
    dropsUnused: false,
    comment: (step) => `${comparison(step, planned(step))}: ${reasonsText(step, program.graph)}`,
    collectiveLines(step, { source, target }) {
      const layer = called.get(step.output);
      if (layer !== undefined) return [`${target} = ${layer}`];
      const to = layoutOf(step.output);
      const placements = to === undefined ? [] : ranks.placementsOf(to, nameOf(step.input));
      return [`${target} = ${source}.redistribute(placements=${placementsText(placements)})`];
    },
    operatorLines(step, scope) {
      const layer = layerOf(step, scope, ranks, program);
      if (layer !== undefined && "why" in layer) missing.push(layer);
      if (layer === undefined || "why" in layer) return operatorLines(step, scope, ranks);
      layers.push(layer);
      const { name, operand, axis, redistributes } = layer;
      const call =
        ranks.mesh.axes.length === 1
          ? `layers.${name}(${operand})`
          : `on_axis(layers.${name}, ${operand}, mesh, "${axis}")`;
      if (redistributes === undefined) return [`${name} = ${call}`];
      called.set(redistributes, call); // where the layer itself does the redistribution
      return [];
    },
    sentBy,
    layers,
    missing,
  };
}

/**
 * `all-gather, 768 B, as the plan`, or the bytes that DTensor and the plan send when they differ.
 */
function comparison(
  { bytes, collective }: CollectiveStep,
  { steps, ...sent }: PricedSteps,
): string {
  const kinds = steps.filter((step) => step.collective !== "slice");
  if (kinds.length === 0 && collective === "slice") return "nothing is sent";
  const theirs = kinds.map((step) => `${step.collective} over ${step.axes.join(", ")}`);
  const said = theirs.length === 0 ? "nothing is sent" : theirs.join(", ");
  if (sent.bytes === bytes) return `${said}, ${bytesText(bytes)}`;
  return `${said}, ${bytesText(sent.bytes)}; the plan sends ${bytesText(bytes)}`;
}

function checkPartials(from: Layout, to: Layout, name: string): void {
  const isNew = to.partials.some(
    ({ part }) => !from.partials.some((known) => samePart(known.part, part)),
  );
  if (isNew) throw new NotWritten(`${name} becomes partial, and DTensor redistributes nothing so`);
}
