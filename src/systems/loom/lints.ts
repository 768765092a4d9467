import type { Diagnostic } from "#core/diagnostics";
import {
  containsBox,
  fitsIndex,
  lengthOf,
  mixesSigns,
  overlapsOf,
  type Projection,
  projectBox,
  sameBox,
  splitEffect,
} from "#core/indexspace";
import { append } from "#core/records";
import {
  type LoomDocument,
  nodesOf,
  type Side,
  type Slot,
  slotsAt,
  spanOf,
  titleOf,
} from "./document.ts";
import type { LoomId, OperationNode } from "./graph.ts";
import { printBox } from "./print-range.ts";
import { tagTypeOf } from "./uris.ts";

/**
 * Warnings that no constraint of Loom gives: rules stated in its texts, and graphs whose meaning
 * differs from their look (loom.md §2.2, §3). Never issues.
 */
export function lintLoom(document: LoomDocument): readonly Diagnostic[] {
  return [
    ...nodesOf(document, "Operation").flatMap((operation) => [
      ...partialOutputs(document, operation),
      ...mixedSigns(document, operation),
      ...partialSums(document, operation),
    ]),
    ...secondWriters(document),
    ...strayIndexes(document),
  ];
}

/** "The output tensor selections must be total over the output tensor." */
function partialOutputs(document: LoomDocument, operation: OperationNode): readonly Diagnostic[] {
  return slotsAt(operation, "outputs").flatMap(({ name, selection, path }) => {
    const tensor = document.nodes.get(selection.tensorId);
    if (tensor?.kind !== "Tensor" || sameBox(selection.range, tensor.range)) return [];
    const isInside =
      selection.range.length === tensor.range.length && containsBox(tensor.range, selection.range);
    if (!isInside) return [];
    const message =
      `"${name}" of ${titleOf(operation)} writes ${printBox(selection.range)}, ` +
      `but ${titleOf(tensor)} is ${printBox(tensor.range)}: an output must be total`;
    return [warning(document, "loom/partial-output", message, operation.id, [...path, "range"])];
  });
}

/** Most overlapping writes to one tensor that are looked for. */
const maxOverlaps = 1000;

interface Write {
  readonly operation: OperationNode;
  readonly slot: Slot;
}

function secondWriters(document: LoomDocument): readonly Diagnostic[] {
  const writes = new Map<LoomId, Write[]>();
  for (const operation of nodesOf(document, "Operation")) {
    for (const slot of slotsAt(operation, "outputs"))
      append(writes, slot.selection.tensorId, { operation, slot });
  }
  return [...writes].flatMap(([id, list]) => {
    const [first, ...others] = list;
    const tensor = document.nodes.get(id);
    if (first === undefined || tensor?.kind !== "Tensor") return [];
    const sharing = new Set(
      overlapsOf(
        list.map(({ slot }) => slot.selection.range),
        maxOverlaps,
      ).map(({ second }) => second),
    );
    return others.map(({ operation, slot }, at) => {
      const shared = sharing.has(at + 1) ? "; they write the same cells" : "";
      const message =
        `${titleOf(tensor)} is written by "${slot.name}" of ${titleOf(operation)} and ` +
        `by "${first.slot.name}" of ${titleOf(first.operation)}${shared}`;
      return warning(document, "loom/second-writer", message, operation.id, slot.path);
    });
  });
}

interface Projected {
  readonly side: Side;
  readonly name: string;
  readonly position: number;
  readonly projection: Projection;
}

/** Projections whose rank fits the operation's index. */
function projectionsOf({ tags: { signature, index } }: OperationNode): readonly Projected[] {
  if (signature === undefined || index === undefined) return [];
  const sides: readonly Side[] = ["inputs", "outputs"];
  return sides.flatMap((side) =>
    [...signature[side]].flatMap(([name, projections]) =>
      projections.flatMap((projection, position) =>
        fitsIndex(projection, index.length) ? [{ side, name, position, projection }] : [],
      ),
    ),
  );
}

/** Loom evaluates two corners of the index; with mixed signs other corners reach further. */
function mixedSigns(document: LoomDocument, operation: OperationNode): readonly Diagnostic[] {
  const { index = [] } = operation.tags;
  return projectionsOf(operation).flatMap(({ side, name, position, projection }) => {
    if (!projection.some((row) => mixesSigns(row, index))) return [];
    const message =
      `mixed-sign row: the selection "${name}" of ${titleOf(operation)} does not bound all touched ` +
      `cells, which are ${printBox(projectBox(projection, index))}`;
    const path = ["tags", tagTypeOf("IPFSignature"), side, name, position];
    return [warning(document, "loom/mixed-signs", message, operation.id, path)];
  });
}

/** An index axis that an output lacks makes partial sums once it is split. */
function partialSums(document: LoomDocument, operation: OperationNode): readonly Diagnostic[] {
  const { index = [] } = operation.tags;
  return projectionsOf(operation).flatMap(({ side, name, position, projection }) => {
    if (side === "inputs") return [];
    const missing = [...index.keys()].filter((axis) => {
      const range = index[axis];
      const isLong = range !== undefined && lengthOf(range) > 1;
      return isLong && splitEffect(projection, index, axis).kind === "none";
    });
    if (missing.length === 0) return [];
    const message =
      `"${name}" of ${titleOf(operation)} lacks index axis ${missing.join(", ")}: ` +
      "its values would be partial sums if that were split, and Loom has no word for those";
    const path = ["tags", tagTypeOf("IPFSignature"), side, name, position];
    const found = warning(document, "loom/partial-sum", message, operation.id, path);
    return [{ ...found, severity: "info" }];
  });
}

/** No constraint of Loom requires a shard's index to lie inside its operation's index. */
function strayIndexes(document: LoomDocument): readonly Diagnostic[] {
  return nodesOf(document, "Application").flatMap((shard) => {
    const operation = document.nodes.get(shard.operationId);
    const whole = operation?.kind === "Operation" ? operation.tags.index : undefined;
    const { index } = shard.tags;
    if (operation === undefined || whole === undefined || index === undefined) return [];
    if (index.length === whole.length && containsBox(whole, index)) return [];
    const message =
      `the index ${printBox(index)} of shard ${titleOf(shard)} is not inside ` +
      `the index ${printBox(whole)} of ${titleOf(operation)}`;
    return [
      warning(document, "loom/stray-index", message, shard.id, ["tags", tagTypeOf("IPFIndex")]),
    ];
  });
}

function warning(
  document: LoomDocument,
  code: DiagnosticCode,
  message: string,
  id: LoomId,
  path: Slot["path"],
): Diagnostic {
  const span = spanOf(document, id, path);
  return {
    code,
    severity: "warning",
    message,
    ...(span !== undefined && { span }),
  };
}
