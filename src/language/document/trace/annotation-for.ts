import type { Fix, Span } from "#core/diagnostics";
import type { TracedTensor } from "./traced.ts";

/**
 * Fix that gives an imported function an annotation: a line after the imports, whose result is like
 * the first tensor, for the user to change.
 *
 * @param name name of the function; no fix if it is no plain path, e.g. a layer that a call makes
 * @param operands operands of the call by position, `undefined` for an argument that is no tensor
 * @param register the function that takes an annotation, in its module: `module.function`
 * @param call span of the call; the line is inserted before it
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

/** Operands of a call by position, up to the last tensor; `undefined` for a non-tensor. */
export type Operands = readonly (TracedTensor | undefined)[];

/** Annotation that keeps every dim whole and gives the result the shape of the first tensor. */
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

/** Import line for the registering function; empty when the text has it. */
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

/** Callee of a call as written, e.g. `F.f`; empty when it is no plain path. */
function calleeAt(source: string, { from, to }: Span): string {
  return /^[A-Za-z_][\w.]*(?=\s*\()/u.exec(source.slice(from, to))?.[0] ?? "";
}

/**
 * Offset after the top-level class or function of a name; `undefined` when the text does not define
 * it.
 */
function definitionEnd(name: string, source: string): number | undefined {
  const found = new RegExp(`^(?:class|def) ${name.split(".")[0]}\\b`, "m").exec(source);
  if (found === null) return undefined;
  const next = /\n(?=[^\s#)])/g;
  next.lastIndex = found.index;
  const at = next.exec(source)?.index;
  return at === undefined ? undefined : at + 1;
}

/** Offset after the last top-level import before a position; 0 without one. */
function importsEnd(source: string, before: number): number {
  const statement = /^(?:import|from)\b(?:[^(\n]*\([^)]*\)|(?:[^\n\\]|\\\n)*)[^\n]*(?:\n|$)/gm;
  const ends = [...source.slice(0, before).matchAll(statement)].map(
    ({ index, 0: text }) => index + text.length,
  );
  return ends.at(-1) ?? 0;
}
