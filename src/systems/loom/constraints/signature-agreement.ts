import { fitsIndex, type Projection, projectCorners, sameBox } from "#core/indexspace";
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
import { type Constraint, type Finding, type FindingParts, finding } from "../issue.ts";
import type { JsonPath } from "../json-node.ts";
import { printBox, printProjection, printRange } from "../print-range.ts";
import { tagTypeOf } from "../uris.ts";

/** A node whose selections must be the projections of its index through a signature. */
interface Claim {
  readonly document: LoomDocument;
  readonly constraint: Constraint;
  readonly node: OperationNode | ApplicationNode;
  readonly operation: OperationNode;
}

/**
 * Checks that the selections of each operation with a signature are the projections of its index.
 */
export function checkOperationSignatures(document: LoomDocument): readonly Finding[] {
  const constraint = "OperationIPFSignatureAgreementConstraint";
  return nodesOf(document, "Operation").flatMap((operation) =>
    checkClaim({ document, constraint, node: operation, operation }),
  );
}

/** Checks that the selections of each shard are the projections of the shard's own index. */
export function checkApplicationSignatures(document: LoomDocument): readonly Finding[] {
  const constraint = "ApplicationIPFSignatureAgreementConstraint";
  return nodesOf(document, "Application").flatMap((node) => {
    const operation = document.nodes.get(node.operationId);
    if (operation?.kind !== "Operation") return [];
    return checkClaim({ document, constraint, node, operation });
  });
}

function checkClaim(claim: Claim): readonly Finding[] {
  const { node, operation } = claim;
  if (operation.tags.signature === undefined) return [];
  if (node.tags.index === undefined) return [withoutIndex(claim)];
  return [...checkSide(claim, "inputs"), ...checkSide(claim, "outputs")];
}

function checkSide(claim: Claim, side: Side): readonly Finding[] {
  const selections = claim.node[side];
  const projections = claim.operation.tags.signature?.[side] ?? new Map<string, never>();
  const names = namesOf(selections);
  const others = namesOf(projections);
  if (!sameItems(names, others)) return [otherKeys(claim, side, names, others)];
  return names.flatMap((name) =>
    checkList(claim, side, name, selections.get(name) ?? [], projections.get(name) ?? []),
  );
}

function checkList(
  claim: Claim,
  side: Side,
  name: string,
  selections: readonly Selection[],
  projections: readonly Projection[],
): readonly Finding[] {
  if (selections.length !== projections.length) {
    return [otherSize(claim, side, name, [selections.length, projections.length])];
  }
  const index = claim.node.tags.index ?? [];
  return selections.flatMap(({ range }, at) => {
    const projection = projections[at] ?? [];
    const place = { side, name, at };
    if (!fitsIndex(projection, index.length)) return [otherRank(claim, place, projection)];
    const expected = projectCorners(projection, index);
    if (sameBox(range, expected)) return [];
    const { message, span } = otherRangeWords(claim, place, range, expected);
    return [
      report(claim, {
        summary: "Selection map and projection map have different ranges",
        params: {
          selectionMapName: side,
          ioName: name,
          selection: printRange(range),
          projection: printProjection(projection),
          expected: printRange(expected),
        },
        contextPath: ["body", side, name, at],
        message,
        span,
      }),
    ];
  });
}

interface SelectionSlot {
  readonly side: Side;
  readonly name: string;
  readonly at: number;
}

function otherRangeWords(
  { document, node, operation }: Claim,
  { side, name, at }: SelectionSlot,
  range: Selection["range"],
  expected: Selection["range"],
) {
  const owner =
    node === operation ? titleOf(node) : `shard ${titleOf(node)} of ${titleOf(operation)}`;
  const message =
    `"${name}" of ${owner} selects ${printBox(range)}, ` +
    `but its index ${printBox(node.tags.index ?? [])} is projected onto ${printBox(expected)}`;
  return { message, span: spanOf(document, node.id, ["body", side, name, at, "range"]) };
}

function withoutIndex(claim: Claim): Finding {
  const { node, operation, document } = claim;
  const isShard = node.kind === "Application";
  return report(claim, {
    summary: `${isShard ? "Application node" : "Operation signature"} does not have an IPF index`,
    params: { ...(isShard && { appNodeId: node.id }), opSigId: operation.id },
    contextPath: ["body"],
    message: `${titleOf(node)} has no IPFIndex, so the signature of ${titleOf(operation)} says nothing about it`,
    span: spanOf(document, node.id),
  });
}

function otherKeys(
  claim: Claim,
  side: Side,
  names: readonly string[],
  others: readonly string[],
): Finding {
  const { node, document } = claim;
  return report(claim, {
    summary: "Selection map and projection map have different keys",
    params: {
      selectionMapName: side,
      selectionMapKeys: `[${names.join(", ")}]`,
      projectionMapKeys: `[${others.join(", ")}]`,
    },
    contextPath: ["body", side],
    message: `${titleOf(node)} has ${listed(side, names)}, but the signature has ${listed(side, others)}`,
    span: spanOf(document, node.id, ["body", side]),
  });
}

function otherSize(
  claim: Claim,
  side: Side,
  name: string,
  [selections, projections]: readonly [number, number],
): Finding {
  const { node, document } = claim;
  return report(claim, {
    summary: "Selection map and projection map have different sizes",
    params: {
      selectionMapName: side,
      ioName: name,
      selections: String(selections),
      projections: String(projections),
    },
    contextPath: ["body", side, name],
    message: `"${name}" of ${titleOf(node)} has ${counted(selections, "selection")}, but ${counted(projections, "projection")}`,
    span: spanOf(document, node.id, ["body", side, name]),
  });
}

// Loom throws an exception here.
function otherRank(
  claim: Claim,
  { side, name, at }: SelectionSlot,
  projection: Projection,
): Finding {
  const { node, document } = claim;
  const rank = node.tags.index?.length ?? 0;
  const columns = projection[0]?.coefficients.length ?? 0;
  return report(claim, {
    summary: "IPF index has the wrong number of dimensions",
    params: {
      selectionMapName: side,
      ioName: name,
      projection: printProjection(projection),
      expectedDimensions: String(columns),
      actualDimensions: String(rank),
    },
    contextPath: ["body", side, name, at],
    message: `the matrix of "${name}" has ${columns} columns, but the index of ${titleOf(node)} has rank ${rank}`,
    span: spanOf(document, node.id, ["tags", tagTypeOf("IPFIndex")]),
  });
}

type Report = Pick<FindingParts, "summary" | "message" | "span"> & {
  readonly params: Readonly<Record<string, string>>;
  readonly contextPath: JsonPath;
};

function report(
  { document, constraint, node, operation }: Claim,
  { contextPath, ...words }: Report,
): Finding {
  const title = node.kind === "Application" ? "Application Node" : "Operation Node";
  return finding({
    type: "NodeValidationError",
    constraint,
    ...words,
    contexts: [
      contextOf(document, title, node.id, contextPath),
      contextOf(document, "Operation Signature", operation.id, ["tags", tagTypeOf("IPFSignature")]),
    ],
  });
}
