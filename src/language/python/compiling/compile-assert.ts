import { childrenOf } from "../reading/children.ts";
import type { Expression, Statement } from "../reading/syntax.ts";
import { Raised } from "../values/signals.ts";
import { truth } from "../values/truth.ts";
import type { Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment, Scope } from "./scope.ts";

type Action = (environment: Environment) => void;

/** `assert test, message`; left out when it depends on a value that the host does not know. */
export function compileAssert(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "assert" }>,
): Action {
  const { rt } = compiler;
  const { span } = statement;
  const test = compiler.expression(scope, statement.test);
  const asksUnknown = askingUnknown(compiler, scope, statement.test);
  const message =
    statement.message === undefined ? undefined : compiler.expression(scope, statement.message);
  return (environment) => {
    const before = rt.diagnostics.length;
    const holds = () => {
      const tested = test(environment);
      return rt.host.isUnknown?.(tested) === true || truth(rt, tested, statement.test.span);
    };
    let isMet: boolean;
    try {
      isMet = holds();
    } catch (signal) {
      if (!(signal instanceof Raised) || !asksUnknown(environment)) throw signal;
      isMet = true;
    }
    const isSaid = rt.diagnostics.length > before;
    if (isMet && !isSaid) return;
    if (asksUnknown(environment)) {
      const said = rt.diagnostics.splice(before);
      rt.diagnostics.push(...said.filter((each) => rt.host.isUndecided?.(each) !== true));
      return;
    }
    if (isMet) return;
    const args: readonly Value[] = message === undefined ? [] : [message(environment)];
    const fault = new Raised(rt.exception("AssertionError", args), span);
    fault.isOfText = true;
    throw fault;
  };
}

/** Test whether a name in an expression, or an attribute of one, is unknown. */
function askingUnknown(
  compiler: Compiler,
  scope: Scope,
  expression: Expression,
): (environment: Environment) => boolean {
  const { rt } = compiler;
  if (rt.host.isUnknown === undefined) return () => false;
  let asked: readonly ((environment: Environment) => Value)[] | undefined;
  return (environment) => {
    asked ??= namesIn(expression).map((each) => compiler.expression(scope, each));
    return asked.some((evaluate) => {
      const before = rt.diagnostics.length;
      try {
        return rt.host.isUnknown?.(evaluate(environment)) === true;
      } catch (signal) {
        if (signal instanceof Raised) return false;
        throw signal;
      } finally {
        rt.diagnostics.length = before;
      }
    });
  };
}

/** Names in an expression and their attribute paths, which evaluate without a call. */
function namesIn(expression: Expression): readonly Expression[] {
  const below =
    expression.kind === "comprehension"
      ? namesIn(expression.clauses[0]?.iterable ?? expression.element)
      : childrenOf(expression).flatMap(namesIn);
  return isPath(expression) ? [expression, ...below] : below;
}

function isPath(expression: Expression): boolean {
  if (expression.kind === "name") return true;
  return expression.kind === "attribute" && isPath(expression.object);
}
