import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseAst } from "vite";
import { objectsOf, partOf } from "./parts.ts";

/** The exports of a part's module that modules outside the part import. */
export interface Boundary {
  readonly functions: readonly string[];
  readonly objects: readonly string[];
}

/**
 * The modules of parts that modules outside their part import, by path, with the imported names.
 * Throws for an export that is neither a function nor listed as an object: nothing could stand in
 * for it.
 */
export function boundariesBelow(root: string): ReadonlyMap<string, Boundary> {
  const imported = namesImported(root);
  return new Map(
    [...imported].sort().map(([module, names]) => {
      const own = functionsOf(readFileSync(join(root, module), "utf8"));
      const objects = objectsOf(module).filter((name) => names.has(name));
      const functions = [...names].filter((name) => own.has(name)).sort();
      const others = [...names].filter((name) => !own.has(name) && !objects.includes(name));
      if (others.length > 0)
        throw new Error(
          `${module} is of a part that is loaded later, but ${others.join(", ")} is no function: see late/parts.ts`,
        );
      return [module, { functions, objects }];
    }),
  );
}

const importList = /\b(?:import|export)\s+(type\s+)?\{([^}]*)\}\s*from\s*"([^"]+)"/g;

/** By module of a part, the values that modules outside the part import from it. */
function namesImported(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of sourcesBelow(root)) {
    const code = readFileSync(join(root, path), "utf8");
    for (const [, isType, list = "", from = ""] of code.matchAll(importList)) {
      const to = moduleAt(path, from);
      const part = partOf(to);
      if (isType !== undefined || part === undefined || part === partOf(path)) continue;
      const names = list
        .replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "")
        .split(",")
        .map((each) => each.trim());
      for (const name of names) {
        if (name === "" || name.startsWith("type ")) continue;
        found.set(to, (found.get(to) ?? new Set()).add(name.split(/\s/)[0] ?? name));
      }
    }
  }
  return found;
}

function sourcesBelow(root: string): readonly string[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|testing)\.tsx?$|\.d\.ts$/.test(path))
    .map((path) => posix.join("src", path.replaceAll("\\", "/")));
}

function moduleAt(importer: string, specifier: string): string {
  return specifier.startsWith("#")
    ? `src/${specifier.slice(1)}/index.ts`
    : posix.join(posix.dirname(importer), specifier);
}

function functionsOf(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of parseAst(code, { lang: "ts" }).body) {
    if (node.type !== "ExportNamedDeclaration") continue;
    const { declaration } = node;
    if (declaration?.type === "FunctionDeclaration" && declaration.id)
      names.add(declaration.id.name);
  }
  return names;
}
