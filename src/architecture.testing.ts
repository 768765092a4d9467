import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Import, importsBelow } from "./imports.testing.ts";

const core = [
  ...["arithmetic", "records", "diagnostics", "indexspace", "dimops", "mesh", "collective", "ir"],
  ...["reshard", "plan", "training", "program", "schedule", "cost"],
].map((name) => `core/${name}`);
const below = (name: string) => core.slice(0, core.indexOf(name));
const lezer = ["@lezer/common", "@lezer/python"];

/** Who may import whom: the rooms of `src/`, from the ground up. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  "core/arithmetic": [],
  "core/records": [],
  "core/diagnostics": [],
  "core/indexspace": ["core/diagnostics"],
  "core/dimops": ["core/records", "core/diagnostics", "core/indexspace"],
  "core/mesh": ["core/arithmetic", "core/diagnostics", "core/indexspace"],
  "core/collective": ["core/arithmetic", "core/diagnostics", "core/indexspace", "core/mesh"],
  "core/ir": [
    ...["core/arithmetic", "core/records", "core/diagnostics", "core/indexspace"],
    "core/dimops",
  ],
  "core/reshard": [
    ...["core/arithmetic", "core/records", "core/diagnostics", "core/indexspace"],
    ...["core/mesh", "core/collective"],
  ],
  "core/plan": [
    ...["core/arithmetic", "core/records", "core/diagnostics", "core/indexspace"],
    ...["core/dimops", "core/mesh", "core/ir", "core/reshard"],
  ],
  "core/training": below("core/training"),
  "core/program": below("core/program"),
  "core/schedule": ["core/ir", "core/mesh", "core/training", "core/program"],
  "core/cost": below("core/cost"),
  "systems/arrays": core,
  "systems/jax": [...core, "systems/arrays", "systems/system", "language/document"],
  "systems/torch": [
    ...[...core, "systems/arrays", "systems/system", "systems/families"],
    ...["language/document", "language/python"],
  ],
  "systems/system": [
    ...core,
    "systems/arrays",
    "language/document",
    "language/texts",
    "language/tokens",
  ],
  "systems/dtensor": [
    ...[...core, "systems/arrays", "systems/torch", "systems/system"],
    "language/document",
  ],
  "systems/loom": [
    ...[...core, "systems/system"],
    ...["language/document", "language/texts", "language/tokens"],
  ],
  "systems/graphs": ["systems/system", "systems/loom"],
  "systems/mindspore": [
    ...[...core, "systems/arrays", "systems/system"],
    ...["language/document", "language/python", "language/tokens"],
  ],
  "systems/nnscaler": [
    ...[...core, "systems/arrays", "systems/torch", "systems/system"],
    ...["language/document", "language/python", "language/tokens"],
  ],
  "systems/shardy": [...core, "systems/system"],
  "systems/families": [],
  "systems/published": [
    ...["core/arithmetic", "core/records", "core/diagnostics", "core/collective", "core/ir"],
    ...["core/program", "core/schedule", "systems/families"],
  ],
  "systems/settings": ["core/diagnostics"],
  "systems/commands": ["systems/system", "systems/mindspore"],
  systems: [
    ...["core/cost", "core/diagnostics", "core/ir", "core/mesh"],
    ...["systems/system", "systems/dtensor", "systems/loom", "systems/mindspore"],
    ...["systems/nnscaler", "systems/shardy", "systems/jax", "systems/torch", "systems/arrays"],
    "language/document",
    "language/python",
  ],
  "language/python": ["core/records", "core/diagnostics"],
  "language/pages": ["core/diagnostics", "language/python"],
  "language/texts": [],
  "language/tokens": ["core/records", "core/diagnostics"],
  "language/document": [...core, "language/pages", "language/python"],
  compile: [...core, ...["systems/system", "systems", "language/document"]],
  edit: [
    ...core,
    ...["systems/system", "systems", "systems/settings", "language/document", "compile"],
  ],
  planner: core,
  "execute/reference": core,
  "execute/engine": [...core, "execute/reference"],
  "execute/cpu": [...core, "execute/reference", "execute/engine"],
  "execute/webgpu": [...core, "execute/reference", "execute/engine"],
  "execute/smaller": core,
  "execute/weights": core,
  "execute/verify": [
    ...[...core, "execute/reference", "execute/engine", "execute/cpu"],
    "execute/smaller",
  ],
  "app/language-service": [
    ...[...core, "systems", "systems/system", "language/document"],
    ...["language/python", "language/tokens", "compile", "edit", "app/scene", "language/texts"],
    "systems/settings",
  ],
  "app/engine": [
    ...[...core, "systems", "language/document", "compile", "edit", "planner"],
    ...["execute/reference", "execute/engine", "execute/cpu", "execute/webgpu", "execute/verify"],
    ...["execute/weights", "systems/published"],
    ...["app/language-service", "app/scene", "app/worker-start", "language/texts"],
  ],
  "app/share": ["core/records", "core/diagnostics"],
  "app/embedding": [],
  "app/texts": ["core/records"],
  "app/first-example": ["language/texts"],
  "app/examples": ["app/first-example"],
  "app/evidence": ["core/records"],
  "app/early-worker": ["app/engine", "app/worker-start"],
  "app/worker-start": [],
  "app/offline": [],
  "app/scene": [...core, "compile", "edit"],
  "app/lessons": [...core, "compile", "app/scene"],
  "app/state": [
    ...[...core, "systems/graphs", "compile", "edit", "app/language-service", "app/engine"],
    ...[
      "app/embedding",
      "app/share",
      "app/texts",
      "app/first-example",
      "app/examples",
      "app/evidence",
      "app/lessons",
      "app/scene",
      "language/texts",
      "systems/published",
      "systems/settings",
      "execute/weights",
    ],
  ],
  "app/ui": [
    ...core,
    ...["language/tokens", "language/texts", "systems/graphs", "systems/published"],
    ...["compile", "edit", "execute/weights"],
    ...["app/embedding", "app/engine", "app/language-service", "app/share", "app/texts"],
    ...["app/examples", "app/evidence", "app/lessons", "app/scene", "app/state"],
  ],
  cli: [
    ...core,
    ...["systems/commands", "systems/settings", "systems/system", "systems"],
    ...["language/python", "language/texts", "language/tokens", "language/document"],
    ...["execute/reference", "execute/engine", "execute/cpu", "execute/verify", "execute/weights"],
    ...[
      "compile",
      "edit",
      "planner",
      "systems/published",
      "app/share",
      "app/examples",
      "app/lessons",
      "app/scene",
    ],
  ],
};

/** Which packages a room may use; rooms that are not named here use none. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  "systems/loom": ["jsonc-parser"],
  "systems/settings": ["smol-toml", "yaml"],
  "systems/published": ["fflate", "pbf"],
  "language/tokens": lezer,
  "app/share": ["fflate", "uqr"],
  "app/state": ["zustand"],
  "app/ui": [
    ...["react", "react-dom", "zustand", "@xyflow/react", "monaco-editor", "lucide-react"],
    ...["d3-scale", "d3-shape"],
    ...["autocomplete", "commands", "language", "lint", "state", "view"].map(
      (name) => `@codemirror/${name}`,
    ),
  ],
  "app/main": ["react", "react-dom"],
  cli: ["node"],
};

/** Rooms with rooms inside them. */
const wings = ["core", "systems", "language", "execute", "app"];

/** The rooms that are there, in the order of the alphabet. */
export function roomsOnDisk(root: string): readonly string[] {
  const foldersOf = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  return foldersOf("src")
    .flatMap((name) =>
      wings.includes(name) ? foldersOf(`src/${name}`).map((inner) => `${name}/${inner}`) : [name],
    )
    .concat(hasFace(root, "systems") ? ["systems"] : [])
    .sort();
}

/** Whether a wing is a room too: its own files list the rooms inside it. */
function hasFace(root: string, wing: string): boolean {
  return existsSync(join(root, "src", wing, "index.ts"));
}

/**
 * What is wrong with the imports below a root (an absolute path), one line each, and how many files
 * were read: a reader that reads nothing finds nothing.
 */
export function readImports(root: string): {
  readonly faults: readonly string[];
  readonly fileCount: number;
} {
  const files = importsBelow(root);
  const faults = [...files].flatMap(([source, imports]) =>
    imports.flatMap((each) => {
      const fault = faultOf(source, each);
      return fault === undefined ? [] : [`${source} imports ${nameOf(each)}: ${fault}`];
    }),
  );
  return { faults: faults.sort(), fileCount: files.size };
}

function nameOf({ module, to }: Import): string {
  return to.kind === "builtin" ? to.name : module;
}

function faultOf(source: string, { module, to }: Import): string | undefined {
  if (/\.(css|svg|wgsl|py)(\?\w+)?$/.test(module)) return undefined;
  if (to.kind === "unresolved") return "cannot be resolved";
  if (to.kind === "file" && to.closesCycle) return "closes a cycle";
  if (/\.(test|testing)\.tsx?$/.test(source)) return undefined;
  const from = roomOf(source);
  if (to.kind !== "file") return packageFault(from, to.kind === "builtin" ? "node" : to.name);
  if (!to.path.startsWith("src/")) return packageFault(from, to.path);
  const room = roomOf(to.path);
  if (from === room || from === "app/main") return undefined;
  if (!module.startsWith("#")) return "goes around the public face";
  return mayImport[from]?.includes(room) ? undefined : `${from} must not know ${room}`;
}

function packageFault(room: string, name: string): string | undefined {
  return mayUse[room]?.includes(name) ? undefined : `${room} must not use ${name}`;
}

/** `src/core/mesh/part.ts` is in `core/mesh`, `src/systems/index.ts` in `systems`. */
function roomOf(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  if (first === "app") return `${first}/${second.replace(/\.tsx?$/, "")}`;
  return wings.includes(first) && !second.includes(".") ? `${first}/${second}` : first;
}

/**
 * The table as a Mermaid picture: rooms stand on those that they import. Rooms of `core`, of
 * `systems` and of `execute` are one box each, and an edge that follows from others is left out.
 */
export function pictureOf(table: Readonly<Record<string, readonly string[]>>): string {
  const boxes = new Map<string, Set<string>>();
  for (const [room, others] of Object.entries(table)) {
    const box = boxOf(room);
    const below = boxes.get(box) ?? new Set();
    boxes.set(box, below);
    for (const other of others.map(boxOf)) if (other !== box) below.add(other);
  }
  const names = [...boxes.keys()].map((box) => `  ${box.replaceAll(/\W/gu, "_")}["${box}"]`);
  const edges = [...boxes].flatMap(([box, below]) =>
    [...below]
      .filter((each) => ![...below].some((other) => other !== each && stands(boxes, other, each)))
      .map((each) => `  ${box.replaceAll(/\W/gu, "_")} --> ${each.replaceAll(/\W/gu, "_")}`),
  );
  return ["```mermaid", "graph TD", ...names, ...edges, "```"].join("\n");
}

function boxOf(room: string): string {
  return /^(core|systems|execute)\b/.exec(room)?.[0] ?? room;
}

/** Whether a box stands on another, over however many. */
function stands(boxes: ReadonlyMap<string, ReadonlySet<string>>, box: string, on: string): boolean {
  const below = boxes.get(box) ?? new Set();
  return below.has(on) || [...below].some((each) => stands(boxes, each, on));
}

/** The files of `src` that name a system outside its folder; examples, lessons and tests may. */
export function filesNaming(root: string, system: RegExp): readonly string[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      !/^systems\/|^app\/(examples|lessons\/chapters)\/|\.(test|testing)\./.test(path) &&
      system.test(readFileSync(join(root, "src", path), "utf8")),
  );
}

/** The public faces below `src`, each with how many names it exports. */
export function facesOnDisk(
  root: string,
): readonly { readonly path: string; readonly names: number }[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)index\.ts$/.test(path))
    .sort()
    .map((path) => ({ path, names: namesIn(readFileSync(join(root, "src", path), "utf8")) }));
}

function namesIn(face: string): number {
  const code = face.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
  const lists = [...code.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").filter((name) => name.trim() !== ""),
  );
  const own = code.match(/export\s+(?:async\s+)?(?:const|function|class|interface|type\s+\w)/g);
  return lists.length + (own?.length ?? 0);
}
