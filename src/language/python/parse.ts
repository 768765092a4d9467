import { parser } from "@lezer/python";
import type { Diagnostic } from "#core/diagnostics";
import { lowerStatements } from "./lower-statement.ts";
import type { Reading } from "./reading.ts";
import type { Statement } from "./syntax.ts";

/** A text as statements, and what is wrong with it. */
export interface Program {
  readonly statements: readonly Statement[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a text. Statements that are no Python become malformed ones, the others stay. */
export function parseProgram(source: string, recover: boolean): Program {
  const diagnostics: Diagnostic[] = [];
  const reading: Reading = {
    text: source,
    original: (offset) => offset,
    depth: 0,
    report: (diagnostic) => {
      diagnostics.push(diagnostic);
    },
    recover,
  };
  const top = parser.parse(source).topNode;
  const nodes = [];
  for (let child = top.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "Comment") nodes.push(child);
  }
  return { statements: lowerStatements(reading, nodes), diagnostics };
}
