// Input sizes told by a model's settings: lengths of token rows, sizes of images.

import type { InstanceValue, Value } from "#language/python";
import { divides } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { integerOf, textOf } from "./values/values.ts";

/**
 * Settings for the longest sequence, most specific names first; `block_size` also has other
 * meanings.
 */
const names: readonly string[] = [
  ...["max_seq_len", "max_seq_length", "max_sequence_length", "max_position_embeddings"],
  ...["context_length", "context_size", "ctx_len", "n_ctx", "n_text_ctx", "n_positions"],
  ...["seq_len", "seq_length", "sequence_length", "block_size"],
];

/** Longest assumed row: a usual step is no longer, even if the model may take longer ones. */
const longestRow = 4096;

/** Rank of token inputs: batch and sequence. */
const rowRank = 2;

/** A sequence length that the text's settings give. */
export interface RowSetting {
  readonly name: string;
  readonly size: number;
}

/** Row lengths that only a setting tells, with that setting. */
export interface TokenRows {
  readonly setting: RowSetting;
  /** Row length by the position of an input among the run's inputs and parameters. */
  readonly lengths: ReadonlyMap<number, number>;
}

/**
 * Row lengths for the open token inputs of a run; `undefined` when there are none or no setting
 * tells them.
 */
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

/** Whether a parameter's name is usual for the targets of a loss. */
export function isTargetName(name: string): boolean {
  return /^(?:targets?|labels?)$/u.test(name);
}

/** Sequence length under the most specific setting name; the least one when modules differ. */
function rowSetting(modules: Iterable<InstanceValue>): RowSetting | undefined {
  const known = numbersIn(modules);
  for (const name of names) {
    const size = known.get(name);
    if (size !== undefined) return { name, size };
  }
  return undefined;
}

/** Height and width of a model's input images, by its settings; `undefined` when not set. */
export function imageSide(modules: Iterable<InstanceValue> = []): number | undefined {
  const known = numbersIn(modules);
  return known.get("image_size") ?? known.get("img_size");
}

/** Integers above 1 that modules and their settings hold, by name; the least when they differ. */
function numbersIn(modules: Iterable<InstanceValue>): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (const { attributes } of modules)
    for (const [name, value] of [...attributes, ...[...attributes.values()].flatMap(settingsIn)]) {
      const size = integerOf(value) ?? 0;
      if (size > 1) known.set(name, Math.min(size, known.get(name) ?? size));
    }
  return known;
}

/** Entries of an object or dict that may hold settings. */
function settingsIn(value: Value): readonly (readonly [string, Value])[] {
  if (value.kind === "instance") return [...value.attributes];
  if (value.kind !== "dict") return [];
  return [...value.entries.values()].map(({ key, value }) => [textOf(key) ?? "", value]);
}
