import type { Diagnostic } from "#core/diagnostics";
import { addBuiltins } from "../library/add-builtins.ts";
import { addConstructors } from "../library/constructors.ts";
import { addMethods } from "../library/methods.ts";
import { type Parse, parseLibrary, parseProgram } from "../reading/parse.ts";
import type { Statement } from "../reading/syntax.ts";
import type { Host } from "../values/host.ts";
import { defaultLimits, type Limits } from "../values/limits.ts";
import { Runtime } from "../values/runtime.ts";
import { truth } from "../values/truth.ts";
import type { Value } from "../values/value.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileDefinition } from "./compile-function.ts";
import { telling } from "./compile-simple.ts";
import { compileBlock, compileStatement } from "./compile-statement.ts";
import { compileTarget } from "./compile-target.ts";
import type { Compiler } from "./compiler.ts";
import { faultOf } from "./faults.ts";
import { createContext } from "./host-context.ts";
import { laterStatements } from "./later-statements.ts";
import { runLibrary } from "./run-library.ts";
import { createEnvironment, type Environment, moduleScope, namesOf, type Scope } from "./scope.ts";

/** Options of an evaluation. */
export interface Options {
  readonly limits?: Partial<Limits>;
  /**
   * Whether evaluation continues after a fault: well-formed statements of a malformed text run, and
   * an exception ends one statement only. If false, the first fault ends the run, as in Python.
   */
  readonly recover?: boolean;
  /** Parses the text. An edited text has an incremental parser of its own (`createParser`). */
  readonly parse?: Parse;
}

/** The result of evaluating a text. */
export interface Evaluation {
  /** The value of the last expression statement at top level. */
  readonly value: Value | undefined;
  /** The printed text. */
  readonly output: string;
  /** Diagnostics in the order in which they were found, syntax errors first. */
  readonly diagnostics: readonly Diagnostic[];
  /** The module's global names; those bound by failed statements hold unknown values. */
  readonly globals: ReadonlyMap<string, Value>;
  /** The number of steps that the evaluation took. */
  readonly steps: number;
}

/**
 * Evaluates a text of the Python subset. Faults of the text become diagnostics with their spans.
 * The text can reach only the given host, and limits end programs that would not end
 * (architecture.md §2).
 */
export function evaluate(source: string, host: Host, options: Options = {}): Evaluation {
  const limits = { ...defaultLimits, ...options.limits };
  const recover = options.recover ?? true;
  const rt = new Runtime(source, host, limits, createContext);
  rt.isStrict = !recover;
  if (source.length > limits.text) return tooLong(source, limits);
  addConstructors(rt);
  addMethods(rt);
  addBuiltins(rt);
  const program = (options.parse ?? parseProgram)(source, recover);
  rt.diagnostics.push(...program.diagnostics);
  const isRefused = !recover && program.diagnostics.some(({ severity }) => severity === "error");
  const compiler = createCompiler(rt);
  rt.runLibrary = (home, library) => runLibrary(compiler, home, parseLibrary(library));
  const value = isRefused ? undefined : runProgram(compiler, program.statements, recover);
  return {
    value,
    output: rt.output.join(""),
    diagnostics: rt.diagnostics,
    globals: rt.globals,
    steps: rt.steps,
  };
}

function tooLong(source: string, limits: Limits): Evaluation {
  const message = `the text has ${source.length} characters; ${limits.text} are allowed`;
  const diagnostic: Diagnostic = {
    code: "python/limit-text",
    severity: "error",
    message,
    span: { from: limits.text, to: source.length },
  };
  return { value: undefined, output: "", diagnostics: [diagnostic], globals: new Map(), steps: 0 };
}

/** The compiler of one evaluation. */
function createCompiler(rt: Runtime): Compiler {
  const compiler: Compiler = {
    rt,
    expression: (scope, expression) => compileExpression(compiler, scope, expression),
    target: (scope, target) => compileTarget(compiler, scope, target),
    block: (scope, block) => compileBlock(compiler, scope, block),
    definition: (scope, definition) => compileDefinition(compiler, scope, definition),
  };
  return compiler;
}

interface ModuleRun {
  readonly compiler: Compiler;
  readonly scope: Scope;
  readonly environment: Environment;
  readonly recover: boolean;
  value: Value | undefined;
  isOver: boolean;
}

/** Runs the statements of a module; returns the value of the last expression statement. */
function runProgram(
  compiler: Compiler,
  statements: readonly Statement[],
  recover: boolean,
): Value | undefined {
  const scope = moduleScope();
  const environment = createEnvironment(undefined);
  const run: ModuleRun = { compiler, scope, environment, recover, value: undefined, isOver: false };
  const { rt } = compiler;
  const later = laterStatements(statements);
  if (rt.host.readsLater !== undefined)
    rt.bindLater = (name, imports) => {
      const statement = later.binding(name, imports);
      if (statement === undefined || later.begin(statement)) return false;
      aside(rt, () => runInner(run, statement));
      return true;
    };
  for (const statement of statements) {
    if (run.isOver) break;
    if (!later.begin(statement)) runStatement(run, statement);
  }
  if (!run.isOver) guard(run, [], () => rt.host.onEnd?.(rt.globals, rt.context, run.value));
  return run.value;
}

/**
 * Runs an action in the middle of another statement, and restores that statement's state
 * afterwards.
 */
function aside(rt: Runtime, action: () => void): void {
  const { guards, isAhead } = rt;
  const [frames, handled] = [rt.frames.splice(0), rt.handled.splice(0)];
  try {
    rt.isAhead = true;
    rt.nested(rt.at, action);
  } finally {
    rt.frames.splice(0, rt.frames.length, ...frames);
    rt.handled.splice(0, rt.handled.length, ...handled);
    Object.assign(rt, { guards, isAhead });
  }
}

function runStatement(run: ModuleRun, statement: Statement): void {
  const { compiler, scope, environment } = run;
  if (statement.kind === "expression") {
    guard(run, [], () => {
      compiler.rt.tick(1, statement.span);
      const evaluate = compiler.expression(scope, statement.value);
      run.value = evaluate(environment);
      telling(compiler.rt, statement.span)(run.value);
    });
    return;
  }
  runInner(run, statement);
}

/**
 * With recovery, a fault inside a top-level `if`, such as `if __name__ == "__main__":`, ends only
 * one of its statements.
 */
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

/**
 * Runs an action and returns whether it succeeded. A fault becomes a diagnostic, and the names that
 * the statements bind become unknown.
 */
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

/** Gives unknown values to names whose statement failed. */
function forget(run: ModuleRun, names: Iterable<string>): void {
  for (const name of names) run.compiler.rt.globals.set(name, { kind: "unknown" });
}
