import type { Diagnostic } from "#core/diagnostics";
import type { Identifier, Reduction } from "./annotation.ts";
import type { Token } from "./tokens.ts";
import { isDecimal, isIdentifierName, isPythonSpace } from "./unicode.ts";

/** Reads one word; a word that is no identifier is reported and left out. */
export function parseIdentifier(word: Token, report: Diagnostic[]): Identifier | undefined {
  const written = reductionOf(word.text);
  const name = written === "" ? word.text : word.text.slice(0, -1);
  const kind = kindOf(name);
  if (kind === undefined) {
    report.push(notAnIdentifier(word, name));
    return undefined;
  }
  const reduction = kind === "number" || kind === "ignored" ? "^" : written;
  return { name, kind, reduction, span: word.span };
}

function reductionOf(text: string): Reduction {
  if (text.endsWith("+")) return "+";
  return text.endsWith("^") ? "^" : "";
}

function kindOf(name: string): Identifier["kind"] | undefined {
  if (name === "*") return "star";
  if (name === "?") return "ignored";
  if (isDecimal(name)) return "number";
  return isIdentifierName(name) ? "name" : undefined;
}

function notAnIdentifier(word: Token, name: string): Diagnostic {
  const base = { severity: "error", span: word.span, upstream: "AssertionError" } as const;
  if (name === "") {
    return {
      ...base,
      code: "dimops/lonely-reduction",
      message: `the reduction "${word.text}" must touch the identifier that it belongs to`,
    };
  }
  const space = [...word.text].findIndex(isPythonSpace);
  if (space >= 0) return foreignSpace(word, base);
  const fault: Diagnostic = {
    ...base,
    code: "dimops/not-an-identifier",
    message: `identifier can only be an integer, a Python identifier, "*" or "?", but got "${name}"`,
  };
  const starred = /^([\p{L}_][\p{L}\p{N}_]*)\*$/u.exec(word.text)?.[1];
  if (starred === undefined) return fault;
  const text = `${starred}+`;
  return {
    ...fault,
    fixes: [{ title: `Sum over "${starred}": ${text}`, edits: [{ ...word.span, text }] }],
  };
}

function foreignSpace(
  word: Token,
  base: Pick<Diagnostic, "severity" | "span" | "upstream">,
): Diagnostic {
  const spaced = [...word.text].map((each) => (isPythonSpace(each) ? " " : each)).join("");
  return {
    ...base,
    severity: "error",
    code: "dimops/foreign-space",
    message: `only the plain space separates dims, but "${visible(word.text)}" holds another white space`,
    fixes: [{ title: "Use a plain space", edits: [{ ...word.span, text: spaced }] }],
  };
}

function visible(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll("\u00a0", "\\u00a0");
}
