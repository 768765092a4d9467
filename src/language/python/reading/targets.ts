import { fieldOf } from "#core/records";
import { SyntaxFault } from "./cursor.ts";
import type { Expression } from "./syntax.ts";

/** Whether an expression may stand left of `=`, after `for`, or after `del`. */
export function checkTarget(target: Expression, verb: "assign to" | "delete"): void {
  switch (target.kind) {
    case "name":
    case "attribute":
    case "subscript":
      return;
    case "starred":
      if (verb === "delete") throw cannot(verb, "starred", target);
      checkTarget(target.value, verb);
      return;
    case "tuple":
    case "list": {
      const stars = target.items.filter((item) => item.kind === "starred");
      if (stars.length > 1) {
        const message = "multiple starred expressions in assignment";
        throw new SyntaxFault("SyntaxError", message, target.span);
      }
      for (const item of target.items) checkTarget(item, verb);
      return;
    }
    default:
      throw cannot(verb, wordFor(target), target);
  }
}

function cannot(verb: string, what: string, target: Expression): SyntaxFault {
  const hint = verb === "assign to" ? " here. Maybe you meant '==' instead of '='?" : "";
  return new SyntaxFault("SyntaxError", `cannot ${verb} ${what}${hint}`, target.span);
}

function wordFor(target: Expression): string {
  switch (target.kind) {
    case "constant":
      return constantWord(
        target.value.kind === "bool" ? String(target.value.value) : target.value.kind,
      );
    case "call":
      return "function call";
    case "compare":
      return "comparison";
    case "dict":
      return "dict literal";
    case "set":
      return "set display";
    case "conditional":
      return "conditional expression";
    case "format":
      return "f-string expression";
    case "lambda":
      return "lambda";
    case "comprehension":
      return target.of === "generator" ? "generator expression" : `${target.of} comprehension`;
    case "yield":
    case "yield-from":
      return "yield expression";
    default:
      return "expression";
  }
}

function constantWord(kind: string): string {
  const words: Readonly<Record<string, string>> = {
    true: "True",
    false: "False",
    none: "None",
    ellipsis: "ellipsis",
  };
  return fieldOf(words, kind) ?? "literal";
}

/** Characters of a malformed statement that are read: its names stand at its beginning. */
const mostRead = 1_000;

/** The names that a malformed statement seems to bind, from its first line. */
export function namesBoundBy(statement: string): readonly string[] {
  const text = statement.slice(0, mostRead);
  const [line = ""] = text.split("\n", 1);
  const defined = /^[ \t]*(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)/m.exec(text)?.[1];
  if (defined !== undefined && /^\s*(?:@|async|def|class)/.test(line)) return [defined];
  const imported = /^\s*(?:from\s+\S+\s+)?import\s+(.*)$/.exec(line)?.[1];
  if (imported !== undefined) return wordsOf(imported);
  const loop = /^\s*for\s+(\S.*?)\sin\b/.exec(line)?.[1];
  if (loop !== undefined) return wordsOf(loop);
  const assigned = /^\s*([A-Za-z_][\w\s,()*[\]]*?)\s*(?::[^=]*)?=(?!=)/.exec(line)?.[1];
  return assigned === undefined ? [] : wordsOf(assigned);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g)?.filter((word) => word !== "as") ?? [];
}
