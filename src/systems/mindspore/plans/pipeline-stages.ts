import type { Diagnostic } from "#core/diagnostics";
import { assumedOf } from "#language/document/bindings";
import { itemsOf } from "#language/document/bindings/values";
import type { Trace } from "#language/document/trace";
import type { InstanceValue, Value } from "#language/python";
import { cellsRun, netResultsIn } from "../bindings/net-results.ts";
import { parallelSetting } from "./parallel-mode.ts";

/**
 * The error for a net whose cells do not use as many stages as `pipeline_stages` sets. MindSpore
 * 2.10 counts the different values of `pipeline_stage` among the cells that the net runs, whatever
 * these values are. Layers of `nn` that a cell holds may run or not.
 */
export function unusedStages(trace: Trace): readonly Diagnostic[] {
  const { stages, span } = parallelSetting(trace) ?? {};
  if (stages === undefined || span === undefined) return [];
  const ran = cellsRun(trace).map(({ cell }) => cell);
  const [least, most] = [stagesOf(ran), stagesOf([...heldIn(ran)])];
  if (ran.length === 0 || least === undefined || most === undefined) return [];
  // With several nets each uses some of these stages.
  const isOneNet = new Set(netResultsIn(trace).map(({ net }) => net)).size === 1;
  if (most >= stages && (least <= stages || !isOneNet)) return [];
  const used = most < stages ? most : least;
  const message = `MindSpore 2.10 refuses this: pipeline_stages is ${stages}, and the cells that run stand in ${used} by their pipeline_stage`;
  const code = "mindspore/pipeline-stages";
  return [{ code, severity: "error", message, upstream: "RuntimeError", span }];
}

/** The number of different stages of cells; `undefined` if one is not known. */
function stagesOf(cells: readonly InstanceValue[]): number | undefined {
  const used = new Set<number>();
  for (const { attributes, type } of cells) {
    // What is not known may be a cell with a stage.
    if ([...attributes.values()].some(isAssumed)) return undefined;
    const value = attributes.get("pipeline_stage");
    const isOfClass = type.mro.some((each) => each.attributes.has("pipeline_stage"));
    if (isOfClass || (value !== undefined && value.kind !== "int")) return undefined;
    // A list of cells is no cell of the graph.
    if (value !== undefined && !lists.has(type.name)) used.add(Number(value.value));
  }
  return used.size;
}

function isAssumed(value: Value): boolean {
  return assumedOf(value) !== undefined || (itemsOf(value) ?? []).some(isAssumed);
}

const lists: ReadonlySet<string> = new Set(["CellList", "CellDict"]);

/** Cells with all instances that they hold. */
function heldIn(cells: readonly InstanceValue[]): ReadonlySet<InstanceValue> {
  const found = new Set(cells);
  const instancesIn = (value: Value): readonly InstanceValue[] =>
    value.kind === "instance" ? [value] : (itemsOf(value) ?? []).flatMap(instancesIn);
  for (const { attributes } of found)
    for (const value of attributes.values()) for (const each of instancesIn(value)) found.add(each);
  return found;
}
