import type { Pattern, Statement } from "../reading/syntax.ts";
import { findAttribute } from "../values/attributes.ts";
import { isSubclass, plain } from "../values/classes.ts";
import { equals } from "../values/equality.ts";
import { keyOf } from "../values/keys.ts";
import type { Runtime } from "../values/runtime.ts";
import { truth } from "../values/truth.ts";
import type { DictValue, Value } from "../values/value.ts";
import { compileNameStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import { completion, type Environment, type Execute, type Scope } from "./scope.ts";

/** Tests a value against a pattern and binds the pattern's names. */
type Test = (environment: Environment, value: Value) => boolean;

/** A `match` statement. */
export function compileMatch(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "match" }>,
): Execute {
  const { rt } = compiler;
  const subject = compiler.expression(scope, statement.subject);
  const cases = statement.cases.map(({ pattern, guard, body }) => ({
    test: compilePattern(compiler, scope, pattern),
    guard: guard === undefined ? undefined : compiler.expression(scope, guard),
    span: guard?.span ?? pattern.span,
    body: compiler.block(scope, body),
  }));
  return (environment) => {
    const value = subject(environment);
    for (const { test, guard, span, body } of cases) {
      if (!test(environment, value)) continue;
      if (guard === undefined || truth(rt, guard(environment), span)) return body(environment);
    }
    return completion.next;
  };
}

function compilePattern(compiler: Compiler, scope: Scope, pattern: Pattern): Test {
  const { rt } = compiler;
  const { span } = pattern;
  switch (pattern.kind) {
    case "capture":
    case "star": {
      if (pattern.name === "_") return () => true;
      const store = compileNameStore(compiler, scope, pattern.name, span);
      return (environment, value) => {
        store(environment, value);
        return true;
      };
    }
    case "value": {
      const { value: written } = pattern;
      const evaluate = compiler.expression(scope, written);
      // `None`, `True` and `False` are compared by identity.
      if (written.kind === "constant" && written.value.kind === "none") {
        return (_, value) => value.kind === "none";
      }
      if (written.kind === "constant" && written.value.kind === "bool") {
        const wanted = written.value.value;
        return (_, value) => value.kind === "bool" && value.value === wanted;
      }
      return (environment, value) => equals(rt, value, evaluate(environment), span);
    }
    case "as": {
      const test = compilePattern(compiler, scope, pattern.pattern);
      const store = compileNameStore(compiler, scope, pattern.name, span);
      return (environment, value) => {
        if (!test(environment, value)) return false;
        store(environment, value);
        return true;
      };
    }
    case "or": {
      const tests = pattern.patterns.map((inner) => compilePattern(compiler, scope, inner));
      return (environment, value) => tests.some((test) => test(environment, value));
    }
    case "sequence":
      return compileSequence(compiler, scope, pattern.patterns);
    case "mapping":
      return compileMapping(compiler, scope, pattern);
    case "class":
      return compileClassPattern(compiler, scope, pattern);
  }
}

function compileSequence(compiler: Compiler, scope: Scope, patterns: readonly Pattern[]): Test {
  const tests = patterns.map((inner) => compilePattern(compiler, scope, inner));
  const starAt = patterns.findIndex(({ kind }) => kind === "star");
  return (environment, value) => {
    const inner = plain(value);
    if (inner.kind !== "list" && inner.kind !== "tuple") return false;
    const spread = starAt < 0 ? inner.items : spreadOver(inner.items, starAt, patterns.length);
    if (spread?.length !== tests.length) return false;
    return tests.every((test, index) => {
      const item = spread[index];
      return item !== undefined && test(environment, item);
    });
  };
}

function spreadOver(
  items: readonly Value[],
  starAt: number,
  count: number,
): readonly Value[] | undefined {
  if (items.length < count - 1) return undefined;
  const end = items.length - (count - starAt - 1);
  const middle: Value = { kind: "list", items: items.slice(starAt, end) };
  return [...items.slice(0, starAt), middle, ...items.slice(end)];
}

function compileMapping(
  compiler: Compiler,
  scope: Scope,
  pattern: Extract<Pattern, { kind: "mapping" }>,
): Test {
  const { rt } = compiler;
  const { span, rest } = pattern;
  const entries = pattern.entries.map(({ key, pattern: inner }) => ({
    key: compiler.expression(scope, key),
    test: compilePattern(compiler, scope, inner),
  }));
  const store = rest === undefined ? undefined : compileNameStore(compiler, scope, rest, span);
  return (environment, value) => {
    const inner = plain(value);
    if (inner.kind !== "dict") return false;
    const left: DictValue = { kind: "dict", entries: new Map(inner.entries) };
    for (const { key, test } of entries) {
      const filed = keyOf(rt, key(environment), span);
      const found = inner.entries.get(filed);
      if (found === undefined || !test(environment, found.value)) return false;
      left.entries.delete(filed);
    }
    store?.(environment, left);
    return true;
  };
}

/** Built-in classes whose single positional subpattern matches the value itself. */
const selfMatching = ["bool", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"];

function compileClassPattern(
  compiler: Compiler,
  scope: Scope,
  pattern: Extract<Pattern, { kind: "class" }>,
): Test {
  const { rt } = compiler;
  const { span } = pattern;
  const type = compiler.expression(scope, pattern.type);
  const tests = pattern.patterns.map((inner) => compilePattern(compiler, scope, inner));
  const named = pattern.named.map(({ name, pattern: inner }) => ({
    name,
    test: compilePattern(compiler, scope, inner),
  }));
  return (environment, value) => {
    const of = type(environment);
    if (of.kind !== "class")
      return rt.fail("TypeError", "called match pattern must be a class", span);
    if (!isSubclass(rt.classOf(value), of)) return false;
    const [first] = tests;
    if (first !== undefined && tests.length === 1 && selfMatching.includes(of.name)) {
      if (!first(environment, value)) return false;
    } else if (!testPositional(rt, environment, value, of, tests, span)) return false;
    return named.every(({ name, test }) => {
      const found = findAttribute(rt, value, name, span);
      return found !== undefined && test(environment, found);
    });
  };
}

function testPositional(
  rt: Runtime,
  environment: Environment,
  value: Value,
  type: Value,
  tests: readonly Test[],
  span: Pattern["span"],
): boolean {
  if (tests.length === 0) return true;
  const names = findAttribute(rt, type, "__match_args__", span);
  const items = names?.kind === "tuple" ? names.items : [];
  if (items.length < tests.length) {
    const name = type.kind === "class" ? type.name : "";
    const message = `${name}() accepts ${items.length} positional sub-patterns (${tests.length} given)`;
    rt.fail("TypeError", message, span);
  }
  return tests.every((test, index) => {
    const name = items[index];
    const found = name?.kind === "str" ? findAttribute(rt, value, name.value, span) : undefined;
    return found !== undefined && test(environment, found);
  });
}
