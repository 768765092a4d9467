import type { TensorId } from "#core/ir";
import { NotWritten, ofModule, type TextRun } from "#systems/arrays";
import { type ForwardFlow, patternOf } from "./forward-flow.ts";
import type { Leaf } from "./leaves.ts";
import type { Prepared, ValuePaths } from "./paths-of-values.ts";
import { type Place, placeText, samePlace, whole } from "./place.ts";

/** One entry of a plan of `parallelize_module`. */
export interface StyleEntry {
  readonly pattern: string;
  readonly style: string;
}

/** The entries of a plan, equal layers as one, in the order in which the model runs them. */
export function styleEntries(flow: ForwardFlow, paths: ValuePaths): readonly StyleEntry[] {
  const styles = new Map<string, string>();
  for (const { path } of flow.modules.runs) {
    const prepared = paths.prepared.get(path);
    if (prepared !== undefined)
      styles.set(
        path,
        ofModule(path, () => preparedText(flow, path, prepared)),
      );
  }
  for (const [path, leaf] of paths.leaves) styles.set(path, leafText(flow, paths, leaf));
  const order = [...flow.modules.classesOf.keys()];
  const entries = new Map<string, string>();
  for (const path of inRunOrder(flow, [...styles.keys()])) {
    const pattern = patternOf(path);
    const alike = order.filter((each) => patternOf(each) === pattern);
    const isEqual = alike.every((each) => styles.get(each) === styles.get(path));
    entries.set(isEqual ? pattern : path, styles.get(path) ?? "");
  }
  return [...entries].map(([pattern, style]) => ({ pattern, style }));
}

function inRunOrder(flow: ForwardFlow, paths: readonly string[]): readonly string[] {
  const order = new Map(flow.modules.runs.map(({ path }, at) => [path, at]));
  return [...paths].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function rankOf(flow: ForwardFlow, id: TensorId): number {
  return flow.tensor(id).shape.length;
}

/** The style of a layer as Python text, with the arguments that differ from the style's defaults. */
function leafText(flow: ForwardFlow, paths: ValuePaths, leaf: Leaf): string {
  const { path, kind, input, output, isEmbedding } = leaf;
  if (kind === "sequence") {
    const dim = leaf.wanted.kind === "cut" ? leaf.wanted.dim : 1;
    const isWhole = isCutResult(flow, paths, leaf);
    const words = [
      ...(dim === 1 ? [] : [`sequence_dim=${dim}`]),
      ...(isWhole ? [] : ["use_local_output=True"]),
    ];
    return `SequenceParallel(${words.join(", ")})`;
  }
  return layerText(leaf, {
    seen: paths.seenIn(input, path),
    handed: paths.handed.get(output) ?? whole,
    ranks: { input: rankOf(flow, input), output: rankOf(flow, output) },
    isRowsOfTable: isEmbedding && kind === "rows",
    isCutResult: isCutResult(flow, paths, leaf),
  });
}

/**
 * Whether a layer's result leaves the model while it is cut: its reader would take the part for the
 * whole.
 */
export function isCutResult(flow: ForwardFlow, { handed }: ValuePaths, { output }: Leaf): boolean {
  const reads = flow.reads.get(output) ?? [];
  const isResult = reads.length === 0 || reads.some(({ path }) => path === undefined);
  return isResult && handed.get(output)?.kind === "cut";
}

interface LayerEnds {
  readonly seen: Place;
  readonly handed: Place;
  readonly ranks: { readonly input: number; readonly output: number };
  readonly isRowsOfTable: boolean;
  readonly isCutResult: boolean;
}

function layerText({ kind }: Leaf, { seen, handed, ranks, ...ends }: LayerEnds): string {
  const last = (rank: number): Place => ({ kind: "cut", dim: rank - 1 });
  const isColumns = kind === "columns";
  const usualIn = isColumns ? whole : last(ranks.input);
  const usualOut = isColumns ? last(ranks.output) : whole;
  const words = [
    ...(samePlace(seen, usualIn) && !ends.isRowsOfTable
      ? []
      : [`input_layouts=${placeText(seen, ranks.input)}`]),
    ...(samePlace(handed, usualOut) ? [] : [`output_layouts=${placeText(handed, ranks.output)}`]),
    ...(ends.isCutResult ? ["use_local_output=False"] : []),
  ];
  return `${isColumns ? "ColwiseParallel" : "RowwiseParallel"}(${words.join(", ")})`;
}

/** The style by which a module prepares its arguments; all its runs must get them alike. */
function preparedText(flow: ForwardFlow, path: string, prepared: readonly Prepared[]): string {
  const [run, ...others] = flow.modules.runs.filter((each) => each.path === path);
  const places = run === undefined ? undefined : argumentPlaces(run, prepared);
  if (places === undefined || others.length > 0)
    throw new NotWritten(
      `${patternOf(path)} is called ${others.length + 1} times, and its style is for what one call is given`,
    );
  const isLocal = prepared.some(({ isShared }) => !isShared);
  if (isLocal && prepared.some(({ isShared }) => isShared))
    throw new NotWritten(
      `${patternOf(path)} is given tensors that its style would leave both as DTensors and not`,
    );
  const { positions, named } = places;
  const list = (pick: (each: Prepared) => Place) =>
    listText(
      positions.map((each) => (each ? placeText(pick(each), rankOf(flow, each.tensor)) : "None")),
    );
  const dict = (pick: (each: Prepared) => Place) =>
    `{${named.map(([name, each]) => `"${name}": ${placeText(pick(each), rankOf(flow, each.tensor))}`).join(", ")}}`;
  const words = [
    ...(positions.some((each) => each !== undefined)
      ? [
          `input_layouts=${list(({ from }) => from)}`,
          `desired_input_layouts=${list(({ to }) => to)}`,
        ]
      : []),
    ...(named.length > 0
      ? [
          `input_kwarg_layouts=${dict(({ from }) => from)}`,
          `desired_input_kwarg_layouts=${dict(({ to }) => to)}`,
        ]
      : []),
    ...(isLocal ? ["use_local_output=True"] : []),
  ];
  return `PrepareModuleInput(${words.join(", ")})`;
}

function listText(items: readonly string[]): string {
  const [only = "", ...more] = items;
  return more.length === 0 ? only : `(${items.join(", ")})`;
}

function argumentPlaces({ args }: TextRun, prepared: readonly Prepared[]) {
  const of = (id: TensorId | undefined) => prepared.find(({ tensor }) => tensor === id);
  const positions = args.filter(({ name }) => name === undefined).map(({ tensor }) => of(tensor));
  const named = args.flatMap(({ name, tensor }): [string, Prepared][] => {
    const found = of(tensor);
    return name === undefined || found === undefined ? [] : [[name, found]];
  });
  return { positions, named };
}
