// What the settings of a model say of inputs that nobody gives: how long rows of token ids are, how large images.

import type { InstanceValue, Value } from "#language/python";
import { divides } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { integerOf, textOf } from "./values/values.ts";

/** What settings call the longest row, the plainest names first; the last means other things too. */
const names: readonly string[] = [
  ...["max_seq_len", "max_seq_length", "max_sequence_length", "max_position_embeddings"],
  ...["context_length", "context_size", "ctx_len", "n_ctx", "n_text_ctx", "n_positions"],
  ...["seq_len", "seq_length", "sequence_length", "block_size"],
];

/** A longer row than this is nobody's usual step, though a model may take it. */
const longestRow = 4096;

/** A row per sequence of a batch. */
const rowRank = 2;

/** A length that a text's settings give. */
export interface RowSetting {
  readonly name: string;
  readonly size: number;
}

/** How long rows can be that nothing else of the text says, and which setting says it. */
export interface TokenRows {
  readonly setting: RowSetting;
  /** By the place of an input among the inputs and parameters of a run. */
  readonly lengths: ReadonlyMap<number, number>;
}

/** The rows among the inputs of a run that modules of the text bound; nothing where there are none. */
export function tokenRows(
  leaves: readonly TracedTensor[],
  modules: Iterable<InstanceValue> = [],
): TokenRows | undefined {
  const rows = leaves.flatMap((leaf, place) => (isOpenRow(leaf) ? [{ place, leaf }] : []));
  const setting = rows.length === 0 ? undefined : rowSetting(modules);
  if (setting === undefined) return undefined;
  const length = Math.min(setting.size, longestRow);
  const fitting = rows.filter(
    ({ leaf: { shape } }) => shape?.[1] !== length && divides(shape?.[1] ?? 1, length),
  );
  const lengths = new Map(fitting.map(({ place }) => [place, length]));
  return lengths.size === 0 ? undefined : { setting, lengths };
}

/** Whether a tensor is an input of token ids or of targets whose row length nothing determines. */
function isOpenRow({
  role,
  isOpen,
  isUnknown,
  shape,
  shapeStatus,
  ...leaf
}: TracedTensor): boolean {
  const isAssumed = isOpen === true && isUnknown !== true && shapeStatus === "assumed";
  const isOfTokens =
    leaf.dtype === "i64" || leaf.dtype === "i32" || isTargetName(leaf.name?.text ?? "");
  return role === "input" && isAssumed && shape?.length === rowRank && isOfTokens;
}

/** What a loss compares results with, as parameters call it. */
export function isTargetName(name: string): boolean {
  return /^(?:targets?|labels?)$/u.test(name);
}

/** The least of the lengths that modules, or the settings that they hold, give under the plainest name. */
function rowSetting(modules: Iterable<InstanceValue>): RowSetting | undefined {
  const known = numbersIn(modules);
  for (const name of names) {
    const size = known.get(name);
    if (size !== undefined) return { name, size };
  }
  return undefined;
}

/** How high and wide the images are that a model reads, by its settings. */
export function imageSide(modules: Iterable<InstanceValue> = []): number | undefined {
  const known = numbersIn(modules);
  return known.get("image_size") ?? known.get("img_size");
}

/** The whole numbers above 1 that modules and their settings hold; of one name the least. */
function numbersIn(modules: Iterable<InstanceValue>): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (const { attributes } of modules)
    for (const [name, value] of [...attributes, ...[...attributes.values()].flatMap(settingsIn)]) {
      const size = integerOf(value) ?? 0;
      if (size > 1) known.set(name, Math.min(size, known.get(name) ?? size));
    }
  return known;
}

/** The entries of an object or dict that may hold settings. */
function settingsIn(value: Value): readonly (readonly [string, Value])[] {
  if (value.kind === "instance") return [...value.attributes];
  if (value.kind !== "dict") return [];
  return [...value.entries.values()].map(({ key, value }) => [textOf(key) ?? "", value]);
}
