import type { CompileOptions } from "#compile";
import type { Hardware } from "#core/cost";
import { assumedPlatform } from "#core/cost/machines";
import type { Graph, OperatorId, TensorId } from "#core/ir";
import type { DeviceMesh, Layout } from "#core/mesh";
import { type Microbatches, type Plan, propagate, type Strategy } from "#core/plan";
import { microbatchesOf, type Training } from "#core/training";
import type { Document } from "#language/document";
import { readDocument, readGraph } from "#systems";

/** A planning problem for a document: the program, its machine, and the parts that must stay. */
export interface PlanQuestion {
  readonly graph: Graph;
  /** The mesh, with the links of the hardware. */
  readonly mesh: DeviceMesh;
  readonly hardware: Hardware;
  readonly placements: ReadonlyMap<TensorId, Layout>;
  readonly pins: ReadonlyMap<OperatorId, Strategy>;
  readonly training?: Training;
  /** Cut of the training step's batch, if there is one. */
  readonly microbatches?: Microbatches;
  /** Plan of the present text. */
  readonly plan: Plan;
}

/**
 * The document into which a plan is written: for a graph its plan text, with the mesh of its
 * shards.
 */
export function planDocument(source: string, options: CompileOptions = {}): Document {
  const read = readGraph(source, options);
  return read === undefined ? readDocument(source, options.platform) : read.written(false);
}

/**
 * The planning problem of a document. Pinned operators and tensors stay unchanged, even if their
 * strategies are inferred. A result placed by the text stays placed, since that is an operator of
 * its own. An input or parameter stays as the text places it; with `freesPlaces`, only if it is
 * pinned.
 */
export function planQuestion(
  document: Document,
  { freesPlaces }: { readonly freesPlaces: boolean },
): PlanQuestion {
  const { graph, requests, pins, training } = document;
  const { platform } = document.mesh;
  const mesh =
    platform === undefined ? assumedPlatform.link(document.mesh.mesh) : document.mesh.mesh;
  const { plan } = propagate(graph, document.mesh.mesh, requests);
  const stays = (id: TensorId) => {
    const tensor = graph.tensors.find((each) => each.id === id);
    return !freesPlaces || tensor?.producer !== undefined || pins.tensors.has(id);
  };
  const placements = [...plan.placements].flatMap(([id, { layout }]) => {
    const isPlaced = requests.placements.has(id) || pins.tensors.has(id);
    return isPlaced && stays(id) ? [[id, layout] as const] : [];
  });
  const kept = [...pins.operators].flatMap((id) => {
    const strategy = plan.operators.get(id)?.strategy;
    return strategy === undefined ? [] : [[id, strategy] as const];
  });
  return {
    graph,
    mesh,
    hardware: (platform ?? assumedPlatform).hardware,
    placements: new Map(placements),
    pins: new Map(kept),
    ...(training !== undefined && { training }),
    ...microbatchesIn(document),
    plan,
  };
}

/**
 * The cut of a document's training batch, if there is one.
 *
 * @internal
 */
export function microbatchesIn({
  graph,
  mesh,
  training,
}: Pick<Document, "graph" | "mesh" | "training">): Pick<PlanQuestion, "microbatches"> {
  const microbatches = training && microbatchesOf(graph, mesh.mesh, training);
  return microbatches === undefined ? {} : { microbatches };
}
