import type { Operation, Region } from "./mlir.ts";
import { opaque } from "./opaque.ts";
import { placed } from "./shardings.ts";
import { type Value, wholeText } from "./values.ts";
import { freshName, type Writer } from "./writer.ts";

/**
 * `sdy.manual_computation`: the per-device computation on local shards. It becomes a registered
 * function between the layouts that the file gives for its operands and results. A dim with equal
 * axes in both can be cut if no collective inside uses those axes. Inner operations are listed by
 * name.
 */
export function manualComputation(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
): readonly Value[] | undefined {
  const given = shardingsOf(operation.text, "in_shardings");
  const made = shardingsOf(operation.text, "out_shardings");
  const [region] = operation.regions;
  if (region === undefined || given.length !== operands.length) return undefined;
  if (made.length !== operation.resultTypes.length) return undefined;
  const inner = namesIn(region);
  const counts = [...inner].map(([name, count]) => `${name} (${count})`).join(", ");
  writer.left.add(`what runs inside sdy.manual_computation: ${counts}`);
  const bound = operands.map((each, at) => laid(writer, each, given[at] ?? ""));
  const taken = axesTaken(region, writer);
  const dims = dimNames(operation, { given, made, taken });
  const results = opaque(writer, operation, bound, dims);
  for (const [at, each] of results.entries()) {
    if (each.kind === "tensor") placed(writer, each.text, made[at] ?? "");
  }
  return results;
}

/** Binds an operand to a name and places it. */
function laid(writer: Writer, value: Value, sharding: string): Value {
  if (value.kind === "stack") return value;
  const text = wholeText(value);
  const isName = /^\w+$/u.test(text);
  const name = isName ? text : freshName(writer, "operand");
  if (!isName) writer.lines.push(`${name} = ${text}`);
  placed(writer, name, sharding);
  return { kind: "tensor", text: name, shape: value.type.shape, type: value.type };
}

/** `in_shardings=[<@mesh, [{"x"}, {}]>, …]`, each with its brackets. */
function shardingsOf(text: string, word: string): readonly string[] {
  const from = text.indexOf(`${word}=[`);
  if (from < 0) return [];
  const rest = text.slice(from + word.length + 2);
  const end = rest.search(/>\](?: |$)/u);
  return [...rest.slice(0, end + 1).matchAll(/<@[\w.-]+, \[[^\]]*\][^>]*>/gu)].map(
    ([each]) => each,
  );
}

function namesIn(region: Region, found = new Map<string, number>()): ReadonlyMap<string, number> {
  for (const { name, regions } of region.operations) {
    if (/return$/u.test(name)) continue;
    found.set(name, (found.get(name) ?? 0) + 1);
    if (!/reduce/u.test(name)) for (const each of regions) namesIn(each, found);
  }
  return found;
}

/** Operations by which devices exchange data, or learn their own position. */
const together =
  /all_reduce|all_gather|reduce_scatter|all_to_all|collective_|partition_id|replica_id|custom_call|call$/u;

/** Mesh axes over which devices cooperate inside a region; all axes when unclear. */
function axesTaken(region: Region, writer: Writer): ReadonlySet<string> {
  const sizes = writer.meshAxes;
  const found = new Set<string>();
  const all = () => {
    for (const [name] of sizes) found.add(name);
  };
  const visit = ({ operations }: Region) => {
    for (const { name, text, regions } of operations) {
      if (together.test(name)) {
        const groups = groupsIn(text);
        if (groups === undefined) all();
        else for (const axis of varying(groups, sizes)) found.add(axis);
      }
      for (const each of regions) visit(each);
    }
  };
  visit(region);
  return found;
}

function groupsIn(text: string): readonly (readonly number[])[] | undefined {
  const list = /replica_groups = dense<(\[\[[\d, [\]]*\]\])>/u.exec(text)?.[1];
  return list === undefined ? undefined : JSON.parse(list);
}

/** Axes along which the devices of one group differ. */
function varying(
  groups: readonly (readonly number[])[],
  sizes: readonly (readonly [string, number])[],
): readonly string[] {
  return sizes.flatMap(([name, size], at) => {
    const stride = sizes.slice(at + 1).reduce((product, [, each]) => product * each, 1);
    const place = (device: number) => Math.floor(device / stride) % size;
    return groups.some((group) => new Set(group.map(place)).size > 1) ? [name] : [];
  });
}

interface Layouts {
  readonly given: readonly string[];
  readonly made: readonly string[];
  readonly taken: ReadonlySet<string>;
}

/**
 * Names of the dims that can be cut: present in every result and in some operand, along free axes
 * only.
 */
function dimNames(
  { operandTypes, resultTypes }: Operation,
  { given, made, taken }: Layouts,
): (side: "in" | "out", at: number, dim: number) => string | undefined {
  const keyOf = (sharding: string | undefined, size: number | undefined, dim: number) => {
    const axes = axesOf(sharding ?? "")[dim] ?? [];
    const isFree = axes.length > 0 && axes.every((axis) => !taken.has(axis));
    return isFree ? `${axes.join(" ")} of ${size}` : undefined;
  };
  const keysOf = (sharding: string | undefined, shape: readonly number[] = []) =>
    shape.map((size, dim) => keyOf(sharding, size, dim));
  const inputs = operandTypes.map((type, at) => keysOf(given[at], type?.shape));
  const outputs = resultTypes.map((type, at) => keysOf(made[at], type?.shape));
  const once = (keys: readonly (string | undefined)[], key: string) =>
    keys.filter((each) => each === key).length === 1;
  const shared = [...new Set(inputs.flat())].filter(
    (key) =>
      key !== undefined &&
      outputs.every((keys) => once(keys, key)) &&
      inputs.every((keys) => !keys.includes(key) || once(keys, key)),
  );
  return (side, at, dim) => {
    const key = (side === "in" ? inputs : outputs)[at]?.[dim];
    const place = key === undefined ? -1 : shared.indexOf(key);
    return place < 0 ? undefined : `d${place}`;
  };
}

/** Axes of each dim, by the file's names. */
function axesOf(sharding: string): readonly (readonly string[])[] {
  const list = /<@[\w.-]+, \[(.*?)\](?:,|>)/u.exec(sharding)?.[1] ?? "";
  return [...list.matchAll(/\{([^{}]*)\}/gu)].map(([, inner = ""]) =>
    [...inner.matchAll(/"([^"]*)"/gu)].map(([, name = ""]) => name),
  );
}
