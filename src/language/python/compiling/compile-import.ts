import type { Span } from "#core/diagnostics";
import { builtinModule } from "../library/modules.ts";
import type { ImportedName, Statement } from "../reading/syntax.ts";
import { findAttribute } from "../values/attributes.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { compileQuietStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment, Scope } from "./scope.ts";

type Action = (environment: Environment) => void;

/** `import a.b as c` and `from a import b as c`. */
export function compileImport(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "import" | "from-import" }>,
): Action {
  const actions =
    statement.kind === "import"
      ? statement.names.map((imported) => compileModule(compiler, scope, imported))
      : compileFrom(compiler, scope, statement);
  return (environment) => {
    for (const action of actions) action(environment);
  };
}

function compileModule(compiler: Compiler, scope: Scope, { name, as, span }: ImportedName): Action {
  const [root = name] = name.split(".");
  const store = compileQuietStore(compiler, scope, as ?? root);
  return (environment) => {
    const module = importModule(compiler, name, span);
    if (as !== undefined || root === name) return store(environment, module);
    store(environment, findModule(compiler, root, span) ?? packageOf(root, name, module));
  };
}

/** Placeholder package of which only one submodule is known. */
function packageOf(root: string, path: string, module: Value): Value {
  const [, next = ""] = path.slice(root.length).split(".");
  const inner = `${root}.${next}`;
  return {
    kind: "module",
    name: root,
    attribute: (name) => {
      if (name !== next) return undefined;
      return inner === path ? module : packageOf(inner, path, module);
    },
  };
}

function compileFrom(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "from-import" }>,
): readonly Action[] {
  const { rt } = compiler;
  const { module: path, moduleSpan } = statement;
  return statement.names.map(({ name, as, span }) => {
    if (name === "*") return () => importAll(rt, importModule(compiler, path, moduleSpan), span);
    const store = compileQuietStore(compiler, scope, as ?? name);
    return (environment) => {
      // A host may know a submodule without knowing its package.
      const inside = findModule(compiler, path, moduleSpan);
      const own = inside === undefined ? undefined : findAttribute(rt, inside, name, span);
      const found = own ?? insideOf(compiler, path, name, span);
      store(
        environment,
        found ?? missing(compiler, path, name, inside !== undefined, { span, moduleSpan }),
      );
    };
  });
}

/** A submodule, or what the host says of a name that Python's own library lacks here. */
function insideOf(compiler: Compiler, path: string, name: string, span: Span): Value | undefined {
  const { rt } = compiler;
  const { host, context } = rt;
  const inner = builtinModule(compiler, `${path}.${name}`);
  if (inner !== undefined || builtinModule(compiler, path) === undefined)
    return inner ?? findModule(compiler, `${path}.${name}`, span);
  const outer = host.importModule?.(path, span, context);
  return outer === undefined ? undefined : findAttribute(rt, outer, name, span);
}

function missing(
  compiler: Compiler,
  path: string,
  name: string,
  isKnown: boolean,
  { span, moduleSpan }: { readonly span: Span; readonly moduleSpan: Span },
): never {
  if (!isKnown) importModule(compiler, path, moduleSpan);
  return compiler.rt.fail("ImportError", `cannot import name '${name}' from '${path}'`, span);
}

function importAll(rt: Runtime, module: Value, span: Span): void {
  if (module.kind !== "module") return;
  for (const name of module.names ?? []) {
    const value = module.attribute(name, rt.context, span);
    if (value !== undefined && !name.startsWith("_")) rt.globals.set(name, value);
  }
}

function findModule(compiler: Compiler, name: string, span: Span): Value | undefined {
  const { host, context } = compiler.rt;
  return builtinModule(compiler, name) ?? host.importModule?.(name, span, context);
}

function importModule(compiler: Compiler, name: string, span: Span): Value {
  const { rt } = compiler;
  const found = findModule(compiler, name, span);
  if (found !== undefined) return found;
  if (name.startsWith(".")) {
    const message = "attempted relative import with no known parent package";
    rt.fail("ImportError", message, span);
  }
  return rt.fail("ModuleNotFoundError", `No module named '${name}'`, span);
}
