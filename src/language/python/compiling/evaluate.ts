import type { Diagnostic } from "#core/diagnostics";
import { addBuiltins } from "../library/add-builtins.ts";
import { addConstructors } from "../library/constructors.ts";
import { addMethods } from "../library/methods.ts";
import { type Parse, type ParseLibrary, parseLibrary, parseProgram } from "../reading/parse.ts";
import type { Host } from "../values/host.ts";
import { defaultLimits, type Limits } from "../values/limits.ts";
import { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileDefinition } from "./compile-function.ts";
import { compileBlock } from "./compile-statement.ts";
import { compileTarget } from "./compile-target.ts";
import type { Compiler } from "./compiler.ts";
import { createContext } from "./create-context.ts";
import { runProgram } from "./run.ts";
import { runLibrary } from "./run-library.ts";

/** How a text is evaluated. */
export interface Options {
  readonly limits?: Partial<Limits>;
  /**
   * Whether evaluation goes on after a fault: well-formed statements of a malformed text run, and
   * after an exception the next statement follows. Without it the first fault ends everything, as
   * in Python.
   */
  readonly recover?: boolean;
  /** Reads the text; a parser of its own for one that is edited (`createParser`). */
  readonly parse?: Parse;
  /** Reads modules of our own; one that keeps them where texts are read again and again. */
  readonly parseLibrary?: ParseLibrary;
}

/** What a text came to. */
export interface Evaluation {
  /** The value of the last expression statement at top level. */
  readonly value: Value | undefined;
  /** What was printed. */
  readonly output: string;
  /** In the order in which they were found, those of syntax first. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the module; those of failed statements are unknown. */
  readonly globals: ReadonlyMap<string, Value>;
}

/**
 * Evaluates a text of the Python subset. Faults of the text are diagnostics with their places;
 * nothing of the text reaches anything but the host that is given, and limits end what would not
 * end (design.md §2).
 */
export function evaluate(source: string, host: Host, options: Options = {}): Evaluation {
  const limits = { ...defaultLimits, ...options.limits };
  const recover = options.recover ?? true;
  const rt = new Runtime(source, host, limits, createContext);
  if (source.length > limits.text) return tooLong(source, limits);
  addConstructors(rt);
  addMethods(rt);
  addBuiltins(rt);
  const program = (options.parse ?? parseProgram)(source, recover);
  rt.diagnostics.push(...program.diagnostics);
  const isRefused = !recover && program.diagnostics.some(({ severity }) => severity === "error");
  const compiler = createCompiler(rt);
  rt.runLibrary = (home, library) =>
    runLibrary(compiler, home, (options.parseLibrary ?? parseLibrary)(library));
  const value = isRefused ? undefined : runProgram(compiler, program.statements, recover);
  return {
    value,
    output: rt.output.join(""),
    diagnostics: rt.diagnostics,
    globals: rt.globals,
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
  return { value: undefined, output: "", diagnostics: [diagnostic], globals: new Map() };
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
