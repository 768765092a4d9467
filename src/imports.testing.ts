import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { parseSync } from "vite";

/** An import of a file of `src`, as it is written, and what it leads to. */
export interface Import {
  readonly module: string;
  readonly to:
    | { readonly kind: "file"; readonly path: string; readonly closesCycle: boolean }
    | { readonly kind: "package" | "builtin"; readonly name: string }
    | { readonly kind: "unresolved" };
}

type Target = Exclude<Import["to"], { kind: "file" }> | { kind: "file"; path: string };

/** The imports of every file below `src` of a root, types too, by the path of the file. */
export function importsBelow(root: string): ReadonlyMap<string, readonly Import[]> {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(tsx?|js)$/.test(path))
    .map((path) => posix.join("src", path))
    .sort();
  const found = new Map(
    files.map((file) => {
      const modules = modulesIn(file, readFileSync(join(root, file), "utf8"));
      return [file, modules.map((module) => ({ module, to: targetOf(root, file, module) }))];
    }),
  );
  const graph = new Map(
    [...found].map(([file, imports]) => [
      file,
      imports.flatMap(({ to }) => (to.kind === "file" ? [to.path] : [])),
    ]),
  );
  const knotOf = knotsIn(graph);
  const closes = (file: string, path: string) =>
    file === path || (knotOf.has(path) && knotOf.get(file) === knotOf.get(path));
  return new Map(
    [...found].map(([file, imports]) => [
      file,
      imports.map(({ module, to }) =>
        to.kind === "file"
          ? { module, to: { ...to, closesCycle: closes(file, to.path) } }
          : { module, to },
      ),
    ]),
  );
}

/** What a text imports: statically, by a call, and by the type of a call. */
function modulesIn(file: string, text: string): readonly string[] {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const { staticImports, staticExports, dynamicImports } = module;
  const stated = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)];
  const requests = [...stated, ...dynamicImports].flatMap(
    ({ moduleRequest }) => moduleRequest ?? [],
  );
  const names = requests.map(({ start, end }) => text.slice(start + 1, end - 1));
  const isTest = /\.(test|testing)\.tsx?$/.test(file);
  const types = isTest ? [] : [...text.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g)];
  return [...new Set([...names, ...types.map(([, name = ""]) => name)])];
}

function targetOf(root: string, file: string, module: string): Target {
  if (isBuiltin(module)) return { kind: "builtin", name: module.replace(/^node:/, "") };
  const path = module.replace(/\?\w+$/, "");
  if (/^\.{1,2}\//.test(path)) return fileAt(root, posix.join(posix.dirname(file), path));
  if (path.startsWith("#")) return fileAt(root, `src/${path.slice(1)}/index.ts`);
  const name = path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");
  const isThere = existsSync(join(root, "node_modules", name));
  return isThere ? { kind: "package", name } : { kind: "unresolved" };
}

function fileAt(root: string, path: string): Target {
  return existsSync(join(root, path)) ? { kind: "file", path } : { kind: "unresolved" };
}

/**
 * The strongly connected components of more than one file, a number each (R. Tarjan, Depth-first
 * search and linear graph algorithms, 1972): an import within one closes a cycle.
 */
function knotsIn(graph: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const knots = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    let low = own;
    open.push(file);
    isOpen.add(file);
    for (const other of graph.get(file) ?? []) {
      if (!order.has(other)) low = Math.min(low, visit(other));
      else if (isOpen.has(other)) low = Math.min(low, order.get(other) ?? own);
    }
    if (low < own) return low;
    const knot = open.splice(open.lastIndexOf(file));
    for (const each of knot) isOpen.delete(each);
    if (knot.length > 1) for (const each of knot) knots.set(each, own);
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return knots;
}
