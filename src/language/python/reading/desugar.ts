import type { TextEdit } from "#core/diagnostics";
import { desugarFormat } from "./desugar-format.ts";
import { type LineToken, tokensIn } from "./line-tokens.ts";
import type { LogicalLine } from "./scan.ts";

/** Stands for the call that a decorator is wrapped in when the grammar knows no such decorator. */
export const wrappedDecorator = "__wrapped_decorator__";
/** Stands for the `/` among the parameters of a `lambda`. */
export const slashParameter = "__positional_only__";
/** Stands for `as` before a target that is no simple name, and inside patterns. */
export const asOperator = "<>";

/**
 * Writes what is Python but unknown to the grammar as something that the grammar knows. Lowering
 * gives it back its meaning, so the text as given keeps its places and its faults.
 */
export function desugar(source: string, lines: readonly LogicalLine[]): readonly TextEdit[] {
  return lines.flatMap((line) => desugarLine(source, line));
}

/** The same within a piece of a line. */
export function desugarPiece(text: string): readonly TextEdit[] {
  return isRare(text) ? rareEdits(tokensIn(text, 0, text.length)) : [];
}

function desugarLine(source: string, line: LogicalLine): readonly TextEdit[] {
  const own = headers.get(line.firstWord);
  const text = source.slice(line.from, line.to);
  if (own === undefined && !isRare(text)) return [];
  const tokens = tokensIn(source, line.from, line.to);
  return [...(own?.(tokens, source) ?? []), ...rareEdits(tokens)];
}

function rareEdits(tokens: readonly LineToken[]): readonly TextEdit[] {
  return [
    ...tokens.flatMap(openFloat),
    ...tokens.flatMap(desugarFormat),
    ...slashes(tokens),
    ...starredIndices(tokens),
  ];
}

/** A float that ends in its point, a `/` after `lambda`, a star inside square brackets. */
function isRare(text: string): boolean {
  if (/\d\.(?!\d)/.test(text) || (text.includes(":=") && /['"]/.test(text))) return true;
  if (text.includes("/") && text.includes("lambda")) return true;
  return text.includes("*") && text.includes("[");
}

type Desugar = (tokens: readonly LineToken[], source: string) => readonly TextEdit[];

const headers: ReadonlyMap<string, Desugar> = new Map([
  ["with", desugarWith],
  ["case", desugarCase],
  ["match", desugarMatch],
  ["for", desugarFor],
  ["@", desugarDecorator],
  ["print", desugarPrint],
]);

/** `print = …` binds a name: to the grammar `print` begins a statement of Python 2. */
function desugarPrint([word, sign]: readonly LineToken[]): readonly TextEdit[] {
  if (word === undefined || sign?.text !== "=") return [];
  return [{ from: word.from, to: word.to, text: "_".repeat(word.to - word.from) }];
}

/** `with (a as b, c):` loses its brackets, and targets other than names get another `as`. */
function desugarWith(tokens: readonly LineToken[], source: string): readonly TextEdit[] {
  const [, open] = tokens;
  const close = tokens.findIndex(({ text, depth }, at) => at > 1 && text === ")" && depth === 0);
  const inner = tokens.slice(2, close);
  const isList =
    open?.text === "(" &&
    tokens[close + 1]?.text === ":" &&
    inner.some(({ text, depth }) => depth === 1 && (text === "as" || text === ",")) &&
    !inner.some(({ text, depth }) => depth === 1 && (text === "for" || text === "yield"));
  if (!isList) return targets(tokens, 0);
  return [...unbracketed(source, tokens.slice(1, close + 1)), ...targets(inner, 1)];
}

/** The same length without the brackets, the comma before the last, line ends and comments. */
function unbracketed(source: string, tokens: readonly LineToken[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  tokens.forEach(({ from, to, text }, at) => {
    const previous = tokens[at - 1];
    const gap = previous === undefined ? "" : source.slice(previous.to, from);
    if (previous !== undefined && /[\n#\\]/.test(gap)) {
      edits.push({ from: previous.to, to: from, text: gap.replace(/[\s\S]/g, " ") });
    }
    const isEdge = at === 0 || at === tokens.length - 1;
    if (isEdge || (at === tokens.length - 2 && text === ",")) edits.push({ from, to, text: " " });
  });
  return edits;
}

function targets(tokens: readonly LineToken[], level: number): readonly TextEdit[] {
  return tokens.flatMap(({ text, depth, from, to }, at) => {
    if (text !== "as" || depth !== level) return [];
    const next = tokens[at + 2];
    const isSimple = next === undefined || (next.depth === level && /^[,:)]$/.test(next.text));
    return isSimple ? [] : [{ from, to, text: asOperator }];
  });
}

/** The pattern becomes a name of the same length; lowering reads it from the text as given. */
function desugarCase(tokens: readonly LineToken[]): readonly TextEdit[] {
  const [word, first] = tokens;
  const end = tokens.findIndex(
    ({ text, depth }, at) => at > 1 && depth === 0 && (text === "if" || text === ":"),
  );
  const last = tokens[end - 1];
  if (word === undefined || first === undefined || last === undefined) return [];
  if (/^[=.,:;)\]}+/%@&|^<>!~]$/.test(first.text)) return [];
  return [{ from: first.from, to: last.to, text: "_".repeat(last.to - first.from) }];
}

/** The value becomes a name as well: behind `match (` the grammar loses its way in long texts. */
function desugarMatch(tokens: readonly LineToken[]): readonly TextEdit[] {
  const [, first] = tokens;
  const last = tokens.at(-2);
  if (first === undefined || last === undefined || tokens.at(-1)?.text !== ":") return [];
  if (/^[=.,:;)\]}]$/.test(first.text)) return [];
  return [{ from: first.from, to: last.to, text: "_".repeat(last.to - first.from) }];
}

/** `for x in *a, b:` gets brackets around the row. */
function desugarFor(tokens: readonly LineToken[]): readonly TextEdit[] {
  const start = tokens.findIndex(({ text, depth }) => text === "in" && depth === 0) + 1;
  const end = tokens.findIndex(({ text, depth }, at) => at > start && text === ":" && depth === 0);
  const row = tokens.slice(start, end);
  const isStarred = row.some(
    ({ text, depth }, at) => text === "*" && depth === 0 && /^,?$/.test(row[at - 1]?.text ?? ""),
  );
  const [first] = row;
  const last = row.at(-1);
  if (start === 0 || !isStarred || first === undefined || last === undefined) return [];
  return bracketed(first.from, last.to);
}

/** Only `@a.b(c)` is known as a decorator. */
function desugarDecorator(tokens: readonly LineToken[]): readonly TextEdit[] {
  const [, first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return [];
  const call = tokens.findIndex(({ text }, at) => at > 0 && text === "(");
  const path = tokens.slice(1, call < 0 ? undefined : call);
  const isPath = path.every(({ text }, at) =>
    at % 2 === 0 ? /^[\p{L}_]/u.test(text) : text === ".",
  );
  const isClosed =
    call < 0 || tokens.findIndex(({ depth }, at) => at > call && depth === 0) === tokens.length - 1;
  if (isPath && path.length % 2 === 1 && isClosed) return [];
  return bracketed(first.from, last.to, wrappedDecorator);
}

/** `5.` becomes `5.0`, also before a name (`1.if x else 2`). */
function openFloat({ from, text }: LineToken): readonly TextEdit[] {
  const digits = /^\d[\d_]*\.(?!\d)/.exec(text)?.[0];
  if (digits === undefined || /^\d[\d_]*\.[eEjJ]/.test(text)) return [];
  const at = from + digits.length;
  return [{ from: at, to: at, text: "0" }];
}

/** A `/` between commas behind a `lambda` inside the same brackets. */
function slashes(tokens: readonly LineToken[]): readonly TextEdit[] {
  const lambdas = new Set<number>();
  return tokens.flatMap(({ from, to, text, depth }, at) => {
    if (text === "lambda") lambdas.add(depth);
    if (/^[)\]}]$/.test(text)) lambdas.delete(depth + 1);
    const next = tokens[at + 1]?.text;
    const isAlone = tokens[at - 1]?.text === "," && (next === "," || next === ":");
    if (text !== "/" || !isAlone || !lambdas.has(depth)) return [];
    return [{ from, to, text: slashParameter }];
  });
}

/** `x[*a]` becomes `x[(*a,)]`. */
function starredIndices(tokens: readonly LineToken[]): readonly TextEdit[] {
  const open: Index[] = [];
  return tokens.flatMap((token, at): readonly TextEdit[] => {
    const { text } = token;
    const before = tokens[at - 1];
    const around = open.at(-1);
    if (/^[)\]}]$/.test(text)) {
      const index = open.pop();
      if (index === undefined || !index.isStarred || before === undefined) return [];
      return bracketed(index.from, before.to, "", index.isRow ? ")" : ",)");
    }
    if (/^[([{]$/.test(text)) {
      const isIndex = text === "[" && before !== undefined && isOperand(before);
      open.push({ isIndex, from: token.to, isStarred: false, isRow: false });
    } else if (around?.isIndex === true && !around.isSlice) {
      if (text === ":") Object.assign(around, { isSlice: true, isStarred: false });
      else if (text === "*" && /^[[,]$/.test(before?.text ?? "")) around.isStarred = true;
      else if (text === ",") around.isRow = true;
    }
    return [];
  });
}

/** A bracket that is open, and what its row holds so far when it is an index. */
interface Index {
  readonly isIndex: boolean;
  readonly from: number;
  isStarred: boolean;
  isRow: boolean;
  isSlice?: boolean;
}

const keywords = /^(?:in|if|else|and|or|not|return|yield|lambda|is|del|assert|print|for|while)$/;

function isOperand({ text }: LineToken): boolean {
  return /^[\p{L}_'")\]}]/u.test(text) && !keywords.test(text);
}

function bracketed(from: number, to: number, before = "", close = ")"): readonly TextEdit[] {
  return [
    { from, to: from, text: `${before}(` },
    { from: to, to, text: close },
  ];
}
