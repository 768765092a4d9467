import { containsBox } from "#core/indexspace";
import {
  contextOf,
  type LoomDocument,
  nodesOf,
  type Slot,
  slotsOf,
  spanOf,
  titleOf,
} from "../document.ts";
import type { OperationNode, TensorNode } from "../graph.ts";
import { type Finding, finding } from "../issue.ts";
import { printBox } from "../print-range.ts";
import { nodeTypeOf } from "../uris.ts";
import { checkReference } from "./references.ts";

const constraint = "TensorOperationAgreementConstraint";

/** Checks that every selection of an operation lies inside an existing tensor of the same rank. */
export function checkTensorOperationAgreement(document: LoomDocument): readonly Finding[] {
  return nodesOf(document, "Operation").flatMap((operation) =>
    slotsOf(operation).flatMap((slot) => checkSlot(document, operation, slot) ?? []),
  );
}

function checkSlot(
  document: LoomDocument,
  operation: OperationNode,
  slot: Slot,
): Finding | undefined {
  const { selection, path } = slot;
  const broken = checkReference(document, {
    ...{ constraint, from: operation, path, idPath: [...path, "tensorId"] },
    ...{ to: selection.tensorId, kind: "Tensor", owner: "Operation Node" },
  });
  const tensor = document.nodes.get(selection.tensorId);
  if (broken !== undefined || tensor?.kind !== "Tensor") return broken;
  if (selection.range.length !== tensor.range.length) {
    return otherRank(document, operation, slot, tensor);
  }
  if (containsBox(tensor.range, selection.range)) return undefined;
  return outOfBounds(document, operation, slot, tensor);
}

// Loom swaps the names here: its "expected" is the rank of the selection.
function otherRank(
  document: LoomDocument,
  operation: OperationNode,
  slot: Slot,
  tensor: TensorNode,
): Finding {
  const { range } = slot.selection;
  return finding({
    type: "NodeValidationError",
    constraint,
    summary: "Tensor selection has the wrong number of dimensions",
    params: {
      nodeType: nodeTypeOf("Operation"),
      expectedDimensions: String(range.length),
      actualDimensions: String(tensor.range.length),
    },
    contexts: contexts(document, operation, slot, tensor),
    message:
      `"${slot.name}" of ${titleOf(operation)} selects ${printBox(range)}, ` +
      `but tensor ${titleOf(tensor)} has rank ${tensor.range.length}`,
    span: spanOf(document, operation.id, [...slot.path, "range"]),
  });
}

function outOfBounds(
  document: LoomDocument,
  operation: OperationNode,
  slot: Slot,
  tensor: TensorNode,
): Finding {
  return finding({
    type: "NodeValidationError",
    constraint,
    summary: "Tensor selection is out of bounds",
    params: { nodeType: nodeTypeOf("Operation") },
    contexts: contexts(document, operation, slot, tensor),
    message:
      `"${slot.name}" of ${titleOf(operation)} selects ${printBox(slot.selection.range)}, ` +
      `but tensor ${titleOf(tensor)} is ${printBox(tensor.range)}`,
    span: spanOf(document, operation.id, [...slot.path, "range"]),
  });
}

function contexts(
  document: LoomDocument,
  operation: OperationNode,
  { path }: Slot,
  tensor: TensorNode,
) {
  return [
    contextOf(document, "Selection Range", operation.id, path),
    contextOf(document, "Tensor Node", tensor.id),
    contextOf(document, "Operation Node", operation.id),
  ];
}
