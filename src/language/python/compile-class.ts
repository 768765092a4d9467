import type { Span } from "#core/diagnostics";
import { call, callMethod, callSpecial } from "./call.ts";
import { lookUp, makeClass, mergeOrders, typeName } from "./classes.ts";
import { compileArguments } from "./compile-call.ts";
import { compileQuietStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import { defined } from "./defined.ts";
import { createEnvironment, type Environment } from "./environment.ts";
import type { Argument } from "./host.ts";
import type { Runtime } from "./runtime.ts";
import { classScope, type Scope } from "./scope.ts";
import type { ClassNode } from "./syntax.ts";
import type { ClassValue, Value } from "./value.ts";

/** A `class` statement. */
export function compileClass(
  compiler: Compiler,
  scope: Scope,
  node: ClassNode,
): (environment: Environment) => void {
  const { rt } = compiler;
  const { name, span, nameSpan, docstring } = node;
  const gather = compileArguments(compiler, scope, node.args);
  const body = compiler.block(classScope(scope, name, node.body), node.body);
  const decorators = node.decorators.map((decorator) => ({
    at: decorator.span,
    evaluate: compiler.expression(scope, decorator),
  }));
  const store = compileQuietStore(compiler, scope, name);
  return (environment) => {
    const wrappers = decorators.map(({ evaluate, at }) => ({ value: evaluate(environment), at }));
    const args = gather(environment);
    const bases = basesOf(rt, args, nameSpan);
    const own = createEnvironment(environment, [], new Map());
    body(own);
    const attributes = own.names ?? new Map<string, Value>();
    const doc = docstring === undefined ? {} : { docstring };
    rt.allocate(20 + bases.reduce((total, base) => total + base.mro.length, 0), nameSpan);
    const qualifiedName = `${scope.prefix}${name}`;
    const made = makeClass(name, bases, { attributes, span, nameSpan, qualifiedName, ...doc });
    own.owner = made;
    initializeSubclass(rt, made, args, nameSpan);
    const value = wrappers.reduceRight<Value>(
      (inner, wrapper) => call(rt, wrapper.value, [{ value: inner, span: nameSpan }], wrapper.at),
      made,
    );
    store(environment, defined(rt, value, span));
  };
}

/** The base classes. A base that only the host understands is left out. */
function basesOf(rt: Runtime, args: readonly Argument[], span: Span): readonly ClassValue[] {
  const bases: ClassValue[] = [];
  for (const { value, name, span: at } of args) {
    if (name !== undefined) continue;
    if (value.kind === "class") bases.push(value);
    else if (value.kind !== "host" && value.kind !== "module") {
      rt.fail("TypeError", `cannot inherit from '${typeName(value)}' object`, at);
    }
  }
  const repeated = bases.find((base, index) => bases.indexOf(base) !== index);
  if (repeated !== undefined) rt.fail("TypeError", `duplicate base class ${repeated.name}`, span);
  const final = bases.find(({ name }) => name === "bool" || name === "range" || name === "slice");
  if (final !== undefined && rt.types.get(final.name) === final) {
    rt.fail("TypeError", `type '${final.name}' is not an acceptable base type`, span);
  }
  if (layoutsOf(rt, bases).size > 1) {
    rt.fail("TypeError", "multiple bases have instance lay-out conflict", span);
  }
  if (mergeOrders(bases) === undefined) {
    const names = bases.map(({ name }) => name).join(", ");
    const message = `Cannot create a consistent method resolution\norder (MRO) for bases ${names}`;
    rt.fail("TypeError", message, span);
  }
  return bases.length > 0 ? bases : [rt.type("object")];
}

/** The builtin values that instances would have to hold; a class can have only one. */
function layoutsOf(rt: Runtime, bases: readonly ClassValue[]): ReadonlySet<string> {
  const exception = rt.type("BaseException");
  const names = bases.flatMap(({ mro }) => {
    const builtin = mro.find((type) => rt.constructors.has(type) && type.name !== "object");
    if (builtin === undefined) return [];
    return builtin.mro.includes(exception) ? "BaseException" : builtin.name;
  });
  return new Set(names);
}

/** `__set_name__` of attributes and `__init_subclass__` of the bases. */
function initializeSubclass(
  rt: Runtime,
  made: ClassValue,
  args: readonly Argument[],
  span: Span,
): void {
  for (const [name, member] of made.attributes) {
    const text: Value = { kind: "str", value: name };
    callSpecial(rt, member, "__set_name__", [made, text], span);
  }
  const parent = made.mro[1];
  const hook = parent === undefined ? undefined : lookUp(parent, "__init_subclass__");
  const keywords = args.filter(({ name }) => name !== undefined && name !== "metaclass");
  if (hook !== undefined) {
    const callee = hook.kind === "classmethod" ? hook.callee : hook;
    callMethod(rt, callee, made, keywords, span);
  } else if (keywords.length > 0) {
    const message = `${made.name}.__init_subclass__() takes no keyword arguments`;
    rt.fail("TypeError", message, keywords[0]?.nameSpan ?? span);
  }
}
