import type { Expression, FunctionNode, Statement } from "../reading/syntax.ts";
import type { Runtime } from "../values/runtime.ts";
import type { FunctionValue } from "../values/value.ts";
import type { Environment, Evaluate, Execute, Scope, Store } from "./scope.ts";

/**
 * Turns syntax into closures over one runtime. The parts call each other through this table, so
 * that expressions, statements and functions need not import each other in a circle.
 */
export interface Compiler {
  readonly rt: Runtime;
  expression(scope: Scope, expression: Expression): Evaluate;
  target(scope: Scope, target: Expression): Store;
  block(scope: Scope, block: readonly Statement[]): Execute;
  /** What makes the function value when a `def` or `lambda` is reached. */
  definition(scope: Scope, definition: FunctionNode): (environment: Environment) => FunctionValue;
}
