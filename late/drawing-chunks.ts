import { join } from "node:path";
import type { BuildModules, ChunkOf } from "./build-modules.ts";

/** The two drawings of a plan, one of which every page loads. */
const drawings = {
  board: "src/app/ui/board/Board.tsx",
  graph: "src/app/ui/canvas/GraphCanvas.tsx",
} as const;

/**
 * The face of a room, which names everything that the room exports; the room for drawings alone is
 * left out.
 */
const face = /\/src\/(?!app\/scene\/board\/).*\/index\.ts$/;

/**
 * The chunk of a module that draws a plan: one for the rows, one for the graph, and one for modules
 * of both. Forty small files would be found one after the other, which costs round trips on a slow
 * network and computing time on a busy machine; on an idle one beside its server they are as quick.
 */
export function chunkOfDrawing(root: string): ChunkOf {
  const reached = new Map<string, ReadonlySet<string>>();
  const reachedBy = (path: string, modules: BuildModules) => {
    const found = reached.get(path) ?? modulesBelow(join(root, path), modules);
    reached.set(path, found);
    return found;
  };
  return (id, modules) => {
    const isOfRows = reachedBy(drawings.board, modules).has(id);
    const isOfGraph = reachedBy(drawings.graph, modules).has(id);
    if (isOfRows && isOfGraph) return "drawing";
    if (isOfRows) return "board";
    return isOfGraph ? "graph" : null;
  };
}

/**
 * A module with all its static imports, and theirs; without modules imported on demand, and without
 * those behind a room's face.
 */
function modulesBelow(root: string, modules: BuildModules): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [root];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id) || face.test(id)) continue;
    found.add(id);
    open.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
