import type { TiledMesh } from "./gspmd.ts";

/** A mesh of the file: its axes with the names that they have in the program. */
export interface MeshWords {
  /** The line that makes it; absent without one. */
  readonly line: string | undefined;
  /** Names of axes in the program by those of the file. */
  readonly axes: ReadonlyMap<string, string>;
  /** Its axes by the file's names. */
  readonly sizes: readonly (readonly [name: string, size: number])[];
  /** The mesh that `mhlo.sharding` lies on, where the file has no mesh of its own. */
  readonly tiled: TiledMesh | undefined;
  readonly left: readonly string[];
}
