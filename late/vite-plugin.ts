import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Plugin } from "vite";
import { boundariesBelow } from "./boundaries.ts";
import { modulesNamed, partOf } from "./parts.ts";

const runtime = "src/app/engine/late-part.ts";
const standIn = "\0stand-in:";
const part = "\0late-part:";
const modules = "\0late-modules:";

/**
 * Leaves modules out of a worker until something calls them (docs/decisions/late-parts.md). Where
 * others import a module of a part, a stand-in takes its place: its functions throw `NotLoaded`
 * until the part is there, and are the module's own from then on. The sources say nothing of it.
 */
export function lateParts(root: string): Plugin {
  const nameOf = (id: string) => relative(root, id).split(sep).join("/");
  const partOfImporter = (importer: string) =>
    importer.startsWith(modules) ? importer.slice(modules.length) : partOf(nameOf(importer));
  let boundaries: ReturnType<typeof boundariesBelow> = new Map();
  return {
    name: "late-parts",
    enforce: "pre",
    buildStart() {
      const missing = modulesNamed().filter((path) => !existsSync(join(root, path)));
      if (missing.length > 0) throw new Error(`late/parts.ts names ${missing.join(", ")}`);
      boundaries = boundariesBelow(root);
    },
    async resolveId(source, importer, options) {
      if (source.startsWith(part) || source.startsWith(modules)) return source;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      // What is imported when it is needed waits for nothing.
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
      return id.startsWith(modules) ? modulesCode(id.slice(modules.length)) : undefined;
    },
  };

  /** The functions and objects of a module, as long as they are not there. */
  function standInCode(module: string): string {
    const { functions = [], objects = [] } = boundaries.get(module) ?? {};
    return `import { needed, add, standIn } from ${quoted(part + partOf(module))};
${functions.map((name) => `export let ${name} = (...a) => (needed(), ${name}(...a));`).join("\n")}
${objects.map((name) => `export let ${name} = standIn(() => ${name});`).join("\n")}
add(${placeOf(module)}, (all) => { [${[...functions, ...objects].join(", ")}] = all; });`;
  }

  function partCode(name: string): string {
    return `import { latePart } from ${quoted(join(root, runtime))};
export const { needed, add, standIn } = latePart(async () => (await import(${quoted(modules + name)})).all);`;
  }

  /** What stands in for each module of a part takes its exports from here. */
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
    return [...boundaries].filter(([module]) => partOf(module) === name);
  }

  function placeOf(module: string): number {
    return modulesOf(partOf(module) ?? "").findIndex(([each]) => each === module);
  }
}

/** The file of a build that a module of a part goes to, with what only that part uses. */
export function chunkOfPart(root: string): (id: string) => string | null {
  return (id) => {
    const name = id.startsWith(modules)
      ? id.slice(modules.length)
      : partOf(relative(root, id).split(sep).join("/"));
    return name === undefined ? null : `part-${name}`;
  };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
