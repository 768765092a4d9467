import type { Expression, Statement } from "../reading/syntax.ts";
import { namesOf } from "./scope.ts";

/** Module statements that may run before their turn. */
export interface Later {
  /** Marks a statement as run; returns whether it was already. */
  readonly begin: (statement: Statement) => boolean;
  /**
   * First later statement that defines a name, or, with `imports`, one that imports it; `undefined`
   * without one.
   */
  readonly binding: (name: string, imports: boolean) => Statement | undefined;
}

/**
 * Statements that define names further down: when several files are pasted in a row, one may use
 * names that the next defines.
 */
export function laterStatements(statements: readonly Statement[]): Later {
  const begun = new Set<Statement>();
  let known: ReadonlyMap<string, readonly Statement[]> | undefined;
  return {
    begin: (statement) => {
      if (begun.has(statement)) return true;
      begun.add(statement);
      return false;
    },
    binding: (name, imports) => {
      known ??= byName(statements);
      const ahead = known.get(name)?.filter((each) => !begun.has(each)) ?? [];
      return ahead.find(defines) ?? (imports ? ahead.find(isImport) : undefined);
    },
  };
}

function byName(statements: readonly Statement[]): ReadonlyMap<string, readonly Statement[]> {
  const found = new Map<string, Statement[]>();
  for (const statement of statements) {
    if (!defines(statement) && !isImport(statement)) continue;
    for (const name of namesOf([statement]).bound) {
      const known = found.get(name) ?? [];
      known.push(statement);
      found.set(name, known);
    }
  }
  return found;
}

/** Whether a statement defines a function, a class, or a name by literal data. */
function defines(statement: Statement): boolean {
  if (statement.kind === "function" || statement.kind === "class") return true;
  return statement.kind === "assign" && isWritten(statement.value);
}

function isImport({ kind }: Statement): boolean {
  return kind === "import" || kind === "from-import";
}

/** Whether an expression is literal data: numbers, strings, containers and arithmetic of them. */
function isWritten(value: Expression): boolean {
  switch (value.kind) {
    case "constant":
      return true;
    case "tuple":
    case "list":
    case "set":
      return value.items.every(isWritten);
    case "dict":
      return value.entries.every(
        (entry) => isWritten(entry.value) && (entry.key === undefined || isWritten(entry.key)),
      );
    case "unary":
      return isWritten(value.operand);
    case "binary":
      return isWritten(value.left) && isWritten(value.right);
    default:
      return false;
  }
}
