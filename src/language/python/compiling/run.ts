import type { Statement } from "../reading/syntax.ts";
import { truth } from "../values/truth.ts";
import type { Value } from "../values/value.ts";
import { compileStatement } from "./compile-statement.ts";
import type { Compiler } from "./compiler.ts";
import { faultOf } from "./faults.ts";
import { createEnvironment, type Environment, moduleScope, namesOf, type Scope } from "./scope.ts";

interface ModuleRun {
  readonly compiler: Compiler;
  readonly scope: Scope;
  readonly environment: Environment;
  readonly recover: boolean;
  value: Value | undefined;
  isOver: boolean;
}

/** Runs the statements of a module; gives the value of the last expression statement. */
export function runProgram(
  compiler: Compiler,
  statements: readonly Statement[],
  recover: boolean,
): Value | undefined {
  const scope = moduleScope();
  const environment = createEnvironment(undefined);
  const run: ModuleRun = { compiler, scope, environment, recover, value: undefined, isOver: false };
  for (const statement of statements) {
    if (run.isOver) break;
    runStatement(run, statement);
  }
  const { rt } = compiler;
  if (!run.isOver) guard(run, [], () => rt.host.onEnd?.(rt.globals, rt.context, run.value));
  return run.value;
}

function runStatement(run: ModuleRun, statement: Statement): void {
  const { compiler, scope, environment } = run;
  if (statement.kind === "expression") {
    guard(run, [], () => {
      compiler.rt.tick(1, statement.span);
      const evaluate = compiler.expression(scope, statement.value);
      run.value = evaluate(environment);
    });
    return;
  }
  runInner(run, statement);
}

/** With recovery, a fault inside `if __name__ == "__main__":` ends one statement of it only. */
function runIf(run: ModuleRun, statement: Extract<Statement, { kind: "if" }>): void {
  const { compiler, scope, environment } = run;
  let chosen: readonly Statement[] | undefined;
  const isDecided = guard(run, [statement], () => {
    for (const { test, body } of statement.branches) {
      const verdict = compiler.expression(scope, test)(environment);
      if (chosen === undefined && truth(compiler.rt, verdict, test.span)) {
        chosen = body;
        break;
      }
    }
    chosen ??= statement.otherwise;
  });
  if (!isDecided) return;
  for (const inner of chosen ?? []) {
    if (run.isOver) return;
    runInner(run, inner);
  }
}

function runInner(run: ModuleRun, statement: Statement): void {
  if (statement.kind === "malformed") {
    forget(run, statement.names);
    return;
  }
  if (statement.kind === "if" && run.recover) {
    runIf(run, statement);
    return;
  }
  guard(run, [statement], () => {
    compileStatement(run.compiler, run.scope, statement)(run.environment);
  });
}

/** Runs an action; a fault becomes a diagnostic, and the names of its statements unknown. */
function guard(run: ModuleRun, statements: readonly Statement[], action: () => void): boolean {
  const { rt } = run.compiler;
  try {
    action();
    return true;
  } catch (signal) {
    const fault = faultOf(rt, signal);
    rt.frames.length = 0;
    rt.handled.length = 0;
    rt.guards = 0;
    if (fault.diagnostic !== undefined) rt.diagnostics.push(fault.diagnostic);
    if (fault.isFinal || !run.recover) run.isOver = true;
    forget(run, namesOf(statements).bound);
    return false;
  }
}

/** Names whose statement failed hold unknown values from here on. */
function forget(run: ModuleRun, names: Iterable<string>): void {
  for (const name of names) run.compiler.rt.globals.set(name, { kind: "unknown" });
}
