import type { Span } from "#core/diagnostics";
import type { Expression, FunctionNode, Statement } from "#language/python";
import type { FoldedTest } from "./folded-tests.ts";
import { freeNames, InnerFunctions, type OtherMeaning } from "./inner-functions.ts";
import { namesBound, namesEmpty, namesRead } from "./read-names.ts";
import { type SyntaxFault, unsupported, walrusIn } from "./syntax-faults.ts";

/**
 * Definedness of a name at a statement: defined, defined only inside a loop or in one branch, or
 * unknown.
 */
type Standing = "defined" | "in a loop" | "in a branch" | "unknown";
type Names = Map<string, Standing>;

/**
 * The first fault of a function that MindSpore 2.10 does not compile: an unsupported statement, or
 * a read of a name that only a loop or one branch defines. `undefined` without one.
 */
export function faultIn(
  { parameters, body }: FunctionNode,
  folded: (test: Expression) => FoldedTest,
  around: ReadonlySet<string> = new Set(),
): SyntaxFault | undefined {
  const names: Names = new Map(
    [...around, ...parameters.map(({ name }) => name)].map((name) => [name, "defined"]),
  );
  const walk = new Walk(folded, localsOf(body));
  walk.block(body, names);
  return walk.fault;
}

/**
 * The first place where MindSpore's graph treats functions inside a function differently from
 * Python.
 */
export function otherMeaning(
  { parameters, body }: FunctionNode,
  folded: (test: Expression) => FoldedTest,
): OtherMeaning | undefined {
  const walk = new Walk(folded, localsOf(body));
  walk.block(body, new Map(parameters.map(({ name }) => [name, "defined"])));
  return walk.inside.meaning;
}

/** The names that a function reads and binds, in the statements that MindSpore's parser keeps. */
export function readingsOf(
  { parameters, body }: FunctionNode,
  folded: (test: Expression) => FoldedTest,
): Readings {
  const walk = new Walk(folded, new Set());
  walk.block(body, new Map(parameters.map(({ name }) => [name, "defined"])));
  const { readings: read, bound, empty, named } = walk;
  return { read, bound, empty, named };
}

/**
 * The expressions that a function reads and binds; `empty` lists names after a starred target,
 * which the graph leaves without a value.
 */
interface Readings {
  readonly read: readonly Expression[];
  readonly bound: readonly Expression[];
  readonly empty: readonly string[];
  /** The last value that each name is assigned by `name = …`. */
  readonly named: ReadonlyMap<string, Expression>;
}

/** Whether a statement cannot be analysed further. */
const isOpaque = ({ kind }: Statement) => kind === "malformed" || kind === "match";

class Walk {
  fault: SyntaxFault | undefined;
  readonly readings: Expression[] = [];
  readonly bound: Expression[] = [];
  readonly empty: string[] = [];
  readonly named = new Map<string, Expression>();
  readonly inside = new InnerFunctions();
  private readonly folded: (test: Expression) => FoldedTest;
  private readonly locals: ReadonlySet<string>;

  constructor(folded: (test: Expression) => FoldedTest, locals: ReadonlySet<string>) {
    this.folded = folded;
    this.locals = locals;
  }

  /**
   * Walks through statements; returns whether the block ends early, by `return`, `raise`, `break`
   * or `continue`.
   */
  block(statements: readonly Statement[], names: Names): boolean {
    for (const statement of statements) {
      if (this.fault !== undefined) return true;
      if (isOpaque(statement)) for (const name of this.locals) names.set(name, "unknown");
      this.fault ??= unsupported(statement);
      if (this.fault === undefined && this.statement(statement, names)) return true;
    }
    return false;
  }

  private statement(statement: Statement, names: Names): boolean {
    switch (statement.kind) {
      case "assign":
        this.read([statement.value, ...statement.targets.flatMap(readIn)], names);
        for (const target of statement.targets) {
          this.bind(target, names);
          if (target.kind === "name") this.named.set(target.name, statement.value);
        }
        this.empty.push(...statement.targets.flatMap((each) => namesEmpty(each, statement.value)));
        this.keepLambda(statement.targets, statement.value);
        return false;
      case "annotation":
        this.read([statement.value, ...readIn(statement.target)], names);
        if (statement.value !== undefined) this.bind(statement.target, names);
        return false;
      case "update":
        this.read([statement.target, statement.value], names);
        this.bound.push(statement.target);
        return false;
      case "expression":
        this.read([statement.value], names);
        return false;
      case "assert":
        this.read([statement.test], names);
        return false;
      case "return":
        this.read([statement.value], names);
        return true;
      case "raise":
      case "break":
      case "continue":
        return true;
      case "function":
        this.inside.bind(statement.definition.name);
        this.inner(statement.definition, names);
        names.set(statement.definition.name, "defined");
        return false;
      default:
        return this.compound(statement, names);
    }
  }

  private compound(statement: Statement, names: Names): boolean {
    switch (statement.kind) {
      case "if":
        return this.branches(statement.branches, statement.otherwise, names);
      case "for":
        this.read([statement.iterable], names);
        this.loop(statement.body, names, (inside) => this.bind(statement.target, inside));
        return false;
      case "while":
        this.read([statement.test], names);
        this.loop(statement.body, names, () => {});
        return false;
      case "with":
        this.read(
          statement.items.map(({ value }) => value),
          names,
        );
        for (const { target } of statement.items) if (target) this.bind(target, names);
        return this.block(statement.body, names);
      default:
        return false;
    }
  }

  private branches(
    branches: Extract<Statement, { kind: "if" }>["branches"],
    otherwise: readonly Statement[],
    names: Names,
  ): boolean {
    const [branch, ...others] = branches;
    if (branch === undefined) return this.block(otherwise, names);
    const test = this.folded(branch.test);
    if (test === "true") return this.block(branch.body, names);
    if (test === "false") return this.branches(others, otherwise, names);
    this.read([branch.test], names);
    const [taken, left] = [new Map(names), new Map(names)];
    const isEnded = this.block(branch.body, taken);
    const isOtherEnded = this.branches(others, otherwise, left);
    if (isEnded && isOtherEnded) return true;
    const alone = isEnded ? left : taken;
    const both = isEnded || isOtherEnded ? alone : merged(taken, left, test === "unknown");
    for (const [name, standing] of isOtherEnded ? taken : both) names.set(name, standing);
    return false;
  }

  private loop(body: readonly Statement[], names: Names, bind: (inside: Names) => void): void {
    const inside = new Map(names);
    bind(inside);
    this.inside.loop(() => this.block(body, inside));
    for (const name of inside.keys()) if (!names.has(name)) names.set(name, "in a loop");
  }

  private inner(definition: FunctionNode, names: Names): void {
    const { name, nameSpan, body } = definition;
    const around = new Set([...names.keys(), ...this.locals, name]);
    this.fault ??= faultIn(definition, this.folded, around);
    const own = new Set([...localsOf(body), name]);
    const free = freeNames(definition, readingsOf(definition, this.folded).read, own);
    const early = free.find((each) => this.locals.has(each) && !names.has(each));
    if (early !== undefined) this.fault ??= unbound(early, undefined, nameSpan);
    this.inside.make(
      name,
      free.filter((each) => this.locals.has(each)),
    );
  }

  /** Records `f = lambda …` with the names of the enclosing function that it reads. */
  private keepLambda([target]: readonly Expression[], value: Expression): void {
    if (target?.kind !== "name" || value.kind !== "lambda") return;
    const free = namesRead(value).map(({ name }) => name);
    this.inside.make(
      target.name,
      free.filter((name) => this.locals.has(name)),
    );
  }

  private bind(target: Expression, names: Names): void {
    this.bound.push(target);
    for (const name of namesBound(target)) {
      names.set(name, "defined");
      this.inside.bind(name);
    }
  }

  private read(expressions: readonly (Expression | undefined)[], names: Names): void {
    for (const expression of expressions) {
      if (expression === undefined) continue;
      this.readings.push(expression);
      this.inside.read(expression);
      this.fault ??= walrusIn(expression);
      for (const { name, span } of namesRead(expression)) {
        const standing = names.get(name);
        if (standing === "defined" || standing === "unknown" || !this.locals.has(name)) continue;
        this.fault ??= unbound(name, standing, span);
      }
    }
  }
}

/** Joins the names after two branches: a name that only one defines is undefined for MindSpore. */
function merged(one: Names, other: Names, isOpen: boolean): Names {
  const all = new Map<string, Standing>();
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(name), other.get(name)];
    const alone = isOpen ? "unknown" : "in a branch";
    all.set(name, a === undefined || b === undefined ? alone : a === "defined" ? b : a);
  }
  return all;
}

/** The expressions that an assignment target reads: `x[i]` itself for `x[i]`, none for a name. */
function readIn(target: Expression): readonly Expression[] {
  if (target.kind === "tuple" || target.kind === "list") return target.items.flatMap(readIn);
  return target.kind === "name" || target.kind === "starred" ? [] : [target];
}

function unbound(name: string, standing: Standing | undefined, span: Span): SyntaxFault {
  if (standing === undefined) {
    const message = `"${name}" is read before MindSpore's graph has defined it`;
    return { message, upstream: "NameError", span };
  }
  const where =
    standing === "in a loop"
      ? `"${name}" is defined inside a loop alone, and read behind it: define it before the loop`
      : `"${name}" is defined in one branch of an if alone, whose test MindSpore leaves to the graph: define it in the other one or before`;
  return { message: where, upstream: "UnboundLocalError", span };
}

/**
 * The names that a body binds, including its loops and branches, but not those of inner functions.
 */
function localsOf(body: readonly Statement[]): ReadonlySet<string> {
  const found = new Set<string>();
  const outer = new Set<string>();
  const visit = (statements: readonly Statement[]): void => {
    for (const each of statements) {
      if (each.kind === "assign") for (const t of each.targets) add(t);
      else if (each.kind === "annotation") add(each.target);
      else if (each.kind === "for") add(each.target);
      else if (each.kind === "with") for (const { target } of each.items) if (target) add(target);
      if (each.kind === "global" || each.kind === "nonlocal")
        for (const name of each.names) outer.add(name);
      for (const block of blocksOf(each)) visit(block);
    }
  };
  const add = (target: Expression) => {
    for (const name of namesBound(target)) found.add(name);
  };
  visit(body);
  for (const name of outer) found.delete(name);
  return found;
}

function blocksOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case "if":
      return [...statement.branches.map(({ body }) => body), statement.otherwise];
    case "for":
    case "while":
      return [statement.body, statement.otherwise];
    case "with":
      return [statement.body];
    default:
      return [];
  }
}
