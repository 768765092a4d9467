import { blocksOf, childrenOf, expressionsOf } from "../reading/children.ts";
import type {
  Comprehension,
  Expression,
  FunctionNode,
  Pattern,
  Statement,
} from "../reading/syntax.ts";
import type { ClassValue, Value } from "../values/value.ts";

/** Scope of names at compile time. Each scope has one environment at run time. */
export interface Scope {
  readonly kind: "module" | "class" | "function" | "comprehension";
  readonly parent: Scope | undefined;
  /** Slot indices of a function's own names. */
  readonly slots: Map<string, number>;
  /** Names that a class body binds. */
  readonly bound: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly nonlocals: ReadonlySet<string>;
  /** Prefix of qualified names of functions defined here: `outer.inner.`. */
  readonly prefix: string;
}

/** Address of a name at run time. */
export type NameAddress =
  | { readonly kind: "global" }
  | { readonly kind: "slot"; readonly hops: number; readonly index: number }
  | { readonly kind: "class"; readonly outer: NameAddress };

export function moduleScope(): Scope {
  const none = new Set<string>();
  return {
    kind: "module",
    parent: undefined,
    slots: new Map(),
    bound: none,
    globals: none,
    nonlocals: none,
    prefix: "",
  };
}

export function functionScope(parent: Scope, definition: FunctionNode): Scope {
  const names = namesOf(definition.body);
  const slots = new Map<string, number>();
  for (const { name } of definition.parameters) slots.set(name, slots.size);
  for (const name of names.bound) {
    const isLocal = !names.globals.has(name) && !names.nonlocals.has(name);
    if (isLocal && !slots.has(name)) slots.set(name, slots.size);
  }
  const prefix = `${parent.prefix}${definition.name}.<locals>.`;
  return { kind: "function", parent, slots, ...names, prefix };
}

export function classScope(parent: Scope, name: string, body: readonly Statement[]): Scope {
  const names = namesOf(body);
  return { kind: "class", parent, slots: new Map(), ...names, prefix: `${parent.prefix}${name}.` };
}

export function comprehensionScope(parent: Scope, { clauses }: Comprehension): Scope {
  const names = new Set<string>();
  for (const { target } of clauses) addTarget(target, names);
  const slots = new Map([...names].map((name, index) => [name, index]));
  const none = new Set<string>();
  const prefix = `${parent.prefix}<comprehension>.`;
  return {
    kind: "comprehension",
    parent,
    slots,
    bound: names,
    globals: none,
    nonlocals: none,
    prefix,
  };
}

/** Allocates a slot for a value without a name. */
export function hiddenSlot(scope: Scope): number {
  const index = scope.slots.size;
  scope.slots.set(`\u0000${index}`, index);
  return index;
}

/** Address of a name used in a scope. */
export function addressOf(scope: Scope, name: string): NameAddress {
  if (scope.kind === "module" || scope.globals.has(name)) return { kind: "global" };
  if (scope.kind === "class") {
    if (scope.nonlocals.has(name)) return outerPlace(scope.parent, name, 1);
    // A class body's own name refers to the module's until the class binds it.
    const isOwn = scope.bound.has(name);
    return { kind: "class", outer: isOwn ? { kind: "global" } : outerPlace(scope.parent, name, 1) };
  }
  const index = scope.slots.get(name);
  if (index !== undefined) return { kind: "slot", hops: 0, index };
  return outerPlace(scope.parent, name, 1);
}

/** Address in the enclosing functions; class bodies are skipped, and the module is the default. */
function outerPlace(from: Scope | undefined, name: string, distance: number): NameAddress {
  let hops = distance;
  for (let scope = from; scope !== undefined; scope = scope.parent) {
    if (scope.kind === "function" || scope.kind === "comprehension") {
      if (scope.globals.has(name)) return { kind: "global" };
      const index = scope.slots.get(name);
      if (index !== undefined) return { kind: "slot", hops, index };
    }
    hops += 1;
  }
  return { kind: "global" };
}

interface Names {
  readonly bound: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly nonlocals: ReadonlySet<string>;
}

/** Cache by block; library blocks are shared by all evaluations. */
const knownNames = new WeakMap<readonly Statement[], Names>();

/** The names that a block binds or declares. */
export function namesOf(body: readonly Statement[]): Names {
  const known = knownNames.get(body);
  if (known !== undefined) return known;
  const names = {
    bound: new Set<string>(),
    globals: new Set<string>(),
    nonlocals: new Set<string>(),
  };
  for (const statement of body) addStatement(statement, names);
  knownNames.set(body, names);
  return names;
}

type NamesInMaking = { readonly [kind in keyof Names]: Set<string> };

function addStatement(statement: Statement, names: NamesInMaking): void {
  const { bound } = names;
  switch (statement.kind) {
    case "assign":
      for (const target of statement.targets) addTarget(target, bound);
      break;
    case "update":
    case "annotation":
    case "for":
      addTarget(statement.target, bound);
      break;
    case "delete":
      for (const target of statement.targets) addTarget(target, bound);
      break;
    case "with":
      for (const { target } of statement.items) if (target !== undefined) addTarget(target, bound);
      break;
    case "import":
      for (const { name, as } of statement.names) bound.add(as ?? name.split(".")[0] ?? name);
      break;
    case "from-import":
      for (const { name, as } of statement.names) bound.add(as ?? name);
      break;
    case "function":
    case "class":
      bound.add(statement.definition.name);
      break;
    case "global":
      for (const name of statement.names) names.globals.add(name);
      break;
    case "nonlocal":
      for (const name of statement.names) names.nonlocals.add(name);
      break;
    case "try":
      for (const { name } of statement.handlers) if (name !== undefined) bound.add(name);
      break;
    case "match":
      for (const { pattern } of statement.cases) addPattern(pattern, bound);
      break;
    case "malformed":
      for (const name of statement.names) bound.add(name);
      break;
  }
  for (const expression of expressionsOf(statement)) addWalrus(expression, bound);
  for (const block of blocksOf(statement)) for (const inner of block) addStatement(inner, names);
}

function addTarget(target: Expression, bound: Set<string>): void {
  if (target.kind === "name") bound.add(target.name);
  else if (target.kind === "starred") addTarget(target.value, bound);
  else if (target.kind === "tuple" || target.kind === "list") {
    for (const item of target.items) addTarget(item, bound);
  }
}

/** Adds names bound by `:=`, which binds in the enclosing function even inside a comprehension. */
function addWalrus(expression: Expression, bound: Set<string>): void {
  if (expression.kind === "walrus") bound.add(expression.name);
  for (const child of childrenOf(expression)) addWalrus(child, bound);
}

function addPattern(pattern: Pattern, bound: Set<string>): void {
  switch (pattern.kind) {
    case "capture":
    case "star":
      if (pattern.name !== "_") bound.add(pattern.name);
      return;
    case "as":
      bound.add(pattern.name);
      addPattern(pattern.pattern, bound);
      return;
    case "or":
    case "sequence":
      for (const inner of pattern.patterns) addPattern(inner, bound);
      return;
    case "mapping":
      if (pattern.rest !== undefined) bound.add(pattern.rest);
      for (const entry of pattern.entries) addPattern(entry.pattern, bound);
      return;
    case "class":
      for (const inner of pattern.patterns) addPattern(inner, bound);
      for (const { pattern: inner } of pattern.named) addPattern(inner, bound);
      return;
  }
}

/** Run-time names of a block. `parent` is the environment of the enclosing scope. */
export interface Environment {
  readonly slots: (Value | undefined)[];
  readonly parent: Environment | undefined;
  /** Names of a class body, which are looked up by text. */
  readonly names: Map<string, Value> | undefined;
  /** Class made by a class body, for `super()` in its methods. */
  owner: ClassValue | undefined;
  /** Value of an executed `return` statement. */
  returned: Value | undefined;
}

export function createEnvironment(
  parent: Environment | undefined,
  slots: (Value | undefined)[] = [],
  names?: Map<string, Value>,
): Environment {
  return { slots, parent, names, owner: undefined, returned: undefined };
}

/** Evaluates an expression in an environment. */
export type Evaluate = (environment: Environment) => Value;

/** Stores a value at a target. */
export type Store = (environment: Environment, value: Value) => void;

/** Completion of a statement: continue with the next one, or leave a loop or the function. */
export const completion = { next: 0, break: 1, continue: 2, return: 3 } as const;
export type Completion = (typeof completion)[keyof typeof completion];

/** Runs a statement in an environment. */
export type Execute = (environment: Environment) => Completion;

/** The environment `hops` scopes further out. */
export function outward(environment: Environment, hops: number): Environment {
  let found = environment;
  for (let hop = 0; hop < hops; hop += 1) found = found.parent ?? found;
  return found;
}
