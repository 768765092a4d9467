import { anything, integer, listOf, mapOf, record, type Schema, text, uuid } from "./schema.ts";
import type { NodeKind, TagKind } from "./uris.ts";

// Hand-written rules of Loom's `.jsd` files, which use keywords of their own that no strict
// validator loads (loom.md §1.3).

const point = listOf(integer);
const range = record({ start: point, end: point });
const selection = record({ tensorId: uuid, range });
const selections = mapOf(listOf(selection, { minItems: 1 }), { wantsNames: true });
const affineMap = record({ projection: listOf(point), offset: point });
const projections = mapOf(listOf(record({ affineMap, shape: point })));

/** Schema of the body of each kind of node. */
export const bodySchemas: Readonly<Record<NodeKind, Schema>> = {
  Tensor: record({ dtype: text, range }),
  Operation: record(
    { kernel: text },
    { params: mapOf(anything, { wantsNames: true }), inputs: selections, outputs: selections },
  ),
  Application: record({ operationId: uuid }, { inputs: selections, outputs: selections }),
  Note: record({ message: text }),
};

/** Schema of the value of each kind of tag. */
export const tagSchemas: Readonly<Record<TagKind, Schema>> = {
  IPFSignature: record({ inputs: projections, outputs: projections }),
  IPFIndex: range,
  IOSequencePoint: record({}),
};
