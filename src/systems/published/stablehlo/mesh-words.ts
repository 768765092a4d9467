import type { TiledMesh } from "./gspmd.ts";

/** A mesh of the file, with its axis names in the program. */
export interface MeshWords {
  /** The line that defines the mesh; `undefined` without one. */
  readonly line: string | undefined;
  /** Axis names in the program by those of the file. */
  readonly axes: ReadonlyMap<string, string>;
  /** Axes and sizes, by the file's names. */
  readonly sizes: readonly (readonly [name: string, size: number])[];
  /** The mesh derived from `mhlo.sharding`, if the file has no mesh of its own. */
  readonly tiled: TiledMesh | undefined;
  readonly left: readonly string[];
}
