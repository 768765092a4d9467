import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Plugin } from "vite";
import { boundariesBelow } from "./boundaries.ts";
import type { BuildModules, ChunkOf } from "./build-modules.ts";
import { modulesNamed, partOf, wordsOf } from "./parts.ts";

const runtime = "src/app/engine/late-part.ts";
const standIn = "\0stand-in:";
const part = "\0late-part:";
const modules = "\0late-modules:";
/**
 * The id of the file with modules of several parts: requested with the first part, it loads beside
 * it.
 */
const shared = "\0late-shared";

/**
 * Leaves modules out of a worker until something calls them (docs/decisions/late-parts.md). If a
 * module outside a part imports one of the part, a stand-in takes its place: its functions throw
 * `NotLoaded` until the part is loaded, and are the module's own from then on. The sources need no
 * change for it.
 */
export function lateParts(root: string): Plugin {
  const nameOf = (id: string) => relative(root, id).split(sep).join("/");
  const partOfImporter = (importer: string) =>
    importer.startsWith(modules) ? importer.slice(modules.length) : partOf(nameOf(importer));
  let boundaries = onceAsked(() => boundariesBelow(root));
  return {
    name: "late-parts",
    enforce: "pre",
    buildStart() {
      const missing = modulesNamed().filter((path) => !existsSync(join(root, path)));
      if (missing.length > 0) throw new Error(`late/parts.ts names ${missing.join(", ")}`);
      boundaries = onceAsked(() => boundariesBelow(root));
    },
    async resolveId(source, importer, options) {
      if (source.startsWith(part) || source.startsWith(modules) || source === shared) return source;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      // An import on demand needs no stand-in: its caller waits anyway.
      const isLate = options.kind === "dynamic-import";
      if (resolved === null || resolved.external || isLate) return resolved;
      const module = nameOf(resolved.id);
      const own = partOf(module);
      const isInside = importer !== undefined && own === partOfImporter(importer);
      return own === undefined || isInside ? resolved : standIn + module;
    },
    load(id) {
      if (id.startsWith(standIn)) return standInCode(id.slice(standIn.length));
      if (id.startsWith(part)) return partCode(id.slice(part.length));
      if (id === shared) return "export const there = true;";
      return id.startsWith(modules) ? modulesCode(id.slice(modules.length)) : undefined;
    },
  };

  /** The code of a stand-in: the functions and objects of a module that is not loaded yet. */
  function standInCode(module: string): string {
    const { functions = [], objects = [] } = boundaries().get(module) ?? {};
    return `import { needed, add, standIn } from ${quoted(part + partOf(module))};
${functions.map((name) => `export let ${name} = (...a) => (needed(), ${name}(...a));`).join("\n")}
${objects.map((name) => `export let ${name} = standIn(() => ${name});`).join("\n")}
add(${placeOf(module)}, (all) => { [${[...functions, ...objects].join(", ")}] = all; });`;
  }

  function partCode(name: string): string {
    return `import { latePart } from ${quoted(join(root, runtime))};
export const { needed, add, standIn } = latePart(async () => {
  // Where it cannot be loaded, the part itself says so.
  import(${quoted(shared)}).catch(() => undefined);
  return (await import(${quoted(modules + name)})).all;
}, ${wordsOf(name)});`;
  }

  /** The code that gives the stand-ins of a part the exports of its modules. */
  function modulesCode(name: string): string {
    const own = modulesOf(name);
    const imports = own.map(([module, { functions, objects }], at) => {
      const names = [...functions, ...objects].map((each) => `${each} as _${at}_${each}`);
      return `import { ${names.join(", ")} } from ${quoted(join(root, module))};`;
    });
    const lists = own.map(([, { functions, objects }], at) =>
      [...functions, ...objects].map((each) => `_${at}_${each}`).join(", "),
    );
    return `${imports.join("\n")}
export const all = [${lists.map((list) => `[${list}]`).join(", ")}];`;
  }

  function modulesOf(name: string) {
    return [...boundaries()].filter(([module]) => partOf(module) === name);
  }

  function placeOf(module: string): number {
    return modulesOf(partOf(module) ?? "").findIndex(([each]) => each === module);
  }
}

const sharedChunk = "part-shared";

/**
 * The chunk of a module: that of its part, or of the one part that uses it. A module of several
 * parts goes with the rest if that uses it, else into a file of its own: in the file of one part it
 * would make the others load that part.
 */
export function chunkOfPart(root: string): ChunkOf {
  const known = new Map<string, ReadonlySet<string>>();
  /** The parts whose modules import a module, directly or through modules outside of parts. */
  const partsUsing = (id: string, among: BuildModules): ReadonlySet<string> => {
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, new Set()); // Modules may import each other in circles.
    const own = id.startsWith(modules)
      ? id.slice(modules.length)
      : partOf(relative(root, id).split(sep).join("/"));
    const importers = own === undefined ? (among.getModuleInfo(id)?.importers ?? []) : [];
    const parts = importers.flatMap((each) => [...partsUsing(each, among)]);
    const all = new Set(own === undefined ? parts : [own]);
    known.set(id, all);
    return all;
  };
  return (id, among) => {
    const [first, ...others] = [...partsUsing(id, among)];
    if (id === shared) return sharedChunk;
    if (first === undefined) return null;
    if (others.length === 0) return `part-${first}`;
    return [first, ...others].includes("rest") ? "part-rest" : sharedChunk;
  };
}

/**
 * Remembers a result from the first request on, also the error if there is none. Finding the
 * boundaries reads all sources, which a worker without parts, the editor's, does not need.
 */
function onceAsked<T>(find: () => T): () => T {
  let said: (() => T) | undefined;
  return () => {
    said ??= outcomeOf(find);
    return said();
  };
}

function outcomeOf<T>(find: () => T): () => T {
  try {
    const value = find();
    return () => value;
  } catch (fault) {
    return () => {
      throw fault;
    };
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
