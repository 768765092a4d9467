import { numbered, type TakenNames, takenNames } from "../program-names.ts";
import type { TiledMesh } from "./gspmd.ts";
import type { MeshWords } from "./mesh-words.ts";
import type { Operation, TensorType } from "./mlir.ts";
import { tensorValue, type Value } from "./values.ts";

/** A program that is being written. */
export interface Writer {
  /** Lines of the current block, without its indentation. */
  lines: string[];
  /** Functions placed before the program. */
  readonly functions: string[];
  readonly names: TakenNames;
  /** Unsupported operators, with the number of uses in the file. */
  readonly unknown: Map<string, number>;
  /** Opaque functions by name and annotation, so that each is written once. */
  readonly opaque: Map<string, string>;
  /** Other parts that the program leaves out, in the file's words. */
  readonly left: Set<string>;
  /** Axis names in the program by those of the file. */
  readonly axes: ReadonlyMap<string, string>;
  /** Axes of the file's mesh with their sizes, by the file's names. */
  readonly meshAxes: readonly (readonly [name: string, size: number])[];
  /** The mesh derived from `mhlo.sharding`, for a file without a mesh of its own. */
  readonly tiled: TiledMesh | undefined;
}

/** An empty program over a mesh with the given axis words. */
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

/** A unique name: the word itself, else with a number appended. */
export function freshName(writer: Writer, word: string): string {
  const plain = word.replaceAll(/\W+/gu, "_").replaceAll(/^_+|_+$/gu, "");
  const base = (/^[A-Za-z]/u.test(plain) ? plain : `v_${plain}`).slice(-longestName);
  const root = /^[A-Za-z]/u.test(base) ? base : `v${base}`;
  return numbered(writer.names, root);
}

/** Binds an expression to a name derived from its operation. */
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

/** Name for an operation's result: from its location's path, else from the operation. */
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

/** Collects the lines written by `write` as an indented block. */
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
