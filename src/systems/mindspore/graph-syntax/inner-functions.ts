import type { Span } from "#core/diagnostics";
import type { Expression, FunctionNode } from "#language/python";
import { namesBound, namesRead, partsOf } from "./read-names.ts";

/** An expression that MindSpore compiles with another meaning than Python's. */
export interface OtherMeaning {
  readonly message: string;
  readonly span: Span;
}

/** A function defined inside a graph function, with the enclosing names that it reads. */
interface InnerFunction {
  readonly free: ReadonlySet<string>;
  /** The names that were rebound since it was defined. */
  readonly bound: Set<string>;
}

/**
 * The functions inside a function of a graph. MindSpore's parser captures their free names at the
 * definition, Python looks them up at the call.
 */
export class InnerFunctions {
  meaning: OtherMeaning | undefined;
  private readonly found = new Map<string, InnerFunction>();
  private depth = 0;

  /** Records `def name`, or `name = lambda …`, with its free names. */
  make(name: string, free: Iterable<string>): void {
    this.found.set(name, { free: new Set(free), bound: new Set() });
  }

  bind(name: string): void {
    this.found.delete(name);
    for (const { free, bound } of this.found.values()) if (free.has(name)) bound.add(name);
  }

  /**
   * Runs `run` inside a loop: a function stored there may be called after the loop has rebound its
   * names.
   */
  loop(run: () => void): void {
    this.depth++;
    run();
    this.depth--;
  }

  read(expression: Expression): void {
    const lambda = this.depth > 0 ? lambdaIn(expression) : undefined;
    if (lambda !== undefined) {
      const message =
        "MindSpore 2.10 compiles a net with a lambda in a loop into one that computes nothing: make the function before the loop, or with def";
      this.meaning ??= { message, span: lambda.span };
    }
    const late = lateIn(expression);
    if (late !== undefined) this.meaning ??= late;
    for (const { name, span } of namesRead(expression)) {
      const inner = this.found.get(name);
      if (inner === undefined) continue;
      const isStored = this.depth > 0 && inner.free.size > 0 && !isCalled(expression, name);
      const [other] = isStored ? inner.free : inner.bound;
      if (other === undefined) continue;
      this.meaning ??= takenEarly(other, `"${name}"`, span);
    }
  }
}

function takenEarly(read: string, what: string, span: Span): OtherMeaning {
  const message = `MindSpore's graph takes "${read}" in ${what} as it is where that is made; Python, and what is drawn here, as it is where that is called`;
  return { message, span };
}

/** The fault of a lambda in a comprehension that reads the comprehension's variable. */
function lateIn(expression: Expression): OtherMeaning | undefined {
  if (expression.kind === "comprehension") {
    const bound = new Set(expression.clauses.flatMap(({ target }) => namesBound(target)));
    const lambda = lambdaIn(expression.element);
    const read = namesRead(lambda).find(({ name }) => bound.has(name));
    if (lambda !== undefined && read !== undefined)
      return takenEarly(read.name, "a lambda", lambda.span);
  }
  for (const part of partsOf(expression)) {
    const found = lateIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names that a function reads but does not bind itself. */
export function freeNames(
  { parameters }: FunctionNode,
  read: readonly Expression[],
  own: ReadonlySet<string>,
): readonly string[] {
  const bound = new Set(parameters.map(({ name }) => name));
  const names = read.flatMap(namesRead).map(({ name }) => name);
  return names.filter((name) => !bound.has(name) && !own.has(name));
}

function lambdaIn(expression: Expression): Expression | undefined {
  if (expression.kind === "lambda") return expression;
  if (expression.kind === "comprehension") return undefined;
  for (const part of partsOf(expression)) {
    const found = lambdaIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a name occurs in an expression only as a callee. */
function isCalled(expression: Expression, name: string): boolean {
  if (expression.kind === "name") return expression.name !== name;
  const parts = partsOf(expression);
  const inner =
    expression.kind === "call" && expression.callee.kind === "name" ? parts.slice(1) : parts;
  return inner.every((part) => isCalled(part, name));
}
