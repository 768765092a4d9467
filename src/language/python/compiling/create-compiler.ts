import type { Runtime } from "../values/runtime.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileDefinition } from "./compile-function.ts";
import { compileBlock } from "./compile-statement.ts";
import { compileTarget } from "./compile-target.ts";
import type { Compiler } from "./compiler.ts";

/** The compiler of one evaluation. */
export function createCompiler(rt: Runtime): Compiler {
  const compiler: Compiler = {
    rt,
    expression: (scope, expression) => compileExpression(compiler, scope, expression),
    target: (scope, target) => compileTarget(compiler, scope, target),
    block: (scope, block) => compileBlock(compiler, scope, block),
    definition: (scope, definition) => compileDefinition(compiler, scope, definition),
  };
  return compiler;
}
