import type { Diagnostic, Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { namesOf } from "../compiling/scope.ts";
import { blocksOf, childrenOf, expressionsOf } from "./children.ts";
import { faultDiagnostic, SyntaxFault } from "./cursor.ts";
import type { Expression, FunctionNode, Statement } from "./syntax.ts";

/** Context of a statement. */
interface Around {
  readonly hasYield: boolean;
  readonly isFunction: boolean;
  readonly isLoop: boolean;
  /** Names of enclosing functions, for `nonlocal`; absent at module level. */
  readonly outer: ReadonlySet<string> | undefined;
  /** Names of the function itself. */
  readonly locals: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
}

const module: Around = {
  hasYield: true,
  isFunction: false,
  isLoop: false,
  outer: undefined,
  locals: new Set(),
  parameters: new Set(),
};

const withoutYield: Around = { ...module, hasYield: false };

/**
 * Faults of module statements that the grammar allows but Python refuses, such as `return` outside
 * a function or `break` outside a loop.
 *
 * @param hasYield whether the statements contain a `yield`; misplaced ones are only searched then
 */
export function checkStatements(
  statements: readonly Statement[],
  hasYield: boolean,
): readonly Diagnostic[] {
  const faults: SyntaxFault[] = [];
  const around = hasYield ? module : withoutYield;
  for (const statement of statements) checkStatement(statement, around, faults);
  return faults.map(faultDiagnostic);
}

/** Faults of module-level `global` and `nonlocal` declarations after a use of their name. */
export function checkDeclarations(statements: readonly Statement[]): readonly Diagnostic[] {
  const faults: SyntaxFault[] = [];
  checkDeclarationsIn(statements, faults);
  return faults.map(faultDiagnostic);
}

function checkDeclarationsIn(block: readonly Statement[], faults: SyntaxFault[]): void {
  block.forEach((statement, index) => {
    if (statement.kind === "global" || statement.kind === "nonlocal") {
      checkDeclared(statement, block.slice(0, index), faults);
    }
  });
}

function checkBlock(block: readonly Statement[], around: Around, faults: SyntaxFault[]): void {
  for (const statement of block) checkStatement(statement, around, faults);
  checkDeclarationsIn(block, faults);
}

/** Refuses a declaration after the first use of its name. */
function checkDeclared(
  { kind, names, span }: Extract<Statement, { kind: "global" | "nonlocal" }>,
  before: readonly Statement[],
  faults: SyntaxFault[],
): void {
  const { bound } = namesOf(before);
  const used = new Set(before.flatMap((statement) => expressionsOf(statement)).flatMap(namesIn));
  for (const name of names) {
    const what = bound.has(name) ? "assigned to before" : used.has(name) ? "used prior to" : "";
    if (what === "") continue;
    const message = `name '${name}' is ${what} ${kind} declaration`;
    faults.push(new SyntaxFault("SyntaxError", message, span));
  }
}

function namesIn(expression: Expression): readonly string[] {
  const own = expression.kind === "name" ? [expression.name] : [];
  return [...own, ...childrenOf(expression).flatMap(namesIn)];
}

function checkStatement(statement: Statement, around: Around, faults: SyntaxFault[]): void {
  const { span } = statement;
  const say = (message: string) => faults.push(new SyntaxFault("SyntaxError", message, span));
  if (around.hasYield) {
    for (const expression of expressionsOf(statement)) checkExpression(expression, around, faults);
  }
  switch (statement.kind) {
    case "return":
      if (!around.isFunction) say("'return' outside function");
      break;
    case "break":
      if (!around.isLoop) say("'break' outside loop");
      break;
    case "continue":
      if (!around.isLoop) say("'continue' not properly in loop");
      break;
    case "global":
    case "nonlocal":
      checkScope(statement, around, say);
      break;
    case "function":
      checkFunction(statement.definition, around, faults);
      break;
    case "class":
      checkBlock(
        statement.definition.body,
        { ...around, isFunction: false, isLoop: false },
        faults,
      );
      break;
    case "try":
      checkHandlers(statement.handlers, faults);
      break;
  }
  const isLoop = statement.kind === "for" || statement.kind === "while";
  blocksOf(statement).forEach((block, index) => {
    const inside = isLoop && index === 0 ? { ...around, isLoop: true } : around;
    checkBlock(block, inside, faults);
  });
}

function checkScope(
  statement: Extract<Statement, { kind: "global" | "nonlocal" }>,
  { outer, parameters }: Around,
  say: (message: string) => void,
): void {
  for (const name of statement.names) {
    if (parameters.has(name)) say(`name '${name}' is parameter and ${statement.kind}`);
    if (statement.kind === "global") continue;
    if (outer === undefined) say("nonlocal declaration not allowed at module level");
    else if (!outer.has(name)) say(`no binding for nonlocal '${name}' found`);
  }
}

function checkFunction(definition: FunctionNode, around: Around, faults: SyntaxFault[]): void {
  const parameters = new Set(definition.parameters.map(({ name }) => name));
  const names = new Set([...(around.outer ?? []), ...around.parameters, ...around.locals]);
  const locals = namesOf(definition.body).bound;
  const { hasYield } = around;
  const inside: Around = {
    hasYield,
    isFunction: true,
    isLoop: false,
    outer: names,
    locals,
    parameters,
  };
  checkBlock(definition.body, inside, faults);
}

function checkHandlers(
  handlers: readonly { readonly type?: Expression; readonly span: Span }[],
  faults: SyntaxFault[],
): void {
  const bare = handlers.findIndex(({ type }) => type === undefined);
  const found = handlers[bare];
  if (found === undefined || bare === handlers.length - 1) return;
  faults.push(new SyntaxFault("SyntaxError", "default 'except:' must be last", found.span));
}

function checkExpression(expression: Expression, around: Around, faults: SyntaxFault[]): void {
  const isYield = expression.kind === "yield" || expression.kind === "yield-from";
  if (isYield && !around.isFunction) {
    faults.push(new SyntaxFault("SyntaxError", "'yield' outside function", expression.span));
  }
  if (expression.kind === "lambda") return;
  for (const child of childrenOf(expression)) checkExpression(child, around, faults);
}

/** Refuses an expression that is no legal target of `=`, `for` or `del`. */
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

/** Characters of a malformed statement that are searched for names. */
const mostRead = 1_000;

/** Names that a malformed statement seems to bind, from its first lines. */
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
