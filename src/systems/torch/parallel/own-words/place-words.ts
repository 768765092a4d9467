import type { TextEdit } from "#core/diagnostics";
import { tensorId } from "#core/ir";
import { blockCount } from "#core/mesh";
import { sameItems } from "#core/records";
import type { PlaceWriting } from "#language/document/bindings";
import type { InstanceValue } from "#language/python";
import { MeshParts } from "../plans/mesh-parts.ts";
import { ModuleOperators } from "../plans/module-operators.ts";
import { type MeshDims, type ParallelRecord, type PlacedTensor, parallelIn } from "../record.ts";
import { mannersOf, type StylePlace } from "./parallel-words.ts";
import { importOf } from "./style-text.ts";

type Ways = readonly (readonly TextEdit[])[];

/**
 * Ways to say in PyTorch's words how tensors lie: the placements of a `distribute_tensor`, the
 * `output_layouts` of the style whose module makes one, or the style of the module that holds one.
 */
export function parallelPlaces(writing: PlaceWriting): Ways {
  const record = parallelIn(writing.trace);
  if (record === undefined) return [];
  const setting = { writing, record, parts: new MeshParts(writing.mesh) };
  const found = writing.tensors.map(
    (name) =>
      placedWays(setting, name) ?? resultWays(setting, name) ?? weightWays(setting, name) ?? [],
  );
  const [first = []] = found;
  const key = JSON.stringify(first);
  return found.every((ways) => JSON.stringify(ways) === key) ? first : [];
}

interface Setting {
  readonly writing: PlaceWriting;
  readonly record: ParallelRecord;
  readonly parts: MeshParts;
}

/** `[Shard(0), Replicate()]` of a tensor that the text distributes. */
function placedWays({ writing, record, parts }: Setting, name: string): Ways | undefined {
  const traced = writing.built.tracedBy.get(name);
  const placed = record.placed.findLast(({ tensor }) => tensor === traced);
  if (placed === undefined) return undefined;
  const dims = placed.mesh.map((over) => dimOver(writing.wanted, over, parts));
  if (dims.some((dim) => dim === "none") || !isWhole(writing, placed, parts)) return [];
  const texts = dims.map((dim) => (typeof dim === "number" ? `Shard(${dim})` : "Replicate()"));
  const needed = ["Shard", "Replicate"]
    .filter((word) => texts.some((text) => text.startsWith(word)))
    .flatMap((word) => importOf(writing.source, writing.boundNames, word));
  const { tree, span } = placed;
  const isListed = tree !== undefined && tree.items.length === texts.length;
  const edits = isListed
    ? texts.flatMap((text, at): TextEdit[] => {
        const own = tree.items[at]?.span;
        const before = own && writing.source.slice(own.from, own.to);
        return own === undefined || before === text ? [] : [{ ...own, text }];
      })
    : [{ ...span, text: `[${texts.join(", ")}]` }];
  return edits.length === 0 ? [] : [[...edits, ...needed]];
}

/** The dim that the parts of a mesh dim cut; `undefined` for none, `none` where no placement says it. */
function dimOver(
  wanted: PlaceWriting["wanted"],
  over: MeshDims,
  parts: MeshParts,
): number | undefined | "none" {
  const axes = parts.of(over).map((part) => (part.kind === "axis" ? part.axis : ""));
  const found = wanted.flatMap((list, dim) =>
    list.some((axis) => axes.includes(axis)) ? [dim] : [],
  );
  const [dim, other] = found;
  if (dim === undefined) return undefined;
  const isAll = axes.every((axis) => wanted[dim]?.includes(axis));
  return other === undefined && isAll ? dim : "none";
}

/** Whether placements express the wanted layout fully, in the order in which a mesh cuts. */
function isWhole(
  { wanted, mesh }: PlaceWriting,
  { mesh: over }: PlacedTensor,
  parts: MeshParts,
): boolean {
  const order = mesh.axes.map(({ name }) => name);
  const axes = over
    .flatMap((each) => parts.of(each))
    .map((part) => (part.kind === "axis" ? part.axis : ""));
  return wanted.every((list) => {
    const sorted = list.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
    return sameItems(list, sorted) && list.every((axis) => axes.includes(axis));
  });
}

/** `output_layouts=` of the style of the module that makes a tensor. */
function resultWays(setting: Setting, name: string): Ways | undefined {
  const { writing, record, parts } = setting;
  const operators = new ModuleOperators(writing.built);
  const maker = operators.makerOf(tensorId(name));
  if (maker === undefined) return undefined;
  const styled = record.styles.find(
    ({ module, style, entry }) =>
      entry !== undefined &&
      (style.kind === "rows" || style.kind === "columns") &&
      operators.isIn(maker, module) &&
      operators.resultsOf(module).some((id) => id === name),
  );
  if (styled?.entry === undefined) return undefined;
  const dim = dimOver(writing.wanted, styled.mesh, parts);
  if (dim === "none" || blockCount(parts.of(styled.mesh)) === 1) return [];
  const { from, to } = styled.entry.span;
  const before = writing.source.slice(from, to);
  const layout = dim === undefined ? "Replicate()" : `Shard(${dim})`;
  const given = /\boutput_layouts\s*=\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w.]+\([^()]*\))/u;
  const text = given.test(before)
    ? before.replace(given, `output_layouts=${layout}`)
    : before.replace(/,?\s*\)$/u, () => {
        const isEmpty = /\(\s*\)$/u.test(before);
        return `${isEmpty ? "" : ", "}output_layouts=${layout})`;
      });
  const word = dim === undefined ? "Replicate" : "Shard";
  const needed = importOf(writing.source, writing.boundNames, word);
  return text === before ? [] : [[{ from, to, text }, ...needed]];
}

/** The style of the module that holds a weight. */
function weightWays(setting: Setting, name: string): Ways | undefined {
  const { writing, record, parts } = setting;
  const traced = writing.built.tracedBy.get(name);
  const holds = ({ attributes }: InstanceValue) =>
    traced !== undefined && record.tensorOf(attributes.get("weight")) === traced;
  const plan = record.plans.find(({ paths }) => [...paths.keys()].some(holds));
  const [module, path] = [...(plan?.paths ?? [])].find(([each]) => holds(each)) ?? [];
  if (plan === undefined || module === undefined || path === undefined) return undefined;
  const styled = record.styles.find((each) => each.module === module);
  const dim = dimOver(writing.wanted, plan.mesh, parts);
  if (dim === "none") return [];
  const place: StylePlace = {
    ...{ key: 0, module, mesh: plan.mesh, plan, path },
    ...(styled?.entry !== undefined && { entry: styled.entry }),
  };
  const isEmbedding = module.type.name === "Embedding";
  const style =
    dim === undefined
      ? "whole"
      : (dim === 0) === isEmbedding
        ? "RowwiseParallel"
        : "ColwiseParallel";
  return mannersOf(writing, place, style).map(({ edits }) => edits);
}
