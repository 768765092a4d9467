import { coverageOf } from "#core/indexspace";
import { contextOf, type LoomDocument, nodesOf, spanOf, titleOf } from "../document.ts";
import type { OperationNode } from "../graph.ts";
import { type Finding, finding } from "../issue.ts";
import { printBox } from "../print-range.ts";
import { type ShardedSlot, shardContext, shardedSlots, shardsByOperation } from "../shards.ts";

/** Most overlaps and gaps that are named; the others are alike. */
const shown = 4;

/**
 * Checks that the shards of each output tile it: no cell is made twice, none is left out.
 *
 * Loom compares sums of sizes, in which an overlap can hide a gap; here overlaps and gaps are found
 * and reported apart.
 */
export function checkOutputCoverage(document: LoomDocument): readonly Finding[] {
  const shards = shardsByOperation(document);
  return nodesOf(document, "Operation").flatMap((operation) => {
    const slots = shardedSlots(operation, shards.get(operation.id) ?? []);
    const outputs = slots.filter(({ slot }) => slot.side === "outputs");
    return outputs.flatMap((output) => checkOutput(document, operation, output));
  });
}

function checkOutput(
  document: LoomDocument,
  operation: OperationNode,
  output: ShardedSlot,
): readonly Finding[] {
  const { name, selection } = output.slot;
  const ranges = output.shards.map(({ range }) => range);
  const { overlaps, gaps } = coverageOf(selection.range, ranges, shown);
  const slotName = `"${name}[${output.slot.position}]"`;
  const doubled = overlaps.map(({ cells }) => printBox(cells)).join(", ");
  const missing = gaps.map((gap) => printBox(gap)).join(", ");
  return [
    ...(overlaps.length === 0
      ? []
      : [
          report(document, operation, output, {
            summary: `Overlapping Application output key ${slotName} ranges`,
            message: `the shards of ${titleOf(operation)} make these cells of "${name}" more than once: ${doubled}`,
            makers: [...new Set(overlaps.flatMap(({ first, second }) => [first, second]))],
          }),
        ]),
    ...(gaps.length === 0
      ? []
      : [
          report(document, operation, output, {
            summary: `Gap between Application output key ${slotName} ranges`,
            message: `no shard of ${titleOf(operation)} makes these cells of "${name}": ${missing}`,
            makers: [],
          }),
        ]),
  ];
}

interface Words {
  readonly summary: string;
  readonly message: string;
  /** Positions of the shards that the diagnostic points at. */
  readonly makers: readonly number[];
}

function report(
  document: LoomDocument,
  operation: OperationNode,
  output: ShardedSlot,
  { makers, ...words }: Words,
): Finding {
  const { path } = output.slot;
  return finding({
    type: "NodeValidationError",
    constraint: "ApplicationOutputRangeCoverageIsExactConstraint",
    ...words,
    contexts: [contextOf(document, "Operation Node", operation.id, path), shardContext(output)],
    span: spanOf(document, operation.id, [...path, "range"]),
    related: makers.flatMap((at) => {
      const { id, range } = output.shards[at] ?? {};
      const span = id && spanOf(document, id, [...path, "range"]);
      const made = range && `a shard makes ${printBox(range)}`;
      return span === undefined || made === undefined ? [] : [{ message: made, span }];
    }),
  });
}
