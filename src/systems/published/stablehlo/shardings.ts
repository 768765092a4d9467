import type { Module, Operation } from "./mlir.ts";
import { splitTop } from "./mlir.ts";
import { type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

/** A mesh of the file: its axes with the names that they have in the program. */
export interface MeshWords {
  /** The line that makes it; absent without one. */
  readonly line: string | undefined;
  /** Names of axes in the program by those of the file. */
  readonly axes: ReadonlyMap<string, string>;
  readonly left: readonly string[];
}

/** The first mesh with axes; others are named. */
export function meshOf({ meshes }: Module): MeshWords {
  const read = [...meshes].map(([name, text]) => ({ name, ...axesIn(text) }));
  const [first, ...more] = read.filter(({ axes }) => axes.length > 0);
  if (first === undefined) return { line: undefined, axes: new Map(), left: [] };
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
  return { line, axes, left: more.map(({ name }) => `the mesh ${name}`) };
}

/** `["data"=2, "model"=4], device_ids=[…]`. */
function axesIn(text: string) {
  const [, list = "", rest = ""] = /^\[([^\]]*)\](.*)$/u.exec(text) ?? [];
  const axes = [...list.matchAll(/"((?:[^"\\]|\\.)*)"=(\d+)/gu)].map(
    ([, name = "", size = "1"]) => [name, size] as const,
  );
  const devices = /device_ids=\[([\d, ]*)\]/u.exec(rest)?.[1];
  return { axes, devices };
}

/** A sharding as arguments of `layout`; nothing where no layout of ours is the same. */
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

/** Writes how a tensor lies; a sharding that has no layout here is named. */
export function placed(writer: Writer, name: string, sharding: string): void {
  const layout = layoutOf(writer.axes, sharding);
  if (layout === undefined) writer.left.add(`the sharding ${sharding.slice(0, 60)} of ${name}`);
  else writer.lines.push(`place(${name}, layout(${layout.text}))`);
}

/** `sdy.sharding_constraint`: the value lies so from here on. */
export function constraint(
  writer: Writer,
  operation: Operation,
  [x]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  if (x === undefined || type === undefined || x.kind === "stack") return undefined;
  if (x.kind !== "tensor") return x;
  const text = wholeText(x);
  const isName = /^\w+$/u.test(text);
  const value = isName ? { ...x, text, shape: type.shape } : bind(writer, operation, text, type);
  placed(writer, value.text, operation.text);
  return value;
}
