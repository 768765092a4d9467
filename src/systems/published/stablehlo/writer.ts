import { numbered, type TakenNames, takenNames } from "../program-names.ts";
import type { TiledMesh } from "./gspmd.ts";
import type { MeshWords } from "./mesh-words.ts";
import type { Operation, TensorType } from "./mlir.ts";
import { tensorValue, type Value } from "./values.ts";

/** The program that is being written. */
export interface Writer {
  /** Lines at the margin of the block that is written now. */
  lines: string[];
  /** Functions in front of the program. */
  readonly functions: string[];
  readonly names: TakenNames;
  /** Operators without a counterpart, and how often each stands in the file. */
  readonly unknown: Map<string, number>;
  /** Opaque functions by what they are, so that each is written once. */
  readonly opaque: Map<string, string>;
  /** What else the program has not, in the file's words. */
  readonly left: Set<string>;
  /** Shardings that were not read, and placements by value. */
  readonly axes: ReadonlyMap<string, string>;
  /** Axes of the file's mesh with their sizes, by the file's names. */
  readonly meshAxes: readonly (readonly [name: string, size: number])[];
  /** The mesh that `mhlo.sharding` of a file without a mesh lies on. */
  readonly tiled: TiledMesh | undefined;
}

/** An empty program over a mesh whose axes are called so. */
export function createWriter({ axes, sizes, tiled }: MeshWords): Writer {
  return {
    lines: [],
    functions: [],
    names: takenNames(axes.values()),
    unknown: new Map(),
    opaque: new Map(),
    left: new Set(),
    axes,
    meshAxes: sizes,
    tiled,
  };
}

const longestName = 48;

/** A name that nothing else has: the word itself, else with a number behind it. */
export function freshName(writer: Writer, word: string): string {
  const plain = word.replaceAll(/\W+/gu, "_").replaceAll(/^_+|_+$/gu, "");
  const base = (/^[A-Za-z]/u.test(plain) ? plain : `v_${plain}`).slice(-longestName);
  const root = /^[A-Za-z]/u.test(base) ? base : `v${base}`;
  return numbered(writer.names, root);
}

/** Binds an expression to a name after the operation that it is. */
export function bind(
  writer: Writer,
  operation: Pick<Operation, "name" | "where">,
  text: string,
  type: TensorType,
): Value & { readonly kind: "tensor" } {
  const name = freshName(writer, wordOf(operation));
  writer.lines.push(`${name} = ${text}`);
  return tensorValue(name, type);
}

/** What the result of an operation is called: by its location's path, else by the operation. */
export function wordOf({ name, where }: Pick<Operation, "name" | "where">): string {
  const own = name.split(".").at(-1) ?? name;
  if (where === undefined) return own;
  const parts = where
    .split("/")
    .filter(
      (each) =>
        !/^(?:jit|jvp|transpose|vmap|while|body|cond|closed_call|checkpoint|remat|pjit)\b/u.test(
          each,
        ),
    );
  return parts.length === 0 ? own : parts.slice(-2).join("_");
}

/** Runs something that writes into a block of its own, one step further in. */
export function inBlock(writer: Writer, write: () => void): readonly string[] {
  const outer = writer.lines;
  writer.lines = [];
  try {
    write();
    return writer.lines.map((line) => `    ${line}`);
  } finally {
    writer.lines = outer;
  }
}
