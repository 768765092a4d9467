import type { Expression, FunctionNode, Statement } from "../reading/syntax.ts";
import type { Runtime } from "../values/runtime.ts";
import type { FunctionValue } from "../values/value.ts";
import type { Environment, Evaluate, Execute, Scope, Store } from "./scope.ts";

/**
 * Compiles syntax into closures over one runtime. The parts call each other through this table, so
 * that expressions, statements and functions do not import each other in a cycle.
 */
export interface Compiler {
  readonly rt: Runtime;
  expression(scope: Scope, expression: Expression): Evaluate;
  target(scope: Scope, target: Expression): Store;
  block(scope: Scope, block: readonly Statement[]): Execute;
  /** Makes the function value when a `def` or `lambda` is evaluated. */
  definition(scope: Scope, definition: FunctionNode): (environment: Environment) => FunctionValue;
}
