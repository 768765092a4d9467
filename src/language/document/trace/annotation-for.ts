import type { Fix, Span } from "#core/diagnostics";
import type { TracedTensor } from "./traced.ts";

/**
 * The fix that gives a function of another module an annotation: a line behind the imports, which
 * says that the result is like the first tensor, for the person to change.
 *
 * @param name of the function; the fix is absent if it is no plain path, e.g. a layer that a call
 * makes
 * @param operands of the call by position, `undefined` for an argument that is no tensor
 * @param register the function that takes an annotation, in its module: `module.function`
 * @param call where it is called: the line stands before it
 */
export function annotationFor(
  name: string,
  operands: Operands,
  register: string,
  { source, call }: { readonly source: string; readonly call: Span },
): Fix | undefined {
  const written = calleeAt(source, call);
  const imported = importsEnd(source, call.from);
  const at = definitionEnd(written, source) ?? imported;
  const isThis = written === `${name}.apply` || last(written) === last(name);
  const root = written.split(".")[0] ?? "";
  const isBound = at !== imported || wordIn(root, source.slice(0, imported));
  if (!isThis || !isBound) return undefined;
  const line = `${register}("${likeFirst(operands)}")(${written})\n`;
  const text = registerImport(register, source) + line;
  return { title: `Write an annotation for ${written}`, edits: [{ from: at, to: at, text }] };
}

/** The operands of a call by position, up to the last tensor; `undefined` is no tensor. */
export type Operands = readonly (TracedTensor | undefined)[];

/** Every dim stays whole; the result is like the first tensor. */
export function likeFirst(operands: Operands): string {
  let used = 0;
  const written = operands.map((tensor) => {
    if (tensor === undefined) return "?";
    const { shape = [1, 1] } = tensor;
    return shape.map(() => `${letters[used++] ?? `d${used}`}^`).join(" ") || "1";
  });
  return `${written.join(", ")} -> ${written.find((shape) => shape !== "?") ?? "1"}`;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** The import that the registering function needs, unless the text has it. */
export function registerImport(register: string, source: string): string {
  const [module = ""] = register.split(".");
  return new RegExp(`^import ${module}\\b`, "m").test(source) ? "" : `import ${module}\n`;
}

function last(path: string): string | undefined {
  return path.split(".").at(-1);
}

function wordIn(word: string, text: string): boolean {
  return text.split(/\W+/).includes(word);
}

/** The function of a call as it is written there, e.g. `F.f`; empty where it is no plain path. */
function calleeAt(source: string, { from, to }: Span): string {
  return /^[A-Za-z_][\w.]*(?=\s*\()/u.exec(source.slice(from, to))?.[0] ?? "";
}

/** Behind the class or function of a name, where the text defines it at the left margin. */
function definitionEnd(name: string, source: string): number | undefined {
  const found = new RegExp(`^(?:class|def) ${name.split(".")[0]}\\b`, "m").exec(source);
  if (found === null) return undefined;
  const next = /\n(?=[^\s#)])/g;
  next.lastIndex = found.index;
  const at = next.exec(source)?.index;
  return at === undefined ? undefined : at + 1;
}

/** Behind the last import at the left margin that stands before a place. */
function importsEnd(source: string, before: number): number {
  const statement = /^(?:import|from)\b(?:[^(\n]*\([^)]*\)|(?:[^\n\\]|\\\n)*)[^\n]*(?:\n|$)/gm;
  const ends = [...source.slice(0, before).matchAll(statement)].map(
    ({ index, 0: text }) => index + text.length,
  );
  return ends.at(-1) ?? 0;
}
