import { alongDimRows } from "./along-dims.ts";
import { attentionRows } from "./attention.ts";
import { communicationRows } from "./communication.ts";
import { customRow } from "./custom.ts";
import { elementWiseRows } from "./element-wise.ts";
import { fusedRows } from "./fused.ts";
import { groupedMatmulRow } from "./grouped-matmul.ts";
import { indexingRows } from "./indexing.ts";
import { blockAttentionRow, modelRows } from "./models.ts";
import { sliceRows } from "./slices.ts";
import { type PrimitiveSpec, specsIn } from "./spec.ts";
import { windowRows } from "./windows.ts";

const specs: ReadonlyMap<string, PrimitiveSpec> = new Map(
  specsIn([
    ...elementWiseRows,
    ...alongDimRows,
    ...sliceRows,
    ...indexingRows,
    ...windowRows,
    ...modelRows,
    ...fusedRows,
    ...communicationRows,
    ...attentionRows,
    blockAttentionRow,
    customRow,
    groupedMatmulRow,
  ]),
);

/** How a primitive that is not in the operator library is called and cut, by MindSpore's name. */
export function specOf(name: string): PrimitiveSpec | undefined {
  return specs.get(name);
}

/** The names of those primitives. */
export function specNames(): readonly string[] {
  return [...specs.keys()];
}
