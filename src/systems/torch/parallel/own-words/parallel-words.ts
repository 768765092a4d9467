import type { Operator, OperatorId } from "#core/ir";
import { fieldOf } from "#core/records";
import type { OwnManner, OwnPassage, OwnWords, PlanWriting } from "#language/document/bindings";
import type { AxisLists } from "#language/document/trace";
import type { InstanceValue } from "#language/python";
import { MeshParts } from "../plans/mesh-parts.ts";
import { ModuleOperators } from "../plans/module-operators.ts";
import { type MeshDims, type ParallelRecord, parallelIn, type WrittenPlan } from "../record.ts";
import { added, removed, replaced, type WantedStyle } from "./style-text.ts";

/**
 * Styles of `parallelize_module` that split operators as a plan wants: in place of those that stand in
 * a plan that is written out, else behind them. One entry speaks of every module that its path fits.
 */
export function parallelWords(writing: PlanWriting): OwnWords {
  const record = parallelIn(writing.trace);
  const unsaid = new Map<OperatorId, string>();
  if (record === undefined || record.plans.length === 0) return { passages: [], unsaid };
  const passages = new Map<string, Passage>();
  const setting = settingOf(writing, record);
  for (const [traced, operator] of writing.built.operatorOf) {
    if (!writing.wanted.has(operator.id)) continue;
    const place = placeOf(setting, operator, traced.layer);
    const style = place && styleFor(setting, place, operator);
    if (place === undefined || style === undefined) continue;
    const key = JSON.stringify([place.key, style]);
    const known = passages.get(key) ?? { manners: mannersOf(writing, place, style), operators: [] };
    known.operators.push(operator.id);
    passages.set(key, known);
  }
  return { passages: [...passages.values()].filter(({ manners }) => manners.length > 0), unsaid };
}

interface Passage extends OwnPassage {
  readonly operators: OperatorId[];
}

interface Setting {
  readonly record: ParallelRecord;
  readonly operators: ModuleOperators;
  readonly parts: MeshParts;
  readonly planned: PlanWriting["planned"];
}

function settingOf({ built, mesh, planned }: PlanWriting, record: ParallelRecord): Setting {
  return { record, operators: new ModuleOperators(built), parts: new MeshParts(mesh), planned };
}

/** Where a plan speaks of a module, or would. */
export interface StylePlace {
  readonly key: number;
  readonly module: InstanceValue;
  readonly mesh: MeshDims;
  readonly entry?: NonNullable<ParallelRecord["styles"][number]["entry"]>;
  readonly plan: WrittenPlan;
  readonly path: string;
}

/** The entry of the module that runs an operator, or the plan that it could be added to. */
function placeOf(
  { record, operators }: Pick<Setting, "record" | "operators">,
  operator: Operator,
  layer: InstanceValue | undefined,
): StylePlace | undefined {
  const styled = record.styles.find(({ module, entry }) => entry !== undefined && module === layer);
  const around = record.styles.find(
    ({ module, entry, style }) =>
      entry !== undefined && style.kind === "sequence" && operators.isIn(operator, module),
  );
  const { module, entry, mesh } = styled ?? around ?? { module: layer };
  if (module === undefined) return undefined;
  const plan = record.plans.find(({ paths, tree }) =>
    entry === undefined ? paths.has(module) : tree.items.includes(entry),
  );
  if (plan === undefined) return undefined;
  const path = plan.paths.get(module) ?? "";
  const key = entry?.span.from ?? plan.tree.span.from;
  return {
    key,
    module,
    mesh: mesh ?? plan.mesh,
    plan,
    path,
    ...(entry !== undefined && { entry }),
  };
}

/**
 * The style that cuts an operator as the plan wants; `whole` for no style, `undefined` where no
 * style does it.
 */
function styleFor(
  { record, operators, parts, planned }: Setting,
  { module, mesh }: StylePlace,
  operator: Operator,
): WantedStyle["name"] | "whole" | undefined {
  const lists = planned.get(operator.id);
  if (lists === undefined) return undefined;
  const axes = new Set(parts.of(mesh).map((part) => (part.kind === "axis" ? part.axis : "")));
  const isCut = (identifier: string | undefined) => cutsBy(lists, identifier, axes);
  const weight = operators.idOf(record.tensorOf(module.attributes.get("weight")));
  const held = operator.inputs.find(({ tensor }) => tensor === weight);
  if (held !== undefined && held.dims.length === 2) {
    const isEmbedding = operator.entry === "embedding";
    const [columns, rows] = isEmbedding ? [1, 0] : [0, 1];
    if (isCut(held.dims[columns]?.splittable)) return "ColwiseParallel";
    if (isCut(held.dims[rows]?.splittable)) return "RowwiseParallel";
  }
  if (isCut(operator.inputs[0]?.dims[1]?.splittable)) return "SequenceParallel";
  const isAny = Object.keys(lists).some(isCut);
  return isAny ? undefined : "whole";
}

function cutsBy(
  lists: AxisLists,
  identifier: string | undefined,
  axes: ReadonlySet<string>,
): boolean {
  const list = identifier === undefined ? [] : (fieldOf(lists, identifier) ?? []);
  return list.some((axis) => axes.has(axis));
}

/** The ways to write a style where a plan speaks of a module. */
export function mannersOf(
  text: Pick<PlanWriting, "source" | "boundNames">,
  { entry, plan, path }: StylePlace,
  style: WantedStyle["name"] | "whole",
): readonly OwnManner[] {
  if (entry === undefined) {
    return style === "whole" ? [] : [{ edits: added(text, plan.tree, path, style) }];
  }
  if (style === "whole") return [{ edits: removed(text, entry) }];
  return replaced(text, entry.span, { name: style }).map((edits) => ({ edits }));
}
