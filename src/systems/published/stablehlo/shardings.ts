import { splitTop } from "./brackets.ts";
import { tiledMesh } from "./gspmd.ts";
import type { MeshWords } from "./mesh-words.ts";
import type { Module, Operation } from "./mlir.ts";
import { type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

/** Words of the first mesh with axes; further meshes are listed as left out. */
export function meshOf({ meshes }: Module, tiledShardings: readonly string[] = []): MeshWords {
  const read = [...meshes].map(([name, text]) => ({ name, ...axesIn(text) }));
  const [first, ...more] = read.filter(({ axes }) => axes.length > 0);
  if (first === undefined) return tiledWords(tiledShardings);
  const axes = new Map<string, string>();
  for (const [at, [name]] of first.axes.entries()) {
    const plain = name.replaceAll(/\W+/gu, "_").replace(/^(?=\d|$|_)/u, "a");
    const isTaken =
      [...axes.values()].includes(plain) || plain === "devices" || plain === "hardware";
    axes.set(name, isTaken ? `${plain}_${at}` : plain);
  }
  const sizes = first.axes.map(([name, size]) => `${axes.get(name)}=${size}`);
  const devices = first.devices === undefined ? [] : [`devices=[${first.devices}]`];
  const line = `mesh = Mesh(${[...sizes, ...devices].join(", ")})`;
  const sizesOf = first.axes.map(([name, size]) => [name, Number(size)] as const);
  return {
    line,
    axes,
    sizes: sizesOf,
    tiled: undefined,
    left: more.map(({ name }) => `the mesh ${name}`),
  };
}

function tiledWords(shardings: readonly string[]): MeshWords {
  const tiled = tiledMesh(shardings);
  if (tiled === undefined) return { line: undefined, axes: new Map(), sizes: [], tiled, left: [] };
  const sizes = tiled.axes.map(([name, size]) => `${name}=${size}`);
  const axes = new Map(tiled.axes.map(([name]) => [name, name]));
  const line = `mesh = Mesh(${sizes.join(", ")})`;
  return { line, axes, sizes: tiled.axes, tiled, left: [] };
}

/** `["data"=2, "model"=4], device_ids=[…]`. */
function axesIn(text: string) {
  const [, list = "", rest = ""] = /^\[([^\]]*)\](.*)$/u.exec(text) ?? [];
  const axes = [...list.matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)"=(\d+)/gu)].map(
    ([, name = "", size = "1"]) => [name, size] as const,
  );
  const devices = /device_ids=\[([\d, ]*)\]/u.exec(rest)?.[1];
  return { axes, devices };
}

/** A sharding as arguments of `layout`; `undefined` when no layout is equivalent. */
function layoutOf(
  axes: ReadonlyMap<string, string>,
  text: string,
): { readonly text: string; readonly isWhole: boolean } | undefined {
  const [, list] = /<@[\w.-]+, \[(.*?)\](?:, (?:replicated|unreduced)=|>)/u.exec(text) ?? [];
  if (list === undefined || text.includes("unreduced=")) return undefined;
  const dims = splitTop(list).map((each) => dimText(axes, each.trim()));
  if (dims.some((each) => each === undefined)) return undefined;
  return { text: dims.join(", "), isWhole: dims.every((each) => each === '"None"') };
}

function dimText(axes: ReadonlyMap<string, string>, dim: string): string | undefined {
  const inner = /^\{(.*)\}(?:p\d+)?$/u.exec(dim)?.[1];
  if (inner === undefined) return undefined;
  const parts = splitTop(inner).map((each) => each.trim());
  const named = parts.filter((each) => each !== "?");
  const names = named.map((each) => axes.get(/^"(.*)"$/u.exec(each)?.[1] ?? ""));
  if (names.some((each) => each === undefined)) return undefined;
  if (names.length === 0) return '"None"';
  const words = names.map((each) => `"${each}"`);
  return words.length === 1 ? words[0] : `(${words.join(", ")})`;
}

/**
 * Writes the placement of a tensor; a sharding without an equivalent layout is listed as left out.
 */
export function placed(writer: Writer, name: string, sharding: string): void {
  const layout = layoutOf(writer.axes, sharding);
  if (layout === undefined) writer.left.add(`the sharding ${sharding.slice(0, 60)} of ${name}`);
  else writer.lines.push(`place(${name}, layout(${layout.text}))`);
}

/** Writes the placement given by `mhlo.sharding`; other kinds are listed as left out. */
export function placedByTiles(writer: Writer, name: string, sharding: string, rank: number): void {
  const dims = writer.tiled?.namesOf(sharding);
  if (dims === undefined) {
    writer.left.add(`mhlo.sharding ${sharding.slice(0, 60)} of ${name}`);
    return;
  }
  const words = Array.from({ length: rank }, (_, dim) => {
    const names = (dims[dim] ?? []).map((each) => `"${each}"`);
    if (names.length === 0) return '"None"';
    return names.length === 1 ? names[0] : `(${names.join(", ")})`;
  });
  if (rank > 0) writer.lines.push(`place(${name}, layout(${words.join(", ")}))`);
}

/** The `mhlo.sharding` text among attributes. */
export function tiledShardingIn(attributes: string): string | undefined {
  return /mhlo\.sharding = "([^"]*)"/u.exec(attributes)?.[1];
}

/** `custom_call @Sharding`: a constraint without a mesh. */
export function tiledConstraint(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
): Value | undefined {
  const sharding = tiledShardingIn(operation.text);
  if (!/^\s*@Sharding\b/u.test(operation.text) || sharding === undefined) return undefined;
  const value = named(writer, operation, operands);
  if (value?.kind === "tensor")
    placedByTiles(writer, value.text, sharding, value.type.shape.length);
  return value;
}

/** `sdy.sharding_constraint`: places the value from here on. */
export function constraint(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
): Value | undefined {
  const value = named(writer, operation, operands);
  if (value?.kind === "tensor") placed(writer, value.text, operation.text);
  return value;
}

/** Operand of a constraint, bound to a name; a constant stays a constant. */
function named(writer: Writer, operation: Operation, [x]: readonly Value[]): Value | undefined {
  const [type] = operation.resultTypes;
  if (x === undefined || type === undefined || x.kind === "stack") return undefined;
  if (x.kind !== "tensor") return x;
  const text = wholeText(x);
  const isName = /^\w+$/u.test(text);
  return isName ? { ...x, text, shape: type.shape } : bind(writer, operation, text, type);
}
