import type { Span } from "#core/diagnostics";
import { findAttribute } from "./attributes.ts";
import { compileQuietStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment } from "./environment.ts";
import { builtinModule } from "./modules.ts";
import type { Runtime } from "./runtime.ts";
import type { Scope } from "./scope.ts";
import type { ImportedName, Statement } from "./syntax.ts";
import type { Value } from "./value.ts";

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
  const { rt } = compiler;
  const [root = name] = name.split(".");
  const store = compileQuietStore(compiler, scope, as ?? root);
  return (environment) => {
    const module = importModule(rt, name, span);
    if (as !== undefined || root === name) return store(environment, module);
    store(environment, findModule(rt, root, span) ?? packageOf(rt, root, name, module));
  };
}

/** A package of which only one module inside is known. */
function packageOf(rt: Runtime, root: string, path: string, module: Value): Value {
  const [, next = ""] = path.slice(root.length).split(".");
  const inner = `${root}.${next}`;
  return {
    kind: "module",
    name: root,
    attribute: (name) => {
      if (name !== next) return undefined;
      return inner === path ? module : packageOf(rt, inner, path, module);
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
    if (name === "*") return () => importAll(rt, importModule(rt, path, moduleSpan), span);
    const store = compileQuietStore(compiler, scope, as ?? name);
    return (environment) => {
      // A host may know the module inside without knowing the package around it.
      const inside = findModule(rt, path, moduleSpan);
      const own = inside === undefined ? undefined : findAttribute(rt, inside, name, span);
      const found = own ?? findModule(rt, `${path}.${name}`, span);
      store(
        environment,
        found ?? missing(rt, path, name, inside !== undefined, { span, moduleSpan }),
      );
    };
  });
}

function missing(
  rt: Runtime,
  path: string,
  name: string,
  isKnown: boolean,
  { span, moduleSpan }: { readonly span: Span; readonly moduleSpan: Span },
): never {
  if (!isKnown) importModule(rt, path, moduleSpan);
  return rt.fail("ImportError", `cannot import name '${name}' from '${path}'`, span);
}

function importAll(rt: Runtime, module: Value, span: Span): void {
  if (module.kind !== "module") return;
  for (const name of module.names ?? []) {
    const value = module.attribute(name, rt.context, span);
    if (value !== undefined && !name.startsWith("_")) rt.globals.set(name, value);
  }
}

function findModule(rt: Runtime, name: string, span: Span): Value | undefined {
  return builtinModule(rt, name) ?? rt.host.importModule?.(name, span, rt.context);
}

function importModule(rt: Runtime, name: string, span: Span): Value {
  const found = findModule(rt, name, span);
  if (found !== undefined) return found;
  if (name.startsWith(".")) {
    const message = "attempted relative import with no known parent package";
    rt.fail("ImportError", message, span);
  }
  return rt.fail("ModuleNotFoundError", `No module named '${name}'`, span);
}
