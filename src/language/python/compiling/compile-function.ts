import type { Span } from "#core/diagnostics";
import { blockHasYield } from "../reading/children.ts";
import type { FunctionNode, ParameterNode } from "../reading/syntax.ts";
import type { Parameter } from "../values/parameter.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { Raised } from "../values/signals.ts";
import type { FunctionValue, Value } from "../values/value.ts";
import { spanTreeOf } from "./compile-call.ts";
import { compileSuspendingBlock } from "./compile-suspending.ts";
import type { Compiler } from "./compiler.ts";
import { type Body, generatorOver } from "./generators.ts";
import {
  createEnvironment,
  type Environment,
  type Execute,
  functionScope,
  type Scope,
} from "./scope.ts";

/** Memory cost of a function value, in list items. */
const functionCells = 10;

/** Runs a function's body in an environment that holds its parameters. */
type RunBody = (environment: Environment, frame: FrameOf) => Value;
type FrameOf = Parameters<Compiler["rt"]["enter"]>[0];

/** Makes the function value of a `def` or `lambda`; the body is compiled at the first call. */
export function compileDefinition(
  compiler: Compiler,
  scope: Scope,
  node: FunctionNode,
): (environment: Environment) => FunctionValue {
  const defaults = node.parameters.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [{ name, evaluate: compiler.expression(scope, value) }],
  );
  const parameters = parametersOf(node);
  let body: { readonly run: RunBody; readonly size: number } | undefined;
  const compiled = () => {
    body ??= compileBody(compiler, scope, node);
    return body;
  };
  return (environment) => {
    compiler.rt.allocate(functionCells, node.span);
    const values =
      defaults.length === 0
        ? noDefaults
        : new Map(defaults.map(({ name, evaluate }) => [name, evaluate(environment)]));
    return makeFunction(scope, node, parameters, values, environment, compiled);
  };
}

const noDefaults: ReadonlyMap<string, Value> = new Map();

/** Parameters by definition; definitions in library modules are shared by all evaluations. */
const knownParameters = new WeakMap<FunctionNode, readonly Parameter[]>();

function parametersOf(node: FunctionNode): readonly Parameter[] {
  const parameters = knownParameters.get(node) ?? node.parameters.map(parameterOf);
  knownParameters.set(node, parameters);
  return parameters;
}

function parameterOf(node: ParameterNode): Parameter {
  const { name, kind, span, nameSpan, annotationSpan, default: value } = node;
  return {
    name,
    kind,
    span,
    nameSpan,
    ...(annotationSpan === undefined ? {} : { annotationSpan }),
    ...(value === undefined ? {} : { defaultTree: spanTreeOf(value) }),
  };
}

function makeFunction(
  scope: Scope,
  node: FunctionNode,
  parameters: readonly Parameter[],
  defaults: ReadonlyMap<string, Value>,
  environment: Environment,
  compiled: () => { readonly run: RunBody; readonly size: number },
): FunctionValue {
  const { name, span, nameSpan, bodySpan, docstring, returnAnnotationSpan } = node;
  const made: FunctionValue = {
    kind: "function",
    name,
    qualifiedName: `${scope.prefix}${name}`,
    parameters,
    defaults,
    span,
    nameSpan,
    bodySpan,
    ...(docstring === undefined ? {} : { docstring }),
    ...(returnAnnotationSpan === undefined ? {} : { returnAnnotationSpan }),
    attributes: new Map(),
    run: (values, callSpan, receiver) => {
      const { run, size } = compiled();
      const slots = new Array<Value | undefined>(size).fill(undefined);
      values.forEach((value, index) => {
        slots[index] = value;
      });
      const own = createEnvironment(environment, slots);
      const frameName = receiver?.kind === "instance" ? receiver.type.name : name;
      const frame = { name: frameName, callee: made, callSpan };
      return run(own, receiver === undefined ? frame : { ...frame, receiver });
    },
  };
  return made;
}

function compileBody(
  compiler: Compiler,
  outer: Scope,
  node: FunctionNode,
): { readonly run: RunBody; readonly size: number } {
  const { rt } = compiler;
  const scope = functionScope(outer, node);
  if (blockHasYield(node.body)) {
    const suspend = compileSuspendingBlock(compiler, scope, node.body);
    const run: RunBody = (environment, frame) => {
      const body = runSuspending(suspend, environment);
      return generatorOver(rt, node.name, body, node.span.from < 0 ? undefined : frame);
    };
    return { run, size: scope.slots.size };
  }
  const execute = compiler.block(scope, node.body);
  if (node.span.from < 0) return { run: runOurs(rt, execute), size: scope.slots.size };
  const run: RunBody = (environment, frame) => {
    rt.enter(frame, frame.callSpan);
    // Restores the caller's position: later faults in a library module belong to the text's call of
    // it.
    const { at } = rt;
    try {
      execute(environment);
      return environment.returned ?? none;
    } catch (signal) {
      if (signal instanceof Raised) noteCall(signal, node.name, frame.callSpan);
      throw signal;
    } finally {
      rt.at = at;
      rt.leave();
    }
  };
  return { run, size: scope.slots.size };
}

/** Runs a library function: it has no frame, and its faults are reported at the text's call. */
function runOurs(rt: Runtime, execute: Execute): RunBody {
  return (environment, { callSpan }) =>
    rt.nested(callSpan, () => {
      const before = rt.calledFrom;
      if (callSpan.from >= 0) rt.calledFrom = callSpan;
      try {
        execute(environment);
        return environment.returned ?? none;
      } catch (signal) {
        if (signal instanceof Raised && signal.span.from < 0) signal.span = callSpan;
        throw signal;
      } finally {
        rt.calledFrom = before;
      }
    });
}

function* runSuspending(
  suspend: (environment: Environment) => Generator<Value, unknown, Value>,
  environment: Environment,
): Body {
  yield* suspend(environment);
  return environment.returned ?? none;
}

const mostCalls = 6;

function noteCall(signal: Raised, name: string, span: Span): void {
  if (signal.calls.length < mostCalls) {
    signal.calls.push({ message: `in the call of ${name}()`, span });
  }
}
