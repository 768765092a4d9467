import type { SetValue, Value } from "./value.ts";

const mostSimulated = 20_000;

/**
 * Members of a set in iteration order. CPython iterates a hash table whose order is fixed for
 * numbers; it is reproduced here (Objects/setobject.c). With strings among the members CPython's
 * order varies from run to run, so insertion order is used.
 */
export function orderedMembers(set: SetValue): readonly Value[] {
  const members = [...set.members.values()];
  if (members.length < 2 || members.length > mostSimulated) return members;
  const hashes = members.map(hashOf);
  const entries: Entry[] = [];
  for (const [index, value] of members.entries()) {
    const hash = hashes[index];
    if (hash === undefined) return members;
    entries.push({ hash: BigInt.asUintN(64, hash), value });
  }
  return tableOf(entries).flatMap((entry) => (entry === undefined ? [] : [entry.value]));
}

interface Entry {
  readonly hash: bigint;
  readonly value: Value;
}

const modulus = (1n << 61n) - 1n;

/** `hash(value)` of a number or a tuple of numbers, as in CPython; `undefined` for other values. */
export function hashOf(value: Value): bigint | undefined {
  if (value.kind === "tuple") return hashOfItems(value.items);
  if (value.kind === "bool") return value.value ? 1n : 0n;
  if (value.kind === "int") return hashOfInteger(value.value);
  if (value.kind !== "float" || Number.isNaN(value.value)) return undefined;
  if (!Number.isFinite(value.value)) return value.value > 0 ? 314159n : -314159n;
  return Number.isInteger(value.value)
    ? hashOfInteger(BigInt(value.value))
    : hashOfFraction(value.value);
}

/** Hash of a tuple, after `tuplehash` of Objects/tupleobject.c (xxHash). */
function hashOfItems(items: readonly Value[]): bigint | undefined {
  const word = (value: bigint) => BigInt.asUintN(64, value);
  let sum = 2870177450012600261n;
  for (const item of items) {
    const hash = hashOf(item);
    if (hash === undefined) return undefined;
    sum = word(sum + word(hash) * 14029467366897019727n);
    sum = word(((sum << 31n) | (sum >> 33n)) * 11400714785074694791n);
  }
  sum = word(sum + (BigInt(items.length) ^ 2870177450012600261n ^ 3527539n));
  const signed = BigInt.asIntN(64, sum);
  return signed === -1n ? 1546275796n : signed;
}

function hashOfInteger(value: bigint): bigint {
  const rest = value % modulus;
  return rest === -1n ? -2n : rest;
}

/** Hash of a float m · 2^-e: that value modulo 2^61 − 1, where 2^61 ≡ 1. */
function hashOfFraction(value: number): bigint {
  let scaled = Math.abs(value);
  let exponent = 0;
  for (; !Number.isInteger(scaled); exponent += 1) scaled *= 2;
  const shift = BigInt((61 - (exponent % 61)) % 61);
  const rest = (BigInt(scaled) << shift) % modulus;
  const signed = value < 0 ? -rest : rest;
  return signed === -1n ? -2n : signed;
}

type Table = (Entry | undefined)[];

function tableOf(entries: readonly Entry[]): Table {
  let table: Table = new Array<Entry | undefined>(8).fill(undefined);
  let used = 0;
  for (const entry of entries) {
    insert(table, entry);
    used += 1;
    if (used * 5 >= (table.length - 1) * 3)
      table = grown(table, used > 50_000 ? used * 2 : used * 4);
  }
  return table;
}

function grown(table: Table, least: number): Table {
  let size = 8;
  while (size <= least) size *= 2;
  const larger: Table = new Array<Entry | undefined>(size).fill(undefined);
  for (const entry of table) if (entry !== undefined) insert(larger, entry);
  return larger;
}

const linearProbes = 9;

function insert(table: Table, entry: Entry): void {
  const mask = BigInt(table.length - 1);
  let perturb = entry.hash;
  let index = entry.hash & mask;
  for (;;) {
    const start = Number(index);
    const probes = start + linearProbes < table.length ? linearProbes : 0;
    for (let probe = 0; probe <= probes; probe += 1) {
      if (table[start + probe] !== undefined) continue;
      table[start + probe] = entry;
      return;
    }
    perturb >>= 5n;
    index = (index * 5n + 1n + perturb) & mask;
  }
}
