import type { Span } from "#core/diagnostics";
import type { ModuleClasses } from "#language/document/bindings";
import { bindArguments, hostFunction, itemsOf, textOf } from "#language/document/bindings/values";
import type {
  Argument,
  Context,
  HostFunction,
  InstanceValue,
  SpanTree,
  Value,
} from "#language/python";
import { asOneDim } from "./device-mesh.ts";
import { type MeshParts, meshIn } from "./mesh-words.ts";
import type { PlacementClasses } from "./placements.ts";
import type { MeshDims } from "./record.ts";
import { sayNotRead, sayUnread } from "./said.ts";
import type { StyleClasses } from "./styles.ts";

/** What `parallelize_module` needs to apply styles. */
export interface StyleParts extends MeshParts {
  readonly modules: ModuleClasses;
  readonly styles: StyleClasses;
  readonly placements: PlacementClasses;
}

/** An entry of a plan: a style and its module path. */
interface Planned {
  readonly path: string;
  readonly style: Value;
  readonly span: Span;
  readonly entry?: SpanTree;
}

/** `parallelize_module(module, mesh, plan)`: a dict of styles by path, or one style. */
export function parallelizeModule(parts: StyleParts): HostFunction {
  return hostFunction("parallelize_module", (args, context, span) => {
    const names = ["module", "device_mesh", "parallelize_plan", "src_data_rank"];
    const { bound, extra } = bindArguments(names, args);
    sayUnread(parts.record, "parallelize_module", extra, context);
    const [module, plan] = [bound.get("module"), bound.get("parallelize_plan")];
    if (module === undefined || !parts.modules.isModule(module.value)) {
      const then = "what it is given is no module of the text";
      sayNotRead(parts.record, "parallelize_module", then, context, span);
      return module?.value ?? { kind: "none" };
    }
    const mesh = meshIn(parts, bound.get("device_mesh"), "parallelize_module", context);
    if (plan === undefined || mesh === undefined) return module.value;
    if (mesh.dims.length > 1)
      return context.raise(
        "ValueError",
        `parallelize_module() takes one dim of a mesh, not ${mesh.dims.length}`,
        bound.get("device_mesh")?.span ?? span,
      );
    const own = { mesh: asOneDim(mesh), listed: modulesIn(module.value, context, span) };
    const root = { module: module.value, ...own };
    for (const each of entriesOf(plan)) apply(parts, root, each, context);
    const paths = new Map(own.listed.map((each) => [each.module, each.name]));
    if (plan.tree?.kind === "dict")
      parts.record.plans.push({ tree: plan.tree, mesh: own.mesh, paths });
    return module.value;
  });
}

/** The styles of a plan: those of a dict by their paths, or one for the module itself. */
function entriesOf({ value, tree, span }: Argument): readonly Planned[] {
  if (value.kind !== "dict") return [{ path: "", style: value, span }];
  return [...value.entries.values()].map((entry, at): Planned => {
    const own = tree?.kind === "dict" ? tree.items[at] : undefined;
    const path = textOf(entry.key) ?? "";
    return { path, style: entry.value, span: own?.span ?? span, ...(own && { entry: own }) };
  });
}

interface Named {
  readonly name: string;
  readonly module: InstanceValue;
}

interface Root {
  readonly module: InstanceValue;
  readonly mesh: MeshDims;
  readonly listed: readonly Named[];
}

/** Notes a style of every module that its path fits, as `fnmatch` does, part by part. */
function apply(
  parts: StyleParts,
  { module: root, mesh, listed }: Root,
  { path, style, span, entry }: Planned,
  context: Context,
): void {
  const { record, styles } = parts;
  const read = styles.read(style, parts.placements);
  if (style.kind !== "instance" || read === undefined) {
    const name =
      style.kind === "instance" ? `the style ${style.type.name}` : `the style of "${path}"`;
    sayNotRead(
      record,
      name,
      "the modules that it is for follow what is around them",
      context,
      span,
    );
    return;
  }
  const found = matching(listed, path);
  if (found.length === 0) sayNoModule(root, path, context, entry?.keySpan ?? span);
  for (const { name, module } of found) {
    record.styles.push({
      ...{ module, path: name, mesh, style: read, span: styles.spanOf(style) ?? span },
      ...(entry !== undefined && { entry }),
    });
    if (/^inputs/u.test(read.kind)) watch(parts, module);
  }
}

function sayNoModule(root: InstanceValue, path: string, context: Context, span: Span): void {
  context.report({
    code: "torch/no-such-module",
    severity: "warning",
    message: `no module of ${root.type.name} is called "${path}": PyTorch warns, and nothing is split for it`,
    span,
  });
}

/** A module and those inside it, by their paths. */
function modulesIn(root: InstanceValue, context: Context, span: Span): readonly Named[] {
  const listed = context.call(context.getAttribute(root, "named_modules", span), [], span);
  return context.iterate(listed, span).flatMap((pair) => {
    const [name, module] = itemsOf(pair) ?? [];
    return module?.kind === "instance" ? [{ name: textOf(name) ?? "", module }] : [];
  });
}

/** The modules whose path matches a pattern, part by part. */
function matching(listed: readonly Named[], pattern: string): readonly Named[] {
  const wanted = pattern === "" ? [] : pattern.split(".");
  return listed.filter(({ name }) => {
    const own = name === "" ? [] : name.split(".");
    return (
      own.length === wanted.length && own.every((part, at) => fitsPart(part, wanted[at] ?? ""))
    );
  });
}

/** `*`, `?` and `[…]` of `fnmatch` in one part of a path. */
function fitsPart(part: string, pattern: string): boolean {
  if (part === pattern) return true;
  const escaped = pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\[!/g, "[^");
  const text = escaped.replaceAll("*", ".*").replaceAll("?", ".");
  try {
    return new RegExp(`^${text}$`, "u").test(part);
  } catch {
    return false;
  }
}

/** Notes with what a module is called: its styles speak of the arguments by their places. */
function watch({ record, modules }: StyleParts, module: InstanceValue): void {
  if (record.watched.has(module)) return;
  record.watched.add(module);
  modules.hooks.beforeCalls(module, (args) => {
    record.calls.push({ module, args });
    return args;
  });
}
