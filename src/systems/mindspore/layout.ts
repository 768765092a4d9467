import { product } from "#core/arithmetic";
import type { LayoutSpec, MapEntry } from "#language/document/trace";

export type { MapEntry };

/** A Python value as the layout checks distinguish it. */
export type Plain =
  | { readonly kind: "int"; readonly value: number }
  | { readonly kind: "str"; readonly value: string }
  | { readonly kind: "tuple" | "list"; readonly items: readonly Plain[] }
  | { readonly kind: "other"; readonly type: string };

/** An exception that MindSpore raises, and the index (0-based) of the argument that causes it. */
export interface Fault {
  readonly kind: "TypeError" | "ValueError";
  readonly message: string;
  readonly argument: number;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

const interleavedAlias = "interleaved_parallel";

/** `Layout(device_matrix, alias_name, rank_list)`: the checks of mindspore.md §1.1 in their order. */
export function constructLayout(matrix: Plain, alias: Plain, ranks?: Plain): Outcome<LayoutSpec> {
  const matrixFault = checkMatrix(matrix, alias);
  if (matrixFault !== undefined) return { ok: false, fault: matrixFault };
  const deviceMatrix = integersIn(matrix);
  const aliasFault = checkAliases(itemsIn(alias));
  if (aliasFault !== undefined) return { ok: false, fault: aliasFault };
  const aliasName = textsIn(alias);
  if (deviceMatrix.length === 0)
    return refuse("TypeError", "the product of an empty device_matrix is not an integer", 0);
  const devices = product(deviceMatrix);
  const rankFault = ranks === undefined ? undefined : checkRanks(ranks, devices);
  if (rankFault !== undefined) return { ok: false, fault: rankFault };
  const rankList =
    ranks === undefined
      ? Array.from({ length: Math.max(0, devices) }, (_, rank) => rank)
      : integersIn(ranks);
  const isInterleaved = aliasName.includes(interleavedAlias);
  return { ok: true, value: { deviceMatrix, aliasName, rankList, isInterleaved } };
}

function checkMatrix(matrix: Plain, alias: Plain): Fault | undefined {
  if (matrix.kind !== "tuple")
    return fault("TypeError", `device_matrix must be tuple, but got ${typeOf(matrix)}`, 0);
  if (alias.kind !== "tuple")
    return fault("TypeError", `alias_name must be tuple, but got ${typeOf(alias)}`, 1);
  if (matrix.items.length !== alias.items.length) {
    const lengths = `${matrix.items.length} and ${alias.items.length}`;
    return fault(
      "ValueError",
      `device_matrix and alias_name should be equal in length, but they have ${lengths}`,
      1,
    );
  }
  const wrong = matrix.items.find((item) => item.kind !== "int");
  return (
    wrong &&
    fault("TypeError", `each element of device_matrix must be int, but got ${typeOf(wrong)}`, 0)
  );
}

function checkAliases(aliases: readonly Plain[]): Fault | undefined {
  for (const alias of aliases) {
    if (alias.kind !== "str")
      return fault(
        "TypeError",
        `each element of alias_name must be str, but got ${typeOf(alias)}`,
        1,
      );
    if (alias.value === "")
      return fault("ValueError", "an element of alias_name cannot be empty", 1);
    if (alias.value === "None")
      return fault("ValueError", 'the alias "None" is reserved for no sharding', 1);
  }
  const names = aliases.map((alias) => (alias.kind === "str" ? alias.value : ""));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    return fault(
      "ValueError",
      `each element of alias_name should be different, but "${twice}" stands twice`,
      1,
    );
  const virtual = names.indexOf(interleavedAlias);
  if (virtual >= 0 && virtual !== names.length - 1) {
    return fault("ValueError", `"${interleavedAlias}" must be at the last dim of alias_name`, 1);
  }
  return undefined;
}

function checkRanks(ranks: Plain, product: number): Fault | undefined {
  if (ranks.kind !== "list")
    return fault("TypeError", `rank_list should be a list, but got ${typeOf(ranks)}`, 2);
  const wrong = ranks.items.find((item) => item.kind !== "int");
  if (wrong !== undefined)
    return fault(
      "TypeError",
      `each element of rank_list should be int, but got ${typeOf(wrong)}`,
      2,
    );
  if (ranks.items.length !== product) {
    return fault(
      "ValueError",
      `rank_list should have ${product} elements, the product of device_matrix, but has ${ranks.items.length}`,
      2,
    );
  }
  return undefined;
}

/** `layout(e0, e1, …)`: the tensor map of mindspore.md §1.2, or the exception it raises. */
export function callLayout(
  spec: LayoutSpec,
  entries: readonly Plain[],
): Outcome<readonly MapEntry[]> {
  const used = new Set<string>();
  const map: MapEntry[] = [];
  for (const [argument, entry] of entries.entries()) {
    const names = entry.kind === "tuple" ? entry.items : [entry];
    const values: number[] = [];
    for (const name of names) {
      const read = axisNumber(spec, name, used, argument);
      if (!read.ok) return read;
      values.push(read.value);
    }
    map.push(entry.kind === "tuple" ? values : (values[0] ?? -1));
  }
  return { ok: true, value: map };
}

function axisNumber(
  spec: LayoutSpec,
  name: Plain,
  used: Set<string>,
  argument: number,
): Outcome<number> {
  const text = name.kind === "str" ? name.value : undefined;
  if (text === "None") return { ok: true, value: -1 };
  const index = text === undefined ? -1 : spec.aliasName.indexOf(text);
  if (text === undefined || index < 0) {
    const shown = text === undefined ? typeOf(name) : `"${text}"`;
    return refuse(
      "ValueError",
      `the axis ${shown} is not found in ${list(spec.aliasName)}`,
      argument,
    );
  }
  if (used.has(text))
    return refuse("ValueError", `the axis "${text}" is set more than one time`, argument);
  used.add(text);
  return { ok: true, value: spec.aliasName.length - 1 - index };
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function refuse(
  kind: Fault["kind"],
  message: string,
  argument: number,
): { ok: false; fault: Fault } {
  return { ok: false, fault: fault(kind, message, argument) };
}

function fault(kind: Fault["kind"], message: string, argument: number): Fault {
  return { kind, message, argument };
}

function typeOf(value: Plain): string {
  return value.kind === "other" ? value.type : value.kind;
}

function itemsIn(value: Plain): readonly Plain[] {
  return value.kind === "tuple" || value.kind === "list" ? value.items : [];
}

function integersIn(value: Plain): readonly number[] {
  return itemsIn(value).flatMap((item) => (item.kind === "int" ? [item.value] : []));
}

function textsIn(value: Plain): readonly string[] {
  return itemsIn(value).flatMap((item) => (item.kind === "str" ? [item.value] : []));
}
