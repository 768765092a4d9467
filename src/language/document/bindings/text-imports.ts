// Imports and definitions of a name that a text has, or lacks.

import type { Fix, Span } from "#core/diagnostics";
import type { Context, Value } from "#language/python";
import type { UsualName } from "../system.ts";
import { assumedOf } from "./assumed.ts";

/** The line that imports a name as documents usually do. */
export function importOf(name: string, usual: UsualName): string {
  if (usual.name !== undefined) return `from ${usual.module} import ${usual.name}`;
  return usual.module === name ? `import ${name}` : `import ${usual.module} as ${name}`;
}

/** The fix that writes a line above the text. */
export function atTop(title: string, line: string): Fix {
  return { title, edits: [{ from: 0, to: 0, text: `${line}\n` }] };
}

/** Names that stand for a number, as documents write them: `a`, `B`, `NUM_HEADS`, `hidden_size`. */
export function isSizeName(name: string): boolean {
  return /^[A-Za-z]$|^[A-Z][A-Z0-9_]*$|^n_|^num_|_(size|dim|len|count)$/.test(name);
}

/** Whether a module stands in `from module import names`, which lists the wanted names. */
export function isNamedImport(source: string, { from, to }: Span): boolean {
  return (
    /\bfrom[ \t]+$/.test(source.slice(0, from).slice(-40)) &&
    !/^\s*import\s*\(?\s*\*/.test(source.slice(to))
  );
}

/** The text's own value of a name, unless it is as unknown as the imported one. */
export function ownDefinition(name: string, context: Context): Value | undefined {
  const own = context.ownName(name);
  return assumedOf(own) === undefined ? own : undefined;
}

/** The class or function of that name that the text defines further down. */
export function definedLater(name: string, context: Context): Value | undefined {
  const own = context.ownName(name);
  return own?.kind === "class" || own?.kind === "function" ? own : undefined;
}
