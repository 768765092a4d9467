import { type Box, containsBox, sameBox } from "#core/indexspace";
import { sameItems } from "#core/records";
import {
  contextOf,
  counted,
  type LoomDocument,
  listed,
  namesOf,
  nodesOf,
  type Side,
  spanOf,
  titleOf,
} from "../document.ts";
import type { ApplicationNode, OperationNode, Selection } from "../graph.ts";
import { type Finding, type FindingParts, finding } from "../issue.ts";
import type { JsonPath } from "../json-node.ts";
import { printBox, printRange } from "../print-range.ts";
import { type ShardedSlot, shardContext, shardedSlots, shardsByOperation } from "../shards.ts";
import { checkReference } from "./references.ts";

const constraint = "OperationApplicationAgreementConstraint";

/**
 * Checks shards against operations. Every Application names an Operation with the same slots; every
 * Operation has shards; together they reach as far as the Operation does.
 */
export function checkApplicationAgreement(document: LoomDocument): readonly Finding[] {
  const orphans = nodesOf(document, "Application").flatMap((application) => {
    const { operationId } = application;
    const broken = checkReference(document, {
      ...{ constraint, from: application, path: ["body"], idPath: ["body", "operationId"] },
      ...{ to: operationId, kind: "Operation", owner: "Application Node" },
    });
    return broken ?? [];
  });
  const shards = shardsByOperation(document);
  const operations = nodesOf(document, "Operation").flatMap((operation) =>
    checkOperation(document, operation, shards.get(operation.id) ?? []),
  );
  return [...orphans, ...operations];
}

function checkOperation(
  document: LoomDocument,
  operation: OperationNode,
  shards: readonly ApplicationNode[],
): readonly Finding[] {
  if (shards.length === 0) return [withoutShards(document, operation)];
  const faults = shards.flatMap((shard) => [
    ...checkSide({ document, operation, shard, side: "inputs" }),
    ...checkSide({ document, operation, shard, side: "outputs" }),
  ]);
  if (faults.length > 0) return faults;
  return shardedSlots(operation, shards).flatMap((slot) => checkReach(document, operation, slot));
}

interface Pair {
  readonly document: LoomDocument;
  readonly operation: OperationNode;
  readonly shard: ApplicationNode;
  readonly side: Side;
}

function checkSide(pair: Pair): readonly Finding[] {
  const { operation, shard, side } = pair;
  const names = namesOf(shard[side]);
  const wanted = namesOf(operation[side]);
  if (!sameItems(names, wanted)) {
    const summary =
      `Application Node ${side} keys [${names.join(", ")}] != ` +
      `Operation Signature ${side} keys [${wanted.join(", ")}]`;
    const message = `${shardTitle(pair)} has ${listed(side, names)}, but the operation has ${listed(side, wanted)}`;
    return [report(pair, { summary, message, path: ["body", side] })];
  }
  return names.flatMap((name) =>
    checkList(pair, name, shard[side].get(name) ?? [], operation[side].get(name) ?? []),
  );
}

function checkList(
  pair: Pair,
  name: string,
  selections: readonly Selection[],
  wanted: readonly Selection[],
): readonly Finding[] {
  const { side } = pair;
  if (selections.length !== wanted.length) {
    const summary =
      `Application ${side} key "${name}" selection size (${selections.length}) != ` +
      `Signature selection size (${wanted.length})`;
    const message = `"${name}" of ${shardTitle(pair)} has ${counted(selections.length, "selection")}, but the operation has ${wanted.length}`;
    return [report(pair, { summary, message, path: ["body", side, name] })];
  }
  return selections.flatMap((selection, at) => {
    const whole = wanted[at];
    if (whole === undefined) return [];
    return checkSelection(pair, selection, whole, ["body", side, name, at]) ?? [];
  });
}

function checkSelection(
  pair: Pair,
  { tensorId, range }: Selection,
  whole: Selection,
  path: JsonPath,
): Finding | undefined {
  const name = String(path[2]);
  if (tensorId !== whole.tensorId) {
    return report(pair, {
      summary: "Application Tensor Selection Tensor Id != Signature Tensor Id",
      message: `"${name}" of ${shardTitle(pair)} selects from ${tensorTitle(pair, tensorId)}, but the operation from ${tensorTitle(pair, whole.tensorId)}`,
      path,
      inner: "tensorId",
    });
  }
  const fits = range.length === whole.range.length && containsBox(whole.range, range);
  if (fits) return undefined;
  return report(pair, {
    summary: `Application Tensor Selection range ${printRange(range)} is outside signature range ${printRange(whole.range)}`,
    message: `"${name}" of ${shardTitle(pair)} selects ${printBox(range)}, which is outside the operation's ${printBox(whole.range)}`,
    path,
    inner: "range",
  });
}

/** Checks that the bounding box of all shards equals the operation's selection. */
function checkReach(
  document: LoomDocument,
  operation: OperationNode,
  sharded: ShardedSlot,
): readonly Finding[] {
  const { slot, shards } = sharded;
  const { name, position, path } = slot;
  const bound = boundOf(shards.map(({ range }) => range));
  const { range } = slot.selection;
  if (sameBox(bound, range)) return [];
  return [
    finding({
      type: "NodeValidationError",
      constraint,
      summary:
        `Operation Signature ${slot.side} key "${name}[${position}]" range ${printRange(range)}` +
        ` != shard bounding range ${printRange(bound)}`,
      contexts: [contextOf(document, "Operation Node", operation.id, path), shardContext(sharded)],
      message:
        `the shards of ${titleOf(operation)} reach over ${printBox(bound)} of "${name}", ` +
        `but the operation over ${printBox(range)}`,
      span: spanOf(document, operation.id, [...path, "range"]),
    }),
  ];
}

function boundOf(ranges: readonly Box[]): Box {
  const [first = [], ...others] = ranges;
  return others.reduce((bound, range) => {
    return bound.map(({ start, stop }, dim) => ({
      start: Math.min(start, range[dim]?.start ?? start),
      stop: Math.max(stop, range[dim]?.stop ?? stop),
    }));
  }, first);
}

function withoutShards(document: LoomDocument, operation: OperationNode): Finding {
  return finding({
    type: "NodeValidationError",
    constraint,
    summary: "Operation Signature has no Application shards",
    contexts: [contextOf(document, "Operation Node", operation.id)],
    message: `operation ${titleOf(operation)} has no Application: nothing runs it`,
    span: spanOf(document, operation.id),
  });
}

type Words = Pick<FindingParts, "summary" | "message"> & {
  readonly path: JsonPath;
  /** Name of the part of the path's value that is at fault. */
  readonly inner?: string;
};

function report({ document, shard, operation }: Pair, { summary, message, path, inner }: Words) {
  return finding({
    type: "NodeValidationError",
    constraint,
    summary,
    contexts: [
      contextOf(document, "Application Node", shard.id, path),
      contextOf(document, "Operation Node", operation.id, path),
    ],
    message,
    span: spanOf(document, shard.id, inner === undefined ? path : [...path, inner]),
  });
}

function shardTitle({ shard, operation }: Pair): string {
  return `shard ${titleOf(shard)} of ${titleOf(operation)}`;
}

function tensorTitle({ document }: Pair, id: Selection["tensorId"]): string {
  const node = document.nodes.get(id);
  return node === undefined ? id : titleOf(node);
}
