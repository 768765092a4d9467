import { assumedOf } from "#language/document/bindings";
import { integerOf, textOf } from "#language/document/bindings/values";
import type { Value } from "#language/python";

/** Required type of an argument of a communication primitive. */
type Check = "integer" | "integers" | "shapes" | "text" | "type";

/** Arguments that MindSpore 2.10 checks when it infers a primitive's result, by primitive. */
const checks: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  AlltoAll: { split_count: "integer", split_dim: "integer", concat_dim: "integer", group: "text" },
  NeighborExchange: {
    send_rank_ids: "integers",
    recv_rank_ids: "integers",
    recv_shapes: "shapes",
    send_shapes: "shapes",
    recv_type: "type",
    group: "text",
  },
  NeighborExchangeV2: {
    send_rank_ids: "integers",
    send_lens: "integers",
    recv_rank_ids: "integers",
    recv_lens: "integers",
    data_format: "text",
    group: "text",
  },
};

const wanted: Readonly<Record<Check, string>> = {
  integer: "an int",
  integers: "a list of ints",
  shapes: "a tuple of lists",
  text: "a str",
  type: "a data type of MindSpore",
};

/**
 * The exception with which MindSpore refuses a communication primitive; `undefined` if it accepts
 * it.
 */
export function communicationFault(
  op: string,
  given: ReadonlyMap<string, Value>,
  devices: number | undefined,
  inputs: number,
): { readonly kind: "TypeError" | "ValueError"; readonly message: string } | undefined {
  for (const [name, check] of Object.entries(checks[op] ?? {})) {
    const value = given.get(name);
    if (value === undefined || isOf(check, value)) continue;
    return { kind: "TypeError", message: `the ${name} of ${op} must be ${wanted[check]}` };
  }
  if (op === "NeighborExchangeV2" && inputs !== 1)
    return { kind: "ValueError", message: `${op} takes one input, not ${inputs}` };
  const message =
    countFault(op, given, devices) ??
    (op === "NeighborExchangeV2" ? bordersFault(given) : undefined);
  return message === undefined ? undefined : { kind: "ValueError", message: `${op}: ${message}` };
}

function isOf(check: Check, value: Value): boolean {
  switch (check) {
    case "integer":
      return value.kind === "int";
    case "integers":
      return value.kind === "list" && value.items.every(({ kind }) => kind === "int");
    case "shapes":
      return value.kind === "tuple" && value.items.every((each) => isOf("integers", each));
    // MindSpore's data types are read as strings, numpy's as assumed values named `numpy.…`.
    case "type":
      return assumedOf(value)?.name.startsWith("numpy.") !== true;
    case "text":
      return value.kind === "str" || value.kind === "none" || value.kind === "host";
  }
}

/**
 * The fault of sizes that do not fit the number of devices; only the group of all devices is
 * checked.
 */
function countFault(
  op: string,
  given: ReadonlyMap<string, Value>,
  devices: number | undefined,
): string | undefined {
  if (devices === undefined || given.get("group")?.kind === "str") return undefined;
  const count = integerOf(given.get("split_count"));
  if (op === "AlltoAll" && count !== undefined && count !== devices)
    return `split_count must be the ${devices} devices of the group, not ${count}`;
  for (const name of ["send_rank_ids", "recv_rank_ids"]) {
    const other = numbersIn(given.get(name))?.find((rank) => rank >= devices);
    if (op === "NeighborExchangeV2" && other !== undefined)
      return `${name} must be below the ${devices} devices, not ${other}`;
  }
  return undefined;
}

/**
 * The fault of NeighborExchangeV2's arguments: 8 neighbour ranks per side, each at most once, and 4
 * border widths, none negative.
 */
function bordersFault(given: ReadonlyMap<string, Value>): string | undefined {
  for (const side of ["send", "recv"]) {
    const ranks = numbersIn(given.get(`${side}_rank_ids`));
    const widths = numbersIn(given.get(`${side}_lens`));
    if (ranks !== undefined && ranks.length !== 8)
      return `${side}_rank_ids must have 8 entries, not ${ranks.length}`;
    if (widths !== undefined && widths.length !== 4)
      return `${side}_lens must have 4 entries, not ${widths.length}`;
    const others = (ranks ?? []).filter((rank) => rank !== -1);
    if (others.some((rank) => rank < 0)) return `no rank of ${side}_rank_ids may be below -1`;
    if (new Set(others).size < others.length) return `${side}_rank_ids names a rank twice`;
    if (widths?.some((width) => width < 0) === true) return `${side}_lens must not be negative`;
  }
  const format = textOf(given.get("data_format"));
  return format === undefined || format === "NCHW" ? undefined : "data_format must be NCHW";
}

function numbersIn(value: Value | undefined): readonly number[] | undefined {
  if (value?.kind !== "list") return undefined;
  return value.items.flatMap((each) => integerOf(each) ?? []);
}
