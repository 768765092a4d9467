import type { Span } from "#core/diagnostics";
import { expressionsOf, weigh } from "../reading/children.ts";
import type { FunctionNode, Statement } from "../reading/syntax.ts";
import { advanceOf } from "../values/iterate.ts";
import { truth } from "../values/truth.ts";
import type { Value } from "../values/value.ts";
import { compileAssert } from "./compile-assert.ts";
import { compileClass } from "./compile-class.ts";
import { compileImport } from "./compile-import.ts";
import { compileMatch } from "./compile-match.ts";
import { compileQuietStore } from "./compile-name.ts";
import {
  compileAnnotation,
  compileAssign,
  compileDelete,
  compileRaise,
  compileUpdate,
  telling,
} from "./compile-simple.ts";
import { compileTry, compileWith } from "./compile-try.ts";
import type { Compiler } from "./compiler.ts";
import { decorated } from "./decorated.ts";
import { defined } from "./defined.ts";
import { firstRound } from "./first-round.ts";
import { forgetting, recovering } from "./recovering.ts";
import { completion, type Environment, type Execute, type Scope } from "./scope.ts";

const unknown: Value = { kind: "unknown" };

/** Compiles a block: statements run in order until one leaves the block. */
export function compileBlock(
  compiler: Compiler,
  scope: Scope,
  block: readonly Statement[],
): Execute {
  const statements = block.map((statement) => compileStatement(compiler, scope, statement));
  return (environment) => {
    for (const execute of statements) {
      const end = execute(environment);
      if (end !== completion.next) return end;
    }
    return completion.next;
  };
}

/** Compiles a statement into a closure that counts its evaluation steps. */
export function compileStatement(compiler: Compiler, scope: Scope, statement: Statement): Execute {
  const { rt } = compiler;
  const { span } = statement;
  const isLoop = statement.kind === "for" || statement.kind === "while";
  const cost = isLoop ? 1 : expressionsOf(statement).reduce((sum, part) => sum + weigh(part), 1);
  const execute = recovering(compiler, scope, statement, compileKind(compiler, scope, statement));
  return (environment) => {
    rt.tick(cost, span);
    return execute(environment);
  };
}

/** Statement that always continues with the next one. */
function then(action: (environment: Environment) => void): Execute {
  return (environment) => {
    action(environment);
    return completion.next;
  };
}

function compileKind(compiler: Compiler, scope: Scope, statement: Statement): Execute {
  switch (statement.kind) {
    case "expression":
      return then(compileValue(compiler, scope, statement));
    case "assign":
      return then(compileAssign(compiler, scope, statement));
    case "update":
      return then(compileUpdate(compiler, scope, statement));
    case "annotation":
      return then(compileAnnotation(compiler, scope, statement));
    case "delete":
      return then(compileDelete(compiler, scope, statement.targets));
    case "raise":
      return then(compileRaise(compiler, scope, statement));
    case "assert":
      return then(compileAssert(compiler, scope, statement));
    case "import":
    case "from-import":
      return then(compileImport(compiler, scope, statement));
    case "malformed":
      return then(compileMalformed(compiler, scope, statement.names));
    case "function":
      return then(compileFunctionStatement(compiler, scope, statement.definition));
    case "class":
      return then(compileClass(compiler, scope, statement.definition));
    case "return":
      return compileReturn(compiler, scope, statement);
    case "break":
      return () => completion.break;
    case "continue":
      return () => completion.continue;
    case "pass":
    case "global":
    case "nonlocal":
      return () => completion.next;
    default:
      return compileBranching(compiler, scope, statement);
  }
}

type Branching = Extract<Statement, { kind: "if" | "while" | "for" | "try" | "with" | "match" }>;

function compileBranching(compiler: Compiler, scope: Scope, statement: Branching): Execute {
  switch (statement.kind) {
    case "if":
      return compileIf(compiler, scope, statement);
    case "while":
      return compileWhile(compiler, scope, statement);
    case "for":
      return compileFor(compiler, scope, statement);
    case "try":
      return compileTry(compiler, scope, statement);
    case "with":
      return compileWith(compiler, scope, statement);
    case "match":
      return compileMatch(compiler, scope, statement);
  }
}

/** A malformed statement: the names it would bind become unknown. */
function compileMalformed(
  compiler: Compiler,
  scope: Scope,
  names: readonly string[],
): (environment: Environment) => void {
  const stores = names.map((name) => compileQuietStore(compiler, scope, name));
  return (environment) => {
    for (const store of stores) store(environment, unknown);
  };
}

/** An expression statement; its value is only reported to the host. */
function compileValue(
  { rt, expression }: Compiler,
  scope: Scope,
  { value, span }: Extract<Statement, { kind: "expression" }>,
): (environment: Environment) => void {
  const evaluate = expression(scope, value);
  const tell = telling(rt, span);
  return (environment) => tell(evaluate(environment));
}

function compileReturn(
  compiler: Compiler,
  scope: Scope,
  { value, span }: Extract<Statement, { kind: "return" }>,
): Execute {
  const evaluate = value === undefined ? undefined : compiler.expression(scope, value);
  const tell = telling(compiler.rt, span);
  return (environment) => {
    const returned = evaluate?.(environment) ?? { kind: "none" };
    environment.returned = returned;
    tell(returned);
    return completion.return;
  };
}

function compileFunctionStatement(
  compiler: Compiler,
  scope: Scope,
  node: FunctionNode,
): (environment: Environment) => void {
  const { rt } = compiler;
  const make = compiler.definition(scope, node);
  const decorators = node.decorators.map((decorator) => ({
    span: decorator.span,
    evaluate: compiler.expression(scope, decorator),
  }));
  const store = compileQuietStore(compiler, scope, node.name);
  return (environment) => {
    const wrappers = decorators.map(({ evaluate, span }) => ({
      value: evaluate(environment),
      span,
    }));
    const made = make(environment);
    const value = wrappers.reduceRight<Value>(
      (inner, wrapper) =>
        decorated(rt, wrapper.value, { value: inner, span: node.nameSpan }, wrapper.span),
      made,
    );
    store(environment, defined(rt, value, node.span));
  };
}

function compileIf(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "if" }>,
): Execute {
  const { rt } = compiler;
  const branches = statement.branches.map(({ test, body }) => ({
    span: test.span,
    test: compiler.expression(scope, test),
    body: compiler.block(scope, body),
  }));
  const otherwise = compiler.block(scope, statement.otherwise);
  return (environment) => {
    for (const { test, body, span } of branches) {
      if (truth(rt, test(environment), span)) return body(environment);
    }
    return otherwise(environment);
  };
}

function compileWhile(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "while" }>,
): Execute {
  const { rt } = compiler;
  const { span } = statement.test;
  const cost = weigh(statement.test);
  const test = compiler.expression(scope, statement.test);
  const begin = endingLoop(compiler, statement.span, compiler.block(scope, statement.body));
  const otherwise = compiler.block(scope, statement.otherwise);
  const forget = forgetting(compiler, scope, statement);
  return (environment) => {
    const body = begin();
    for (let isFirst = true; ; isFirst = false) {
      rt.tick(cost, span);
      const asked = rt.unknownAsked;
      if (!truth(rt, test(environment), span)) {
        if (isFirst && rt.unknownAsked !== asked) forget(environment);
        return otherwise(environment);
      }
      const end = body(environment);
      if (end === completion.break) return completion.next;
      if (end === completion.return) return end;
    }
  };
}

/**
 * Wraps a loop's body for one run of the loop; it breaks when the host says that the loop is over.
 */
function endingLoop({ rt }: Compiler, span: Span, body: Execute): () => Execute {
  if (rt.host.loopEnds === undefined || span.from < 0) return () => body;
  return () => {
    const isOver = rt.host.loopEnds?.(span, rt.context);
    return (environment) => {
      const end = body(environment);
      const goesOn = end === completion.next || end === completion.continue;
      return goesOn && isOver?.() === true ? completion.break : end;
    };
  };
}

function compileFor(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "for" }>,
): Execute {
  const { rt } = compiler;
  const { span } = statement.iterable;
  const iterable = compiler.expression(scope, statement.iterable);
  const store = compiler.target(scope, statement.target);
  const begin = endingLoop(compiler, statement.span, compiler.block(scope, statement.body));
  const otherwise = compiler.block(scope, statement.otherwise);
  const forget = forgetting(compiler, scope, statement);
  return (environment) => {
    const body = begin();
    const asked = rt.unknownAsked;
    const advance = advanceOf(rt, iterable(environment), span);
    const round = (item: Value) => {
      store(environment, item);
      return body(environment);
    };
    const first = advance();
    // A loop over an unknown value is left out, and the names it sets become unknown.
    if (first === undefined) {
      if (rt.unknownAsked !== asked) forget(environment);
      return otherwise(environment);
    }
    let end = firstRound(rt, { first, advance, round, span });
    if (end === completion.break) return completion.next;
    if (end === completion.return) return end;
    for (let item = advance(); item !== undefined; item = advance()) {
      end = round(item);
      if (end === completion.break) return completion.next;
      if (end === completion.return) return end;
    }
    return otherwise(environment);
  };
}
