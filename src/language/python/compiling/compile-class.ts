import type { Span } from "#core/diagnostics";
import type { ClassNode } from "../reading/syntax.ts";
import { call, instantiate } from "../values/call.ts";
import { lookUp, makeClass, mergeOrders, metaclassOf, typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { initializeSubclass } from "../values/initialize-subclass.ts";
import type { Runtime } from "../values/runtime.ts";
import { dictOf } from "../values/text-key.ts";
import type { ClassValue, Value } from "../values/value.ts";
import { compileArguments } from "./compile-call.ts";
import { compileQuietStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import { decorated } from "./decorated.ts";
import { defined } from "./defined.ts";
import { classScope, createEnvironment, type Environment, namesOf, type Scope } from "./scope.ts";

/** A `class` statement. */
export function compileClass(
  compiler: Compiler,
  scope: Scope,
  node: ClassNode,
): (environment: Environment) => void {
  const { rt } = compiler;
  const { name, span, nameSpan } = node;
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
    const bases = basesOf(rt, standingIn(rt, args, node), nameSpan);
    const own = createEnvironment(environment, [], new Map());
    body(own);
    rt.allocate(20 + bases.reduce((total, base) => total + base.mro.length, 0), nameSpan);
    const made = makeFrom(rt, { node, bases, args, own, prefix: scope.prefix });
    const value = wrappers.reduceRight<Value>(
      (inner, wrapper) =>
        decorated(rt, wrapper.value, { value: inner, span: nameSpan }, wrapper.at),
      made,
    );
    store(environment, defined(rt, value, span));
  };
}

interface Parts {
  readonly node: ClassNode;
  readonly bases: readonly ClassValue[];
  readonly args: readonly Argument[];
  /** Environment of the class body after it ran. */
  readonly own: Environment;
  readonly prefix: string;
}

/** Class value, made by its metaclass where that defines how. */
function makeFrom(rt: Runtime, { node, bases, args, own, prefix }: Parts): Value {
  const { name, span, nameSpan, docstring } = node;
  const attributes = own.names ?? new Map<string, Value>();
  const qualifiedName = `${prefix}${name}`;
  const doc = docstring === undefined ? {} : { docstring };
  const given = args.find((argument) => argument.name === "metaclass")?.value;
  const metaclass = metaclassOf(bases, given?.kind === "class" ? given : undefined);
  const isCustom =
    metaclass !== undefined &&
    (lookUp(metaclass, "__new__") !== undefined || lookUp(metaclass, "__init__") !== undefined);
  if (given !== undefined && given.kind !== "class" && given.kind !== "host") {
    return callMaker(rt, given, { node, bases, args, own, prefix });
  }
  if (isCustom) return callMaker(rt, metaclass, { node, bases, args, own, prefix });
  const around = metaclass === undefined || metaclass === rt.type("type") ? {} : { metaclass };
  const rest = { attributes, span, nameSpan, qualifiedName, ...doc, ...around };
  const made = makeClass(name, bases, rest);
  own.owner = made;
  initializeSubclass(rt, made, args, nameSpan);
  return made;
}

/** Calls a `metaclass=` function with the name, the bases and the body's names. */
function callMaker(rt: Runtime, maker: Value, { node, bases, args, own, prefix }: Parts): Value {
  const { name, nameSpan, docstring } = node;
  const names = new Map<string, Value>([
    ["__module__", { kind: "str", value: "__main__" }],
    ["__qualname__", { kind: "str", value: `${prefix}${name}` }],
    ...(docstring === undefined ? [] : [["__doc__", { kind: "str", value: docstring }] as const]),
    ...(own.names ?? []),
  ]);
  const items = bases.filter((base) => base !== rt.type("object"));
  const values: readonly Value[] = [
    { kind: "str", value: name },
    { kind: "tuple", items },
    dictOf(names),
  ];
  const given = values.map((value) => ({ value, span: nameSpan }));
  const keywords = args.filter(
    (argument) => argument.name !== undefined && argument.name !== "metaclass",
  );
  const all = [...given, ...keywords];
  const made =
    maker.kind === "class" ? instantiate(rt, maker, all, nameSpan) : call(rt, maker, all, nameSpan);
  if (made.kind === "class") own.owner = made;
  return made;
}

/**
 * Arguments with unknown bases replaced by the host's stand-ins. Where a known base comes from the
 * host or from Python, it says how instances are made, and an unknown one only adds members.
 */
function standingIn(rt: Runtime, args: readonly Argument[], node: ClassNode): readonly Argument[] {
  const { unknownBase } = rt.host;
  if (unknownBase === undefined) return args;
  const behind = args.flatMap(({ value, name }) =>
    value.kind === "class" && name === undefined ? value.mro : [],
  );
  const object = rt.type("object");
  const isAdded = behind.some((each) => each.span === undefined && each !== object);
  const names = new Set(behind.flatMap(({ attributes }) => [...attributes.keys()]));
  for (const name of namesOf(node.body).bound) names.add(name);
  return args.map((argument) => {
    const { value, name } = argument;
    const isUnknown = name === undefined && value.kind === "host" && value.type.isUnknown === true;
    const base = isUnknown ? unknownBase.call(rt.host, value, names, isAdded) : undefined;
    return base === undefined ? argument : { ...argument, value: base };
  });
}

/** Base classes; bases that only the host understands are left out. */
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

/** Built-in types whose values instances would have to hold; a class can have only one. */
function layoutsOf(rt: Runtime, bases: readonly ClassValue[]): ReadonlySet<string> {
  const exception = rt.type("BaseException");
  const names = bases.flatMap(({ mro }) => {
    const builtin = mro.find((type) => rt.constructors.has(type) && type.name !== "object");
    if (builtin === undefined) return [];
    return builtin.mro.includes(exception) ? "BaseException" : builtin.name;
  });
  return new Set(names);
}
