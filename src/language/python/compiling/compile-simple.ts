import type { Span } from "#core/diagnostics";
import type { Expression, Statement } from "../reading/syntax.ts";
import { getAttribute } from "../values/attributes.ts";
import { update } from "../values/operators.ts";
import { instantiateException } from "../values/raise.ts";
import type { Runtime } from "../values/runtime.ts";
import { deleteAttribute, setAttribute } from "../values/set-attribute.ts";
import { deleteItem, setItem } from "../values/set-item.ts";
import { Raised } from "../values/signals.ts";
import { getItem } from "../values/subscript.ts";
import type { Value } from "../values/value.ts";
import { spanTreeOf } from "./compile-call.ts";
import { compileName, compileNameDelete } from "./compile-name.ts";
import { compileRebinding, compileTarget } from "./compile-target.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment, Scope } from "./scope.ts";

type Action = (environment: Environment) => void;
type Of<Kind> = Extract<Statement, { kind: Kind }>;

/** Reports to the host the value that a statement of the text bound, returned or evaluated to. */
export function telling(rt: Runtime, span: Span): (value: Value) => void {
  if (rt.host.onValue === undefined || span.from < 0) return () => undefined;
  return (value) => rt.host.onValue?.(value, span);
}

/** `a = b = value`. */
export function compileAssign(compiler: Compiler, scope: Scope, statement: Of<"assign">): Action {
  const value = compiler.expression(scope, statement.value);
  const tree = spanTreeOf(statement.value);
  const stores = statement.targets.map((target) => compileTarget(compiler, scope, target, tree));
  const tell = telling(compiler.rt, statement.span);
  return (environment) => {
    const result = value(environment);
    for (const store of stores) store(environment, result);
    tell(result);
  };
}

/** `x: T = value`; the annotation is not evaluated. */
export function compileAnnotation(
  compiler: Compiler,
  scope: Scope,
  statement: Of<"annotation">,
): Action {
  const { target, value } = statement;
  const annotated = target.kind === "name" && scope.kind === "class" ? target.name : undefined;
  const note: Action = (environment) => {
    if (annotated !== undefined) noteAnnotation(environment, annotated);
  };
  if (value === undefined) return note;
  const assign = compileAssign(compiler, scope, {
    kind: "assign",
    targets: [target],
    value,
    span: statement.span,
  });
  return (environment) => {
    assign(environment);
    note(environment);
  };
}

/** Notes the annotated names of a class body, in order, for `dataclass` and similar decorators. */
function noteAnnotation({ names }: Environment, name: string): void {
  const known = names?.get("__annotations__");
  const entries = known?.kind === "dict" ? known.entries : new Map();
  entries.set(name, { key: { kind: "str", value: name }, value: { kind: "none" } });
  names?.set("__annotations__", { kind: "dict", entries });
}

/** `target op= value`; parts of the target are evaluated once. */
export function compileUpdate(compiler: Compiler, scope: Scope, statement: Of<"update">): Action {
  const { rt } = compiler;
  const { target, operator, span } = statement;
  const value = compiler.expression(scope, statement.value);
  const tell = telling(rt, span);
  if (target.kind === "name") {
    const read = compileName(compiler, scope, target.name, target.span);
    const store = compileTarget(compiler, scope, target);
    return (environment) => {
      const result = update(rt, operator, read(environment), value(environment), span);
      store(environment, result);
      tell(result);
    };
  }
  if (target.kind === "attribute") {
    const object = compiler.expression(scope, target.object);
    const { name } = target;
    return (environment) => {
      const self = object(environment);
      const before = getAttribute(rt, self, name, target.span);
      const result = update(rt, operator, before, value(environment), span);
      setAttribute(rt, self, name, result, target.span);
      tell(result);
    };
  }
  if (target.kind !== "subscript") throw new Error("the target was checked when it was read");
  const object = compiler.expression(scope, target.object);
  const index = compiler.expression(scope, target.index);
  const rebind = compileRebinding(compiler, scope, target.object);
  return (environment) => {
    const container = object(environment);
    const key = index(environment);
    const whole = container.kind === "host" ? container : undefined;
    const changed = whole?.type.updateItem && value(environment);
    if (changed && whole?.type.updateItem?.(whole, key, [operator, changed], rt.context, span))
      return;
    const before = getItem(rt, container, key, target.span);
    const result = update(rt, operator, before, changed ?? value(environment), span);
    rebind(environment, setItem(rt, container, key, result, target.span));
    tell(result);
  };
}

/** `del targets`. */
export function compileDelete(
  compiler: Compiler,
  scope: Scope,
  targets: readonly Expression[],
): Action {
  const actions = targets.map((target) => compileDeleteOne(compiler, scope, target));
  return (environment) => {
    for (const action of actions) action(environment);
  };
}

function compileDeleteOne(compiler: Compiler, scope: Scope, target: Expression): Action {
  const { rt } = compiler;
  const { span } = target;
  switch (target.kind) {
    case "name":
      return compileNameDelete(compiler, scope, target.name, span);
    case "attribute": {
      const object = compiler.expression(scope, target.object);
      return (environment) => deleteAttribute(rt, object(environment), target.name, span);
    }
    case "subscript": {
      const object = compiler.expression(scope, target.object);
      const index = compiler.expression(scope, target.index);
      return (environment) => {
        const container = object(environment);
        deleteItem(rt, container, index(environment), span);
      };
    }
    case "tuple":
    case "list":
      return compileDelete(compiler, scope, target.items);
    default:
      throw new Error("the target was checked when it was read");
  }
}

/** `raise`, `raise value`, `raise value from cause`. */
export function compileRaise(compiler: Compiler, scope: Scope, statement: Of<"raise">): Action {
  const { rt } = compiler;
  const { span } = statement;
  if (statement.value === undefined) {
    return () => {
      const current = rt.handled.at(-1);
      if (current !== undefined) throw current;
      rt.fail("RuntimeError", "No active exception to reraise", span);
    };
  }
  const value = compiler.expression(scope, statement.value);
  const cause =
    statement.cause === undefined ? undefined : compiler.expression(scope, statement.cause);
  return (environment) => {
    const exception = instantiateException(rt, value(environment), undefined, span);
    const from = cause?.(environment);
    if (from !== undefined) exception.attributes.set("__cause__", from);
    throw ofText(new Raised(exception, span));
  };
}

function ofText(raised: Raised): Raised {
  raised.isOfText = true;
  return raised;
}
