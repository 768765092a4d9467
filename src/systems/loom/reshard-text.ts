import type { Diagnostic } from "#core/diagnostics";
import { type Box, volumeOf } from "#core/indexspace";
import type { OperatorId } from "#core/ir";
import type { Plan } from "#core/plan";
import { changeNodes } from "./change-nodes.ts";
import {
  type ApplicationNode,
  type LoomGraph,
  type LoomId,
  type LoomNode,
  loomId,
  type OperationNode,
} from "./graph.ts";
import { impliedPiece } from "./implied-index.ts";
import type { PlannedOperation } from "./planned-operation.ts";
import { shardsOver, wholeShard } from "./shard-operation.ts";
import { type OperationCut, operationCut } from "./shard-program.ts";
import { uuidFrom } from "./uuid.ts";

/**
 * A LoomGraph text with shards, and diagnostics for parts of the plan that could not be written.
 */
export interface ReshardedText {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Inputs for writing a plan into a document. */
export interface Resharding {
  readonly graph: LoomGraph;
  readonly operations: readonly PlannedOperation[];
  readonly plan: Plan;
  /** Whether to cut an operation as the plan does, although it has Applications. */
  readonly isPlanned: (operator: OperatorId) => boolean;
}

/**
 * Writes the Applications of a plan into a LoomGraph text. Operations that the plan does not name
 * keep theirs, and so do Applications that already equal a piece of the plan; the others are
 * replaced. New ones of an operation without any follow it. All else keeps its bytes.
 */
export function reshardText(text: string, asked: Resharding): ReshardedText {
  const { graph, operations, plan, isPlanned } = asked;
  const planned = new Map(operations.map((operation) => [operation.id, operation]));
  const taken = new Set<string>([graph.id, ...graph.nodes.map(({ id }) => id)]);
  const replaced = new Map<LoomId, readonly LoomNode[]>();
  const added = new Map<LoomId, readonly LoomNode[]>();
  const diagnostics: Diagnostic[] = [];
  for (const node of graph.nodes) {
    if (node.kind !== "Operation") continue;
    const shards = shardsIn(graph, node.id);
    const own = planned.get(node.id);
    if (shards.length > 0 && (own === undefined || !isPlanned(own.operator.id))) continue;
    const pieces = operationCut(graph, node, own, plan, shards.length > 0, diagnostics);
    if (pieces === undefined && shards.length > 0) continue;
    if (pieces?.kind === "stages") {
      replaced.set(node.id, pieces.nodes);
      for (const { id } of shards) replaced.set(id, []);
      continue;
    }
    change({ node, shards, taken, replaced, added }, pieces);
  }
  return { text: changeNodes(text, { replaced, added }), diagnostics };
}

function shardsIn({ nodes }: LoomGraph, operation: LoomId): readonly ApplicationNode[] {
  return nodes.filter(
    (node): node is ApplicationNode =>
      node.kind === "Application" && node.operationId === operation,
  );
}

interface Change {
  readonly node: OperationNode;
  readonly shards: readonly ApplicationNode[];
  readonly taken: Set<string>;
  readonly replaced: Map<LoomId, readonly LoomNode[]>;
  readonly added: Map<LoomId, readonly LoomNode[]>;
}

/** Puts new shards in the places of removed ones, and the rest after the last one. */
function change(
  { node, shards, taken, replaced, added }: Change,
  pieces: Exclude<OperationCut, { kind: "stages" }> | undefined,
): void {
  const wanted = pieces?.kind === "grid" ? shardsOver(node, pieces.boxes) : [wholeShard(node)];
  const left = new Map(wanted.map((shard) => [keyOf(node, shard), shard]));
  const gone = shards.filter((shard) => {
    if (isEmpty(node, shard)) return false;
    return !left.delete(keyOf(node, shard));
  });
  const fresh = [...left.values()].map((shard) => withFreeId(shard, taken));
  for (const { id } of gone) replaced.set(id, fresh.splice(0, 1));
  if (fresh.length > 0) added.set(shards.at(-1)?.id ?? node.id, fresh);
}

/** Key of a shard within its operation: its piece of the index, else its selections. */
function keyOf(node: OperationNode, shard: ApplicationNode): string {
  const piece = pieceOf(node, shard);
  return JSON.stringify(piece ?? [[...shard.inputs], [...shard.outputs]]);
}

function isEmpty(node: OperationNode, shard: ApplicationNode): boolean {
  const piece = pieceOf(node, shard);
  return piece !== undefined && volumeOf(piece) === 0;
}

function pieceOf(node: OperationNode, shard: ApplicationNode): Box | undefined {
  return shard.tags.index ?? impliedPiece(node, shard);
}

function withFreeId(shard: ApplicationNode, taken: Set<string>): ApplicationNode {
  let id = shard.id;
  for (let count = 2; taken.has(id); count += 1) id = loomId(uuidFrom(`${shard.id} ${count}`));
  taken.add(id);
  return { ...shard, id };
}
