import { product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";

import { type Inferred, refused, type TupleCall, valueAt, valuesFrom } from "./call.ts";

/** A gather: shapes of parameter and indices, the indexed axis, batch dims and pieces. */
export interface GatherCall extends TupleCall {
  readonly param: readonly number[];
  readonly indices: readonly number[];
  readonly axis: number;
  readonly batchDims: number;
  readonly paramCut: readonly number[];
  readonly indexCut: readonly number[];
}

/** A block of rows: its length and its first row. */
interface RowBlock {
  readonly rows: number;
  readonly offset: number;
}

/**
 * Gather with `manual_split`: each device holds an explicit number of rows and looks up its own
 * column of the indices (mindspore.md §5.5).
 */
export function manualGather(call: GatherCall): Checked<Inferred> {
  const { param, indices, paramCut, rank } = call;
  const blocks = blocksIn(call.attributes);
  if (blocks === undefined) {
    return refused("manual_split must be whole numbers, with offsets pairs of them");
  }
  const fault = manualFault(call, blocks);
  if (fault !== undefined) return refused(fault);
  const paramMap = valuesFrom(paramCut.length, 0, paramCut.length);
  const leading = indices.slice(1).map(() => -1);
  const block = blocks[Math.floor(rank / product(paramCut.slice(1)))];
  const rest = param.slice(1).map((size, at) => size / (paramCut[at + 1] ?? 1));
  return passed({
    deviceMatrix: paramCut,
    inputMaps: [paramMap, [...leading, valueAt(paramCut.length, 0)]],
    outputs: [{ shape: [...indices, ...param.slice(1)], map: [...leading, ...paramMap] }],
    forward: [],
    inputSlices: { 0: [block?.rows ?? 0, ...rest] },
    offset: block?.offset ?? 0,
  });
}

/**
 * The blocks of either attribute; without offsets each block begins at the end of the previous one.
 */
function blocksIn({
  manual_split: plain,
  manual_split_with_offset: pairs,
}: GatherCall["attributes"]): readonly RowBlock[] | undefined {
  const list: unknown = pairs ?? plain;
  if (!Array.isArray(list)) return undefined;
  let next = 0;
  const found = list.map((element: unknown): RowBlock | undefined => {
    const [rows, offset]: unknown[] = pairs === undefined ? [element, next] : [element].flat();
    if (!isInteger(rows) || !isInteger(offset)) return undefined;
    next += rows;
    return { rows, offset };
  });
  return found.every((block) => block !== undefined) ? found : undefined;
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** The first failing check of manual_split, in MindSpore's order. */
function manualFault(
  { param, indices, paramCut, indexCut, devices }: GatherCall,
  blocks: readonly RowBlock[],
): string | undefined {
  const [rows = 1] = param;
  const columns = indices.at(-1) ?? 1;
  const cut = indexCut.at(-1) ?? 1;
  if (blocks.length === 0 || blocks.some((block) => block.rows <= 0)) {
    return "manual_split needs rows for every device";
  }
  if (product(indexCut.slice(0, -1)) !== 1) {
    return "with manual_split only the last dim of the indices can be split";
  }
  if (paramCut[0] !== cut || cut !== blocks.length) {
    return `manual_split has ${blocks.length} elements for strategies of ${paramCut[0]} and ${cut}`;
  }
  if (blocks.some((block) => block.rows < columns / cut)) {
    return `each element of manual_split must be at least ${columns / cut}`;
  }
  if (rows < columns) return `the parameter has ${rows} rows for ${columns} columns of indices`;
  if (product(paramCut) !== devices) return `manual_split needs all ${devices} devices`;
  const total = blocks.reduce((sum, block) => sum + block.rows, 0);
  return total === rows ? undefined : `manual_split adds up to ${total}, not to ${rows} rows`;
}
