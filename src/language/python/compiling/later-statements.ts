import type { Expression, Statement } from "../reading/syntax.ts";
import { namesOf } from "./scope.ts";

/** What of a module's statements may run before its turn. */
export interface Later {
  /** Whether a statement has run already, or is running; notes that it is from now on. */
  readonly begin: (statement: Statement) => boolean;
  /** The first statement ahead that defines a name, or else one that imports it where that counts. */
  readonly binding: (name: string, imports: boolean) => Statement | undefined;
}

/**
 * The statements of a text that define names further down: of files pasted one after another, one
 * may use what the next defines.
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

/** Functions, classes, and names for what stands there in so many words. */
function defines(statement: Statement): boolean {
  if (statement.kind === "function" || statement.kind === "class") return true;
  return statement.kind === "assign" && isWritten(statement.value);
}

function isImport({ kind }: Statement): boolean {
  return kind === "import" || kind === "from-import";
}

/** A number, a text, or rows and sums of them. */
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
