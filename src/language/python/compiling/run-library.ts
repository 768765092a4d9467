import type { FunctionNode, Statement } from "../reading/syntax.ts";
import type { Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import { createEnvironment, functionScope, moduleScope, namesOf, type Scope } from "./scope.ts";

const nowhere = { from: -1, to: -1 };

/**
 * Runs a module written in Python and returns its names. Spans in its code are negative: its faults
 * are reported at the text's call, its calls have no frame, and the host is not told of its names.
 *
 * Most of a module are functions and classes, often hundreds, of which a text uses a few. Each is
 * made on first use, or when code that names it is compiled. That is not observable, since making
 * one cannot fail.
 */
export function runLibrary(
  compiler: Compiler,
  home: string,
  body: readonly Statement[],
): ReadonlyMap<string, Value> {
  const definition: FunctionNode = {
    name: "<module>",
    parameters: [],
    body,
    span: nowhere,
    nameSpan: nowhere,
    bodySpan: nowhere,
    decorators: [],
  };
  const own = functionScope(moduleScope(), definition);
  const values = new Array<Value | undefined>(own.slots.size).fill(undefined);
  const environment = createEnvironment(createEnvironment(undefined), values);
  const unmade = new Map<string, Definition>();
  const run = (statement: Statement) => compiler.block(scope, [statement])(environment);
  const make = (name: string) => {
    const statement = unmade.get(name);
    const index = own.slots.get(name);
    if (statement === undefined || index === undefined) return;
    unmade.delete(name);
    if (statement.kind === "class") run(statement);
    else values[index] = compiler.definition(scope, statement.definition)(environment);
    noteHome(values[index], name);
  };
  const noteHome = (value: Value | undefined, name: string) => {
    if (value?.kind === "class" && value.name === name) compiler.rt.homes.set(value, home);
  };
  const scope: Scope = { ...own, prefix: "", slots: new NeededSlots(own.slots, make) };
  const waiting = definitionsOf(body);
  for (const statement of body) {
    if (isDefinition(statement) && waiting.has(statement))
      unmade.set(statement.definition.name, statement);
    else run(statement);
  }
  const names: string[] = [];
  for (const [name, index] of own.slots) {
    const isMade = values[index] !== undefined;
    if (isMade) noteHome(values[index], name);
    if (isMade || unmade.has(name)) names.push(name);
  }
  return new Members(names, (name) => {
    make(name);
    return values[own.slots.get(name) ?? -1];
  });
}

type Definition = Extract<Statement, { readonly kind: "function" | "class" }>;

function isDefinition(statement: Statement): statement is Definition {
  return statement.kind === "function" || statement.kind === "class";
}

/** Functions and classes of a module that can be made lazily: undecorated, and bound only once. */
function definitionsOf(body: readonly Statement[]): ReadonlySet<Statement> {
  const known = knownDefinitions.get(body);
  if (known !== undefined) return known;
  const bound = body.flatMap((statement) => [...namesOf([statement]).bound]);
  const often = new Set(bound.filter((name, at) => bound.indexOf(name) !== at));
  const plain = body
    .filter(isDefinition)
    .filter(({ definition: { decorators, name } }) => decorators.length === 0 && !often.has(name));
  const found = new Set<Statement>(plain);
  knownDefinitions.set(body, found);
  return found;
}

/** Cache by module; library statements are shared by all evaluations. */
const knownDefinitions = new WeakMap<readonly Statement[], ReadonlySet<Statement>>();

/** Slots of a module's names; looking one up at compile time makes its definition. */
class NeededSlots extends Map<string, number> {
  private readonly need: (name: string) => void;

  constructor(slots: ReadonlyMap<string, number>, need: (name: string) => void) {
    super(slots);
    this.need = need;
  }

  override get(name: string): number | undefined {
    this.need(name);
    return super.get(name);
  }
}

/** Names of a module with lazily made values. */
class Members implements ReadonlyMap<string, Value> {
  private readonly names: ReadonlySet<string>;
  private readonly find: (name: string) => Value | undefined;

  constructor(names: readonly string[], find: (name: string) => Value | undefined) {
    this.names = new Set(names);
    this.find = find;
  }

  get size(): number {
    return this.names.size;
  }

  get(name: string): Value | undefined {
    return this.names.has(name) ? this.find(name) : undefined;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  keys(): MapIterator<string> {
    return this.names.keys();
  }

  values(): MapIterator<Value> {
    return this.whole().values();
  }

  entries(): MapIterator<[string, Value]> {
    return this.whole().entries();
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  forEach(action: (value: Value, name: string, members: ReadonlyMap<string, Value>) => void): void {
    for (const [name, value] of this) action(value, name, this);
  }

  private whole(): Map<string, Value> {
    const all = new Map<string, Value>();
    for (const name of this.names) {
      const value = this.get(name);
      if (value !== undefined) all.set(name, value);
    }
    return all;
  }
}
