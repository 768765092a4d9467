import type { Span } from "#core/diagnostics";
import type { Argument, Context, HostFunction, InstanceValue, Value } from "#language/python";
import { liveChildren } from "./live-children.ts";
import { loadState } from "./load-state.ts";
import type { ModuleHooks } from "./module-hooks.ts";
import { childrenOf, type Held, modulesIn, ownTensors, tensorsIn } from "./module-tree.ts";
import { type TypeParts, typeMethods } from "./module-types.ts";
import { checkRegistering, type Registering } from "./registering-checks.ts";
import { backwardHook } from "./values/backward-hook.ts";
import { bindArguments, hostFunction, none, text, textOf } from "./values/values.ts";

type Call = HostFunction["call"];

/** Callbacks behind the methods of modules. */
export interface ModuleApiParts extends TypeParts {
  /**
   * Registers a tensor as a buffer (state that is no parameter), and whether it is saved with the
   * module.
   */
  readonly noteBuffer: (instance: InstanceValue, name: string, isSaved: boolean) => void;
  /** Whether a buffer is saved with its module. */
  readonly isSaved: (instance: InstanceValue, name: string) => boolean;
  /** Sets whether a parameter is trained. */
  readonly setTrained: (parameter: Value, isTrained: boolean) => void;
  /** Whether the text has set a parameter's `requires_grad` to false. */
  readonly isOff: (parameter: Value) => boolean;
  /** Hooks that the text registers on modules. */
  readonly hooks: ModuleHooks;
  /** A copy with weights of its own. */
  readonly copy: (instance: InstanceValue, context: Context, span: Span) => Value;
}

/** Methods that return the module itself and change nothing that a graph shows. */
const same = [
  ...["cuda", "cpu"],
  ...["compile", "init_parameters_data", "share_memory", "to_empty", "zero_grad"],
];

/**
 * Methods that return `None` and change nothing that a graph shows: hooks on state dicts, and
 * settings of gradient synchronization and prefetch.
 */
const silent = [
  ...["unshard", "reshard", "set_requires_gradient_sync", "set_requires_all_reduce"],
  ...["set_reshard_after_backward", "set_unshard_in_backward", "set_is_last_backward"],
  ...["set_modules_to_forward_prefetch", "set_modules_to_backward_prefetch", "set_all_reduce_hook"],
  ...["set_gradient_divide_factor", "set_reduce_scatter_divide_factor"],
  "register_state_dict_pre_hook",
  "_register_load_state_dict_pre_hook",
  ...["register_load_state_dict_post_hook", "set_extra_state"],
];

/** Methods that register hooks on the backward pass. */
const backward = [
  ...["register_backward_hook", "register_full_backward_hook"],
  "register_full_backward_pre_hook",
];

/** The methods and attributes of modules, except `__call__`. */
export function moduleApi(
  parts: ModuleApiParts,
): Readonly<Record<string, Call | Exclude<Value, { kind: "unknown" }>>> {
  return {
    ...Object.fromEntries(same.map((name) => [name, itself])),
    ...typeMethods(parts),
    ...Object.fromEntries(silent.map((name) => [name, () => none])),
    ...Object.fromEntries(
      backward.map((name): [string, Call] => [name, (_, ...at) => backwardHook(name, ...at)]),
    ),
    training: { kind: "bool", value: true },
    train: switching(parts, true),
    set_train: switching(parts, true),
    eval: switching(parts, false),
    requires_grad_: on(parts, (module, [given]) => {
      const isTrained = !(given?.value.kind === "bool" && !given.value.value);
      for (const { value } of tensorsIn(parts, module, "parameter"))
        parts.setTrained(value, isTrained);
      return module;
    }),
    apply: ([self, callee], context, span) => applied(parts, self, callee, context, span),
    ...listing(parts),
    ...registering(parts),
    register_forward_hook: hooking(parts, "after"),
    register_forward_pre_hook: hooking(parts, "before"),
    _modules: {
      kind: "property",
      get: hostFunction(
        "_modules",
        on(parts, (module, _args, context, span) =>
          liveChildren(module, childrenOf(parts, module), context, span),
        ),
      ),
    },
    load_state_dict: on(parts, (...call) => loadState(parts.tensorOf, ...call)),
    __deepcopy__: on(parts, (module, _, context, span) => parts.copy(module, context, span)),
    extra_repr: () => text(""),
  };
}

const itself: Call = ([self]) => self?.value ?? none;

/** A method that runs only on a module; on any other receiver it returns `None`. */
function on(
  parts: ModuleApiParts,
  run: (module: InstanceValue, args: readonly Argument[], context: Context, span: Span) => Value,
): Call {
  return ([self, ...args], context, span) =>
    parts.isModule(self?.value) ? run(self.value, args, context, span) : none;
}

function hooking(parts: ModuleApiParts, when: "before" | "after"): Call {
  return on(parts, (module, args) => {
    const { bound } = bindArguments(["hook"], args);
    const isSaid = (word: string) => {
      const value = args.find(({ name }) => name === word)?.value;
      return value?.kind === "bool" && value.value;
    };
    const takesKeywords = isSaid("with_kwargs");
    const callee = bound.get("hook")?.value;
    return callee === undefined
      ? none
      : parts.hooks.register(module, { when, callee, takesKeywords }, isSaid("prepend"));
  });
}

/**
 * `train()`, `train(False)` and `eval()`: set the mode of a module and of all modules inside it.
 */
function switching(parts: ModuleApiParts, otherwise: boolean): Call {
  return on(parts, (module, [mode]) => {
    const training = mode?.value.kind === "bool" ? mode.value.value : otherwise;
    for (const each of modulesIn(parts, module)) {
      each.module.attributes.set("training", { kind: "bool", value: training });
    }
    return module;
  });
}

/** Calls a function on the module and every module inside it, inner modules first. */
function applied(
  parts: ModuleApiParts,
  self: Argument | undefined,
  callee: Argument | undefined,
  context: Context,
  span: Span,
): Value {
  if (!parts.isModule(self?.value) || callee === undefined) return none;
  const walk = (module: InstanceValue): void => {
    for (const child of childrenOf(parts, module)) walk(child.module);
    context.call(callee.value, [{ value: module, span }], span);
  };
  walk(self.value);
  return self.value;
}

function list(items: readonly Value[]): Value {
  return { kind: "list", items: [...items] };
}

/** A Python generator over items, consumed once. */
function each(items: readonly Value[]): Value {
  let next = 0;
  return { kind: "iterator", name: "generator", advance: () => items[next++] };
}

function pair(path: string, value: Value): Value {
  return { kind: "tuple", items: [text(path), value] };
}

/** Methods that list the parameters, buffers and modules of a module. */
function listing(parts: ModuleApiParts): Readonly<Record<string, Call>> {
  const listed = (
    find: (module: InstanceValue, args: readonly Argument[]) => readonly Held[],
  ): readonly [Call, Call] => [
    on(parts, (module, args) => each(find(module, args).map(({ value }) => value))),
    on(parts, (module, args) =>
      each(find(module, args).map(({ path, value }) => pair(path, value))),
    ),
  ];
  const tensors = (kind: "parameter" | "buffer", names: readonly string[]) =>
    listed((module, args) => asked(parts, module, kind, bindArguments(names, args).bound));
  const [parameters] = tensors("parameter", ["recurse"]);
  const [, namedParameters] = tensors("parameter", ["prefix", "recurse"]);
  const [buffers] = tensors("buffer", ["recurse"]);
  const [, namedBuffers] = tensors("buffer", ["prefix", "recurse"]);
  const trainable = on(parts, (module) => {
    const all = tensorsIn(parts, module, "parameter").map(({ value }) => value);
    return list(all.filter((value) => !parts.isOff(value)));
  });
  const asHeld = (all: ReturnType<typeof modulesIn>) =>
    all.map(({ path, module }): Held => ({ path, value: module }));
  const [modules, namedModules] = listed((module) => asHeld(modulesIn(parts, module)));
  const [children, namedChildren] = listed((module) => asHeld(childrenOf(parts, module)));
  return {
    ...{ parameters, buffers, modules, children, trainable_params: trainable },
    named_parameters: namedParameters,
    named_buffers: namedBuffers,
    named_modules: namedModules,
    named_children: namedChildren,
    state_dict: (args, context, span) => stateOf(parts, args, context, span),
    get_submodule: on(parts, (module, [path], context, span) =>
      reached(module, textOf(path?.value), context, span),
    ),
    get_parameter: on(parts, (module, [path], context, span) =>
      reached(module, textOf(path?.value), context, span),
    ),
  };
}

/**
 * The parameters or buffers of a module with their paths; those of the module alone if
 * `recurse=False`.
 */
function asked(
  parts: ModuleApiParts,
  module: InstanceValue,
  kind: "parameter" | "buffer",
  bound: ReadonlyMap<string, Argument>,
): readonly Held[] {
  const recurse = bound.get("recurse")?.value;
  const prefix = textOf(bound.get("prefix")?.value) ?? "";
  const found =
    recurse?.kind === "bool" && !recurse.value
      ? ownTensors(parts, module, kind).map(([path, value]) => ({ path, value }))
      : tensorsIn(parts, module, kind);
  return prefix === "" ? found : found.map((each) => ({ ...each, path: `${prefix}.${each.path}` }));
}

/**
 * Parameters and saved buffers of a module and of the modules inside it, by path. A shared tensor
 * is listed under each of its names.
 */
function savedIn(
  parts: ModuleApiParts,
  module: InstanceValue,
  path: string,
  above: readonly InstanceValue[],
): readonly Held[] {
  if (above.includes(module)) return [];
  const named = (name: string) => (path === "" ? name : `${path}.${name}`);
  const own = [
    ...ownTensors(parts, module, "parameter"),
    ...ownTensors(parts, module, "buffer").filter(([name]) => parts.isSaved(module, name)),
  ];
  const inside = childrenOf(parts, module).flatMap((child) =>
    savedIn(parts, child.module, named(child.path), [...above, module]),
  );
  return [...own.map(([name, value]) => ({ path: named(name), value })), ...inside];
}

/** `state_dict()`: parameters and saved buffers by path. */
function stateOf(
  parts: ModuleApiParts,
  [self]: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  if (!parts.isModule(self?.value)) return none;
  const held = savedIn(parts, self.value, "", []);
  const made: Value = { kind: "dict", entries: new Map() };
  const set = context.getAttribute(made, "__setitem__", span);
  for (const { path, value } of held) {
    context.call(
      set,
      [text(path), value].map((each) => ({ value: each, span })),
      span,
    );
  }
  return made;
}

/** `get_submodule("layers.0.fc")`. */
function reached(
  module: InstanceValue,
  path: string | undefined,
  context: Context,
  span: Span,
): Value {
  const steps = (path ?? "").split(".").filter(Boolean);
  return steps.reduce<Value>(
    (at, step) =>
      /^\d+$/.test(step)
        ? context.call(
            context.getAttribute(at, "__getitem__", span),
            [{ value: { kind: "int", value: BigInt(step) }, span }],
            span,
          )
        : context.getAttribute(at, step, span),
    module,
  );
}

/** Methods that register modules, parameters and buffers on a module. */
function registering(parts: ModuleApiParts): Readonly<Record<string, Call>> {
  const setting = (kind: Registering["kind"]) =>
    on(parts, (module, args, context, span) => {
      const { bound } = bindArguments(["name", "value"], args);
      const given = bound.get("name")?.value;
      const name = textOf(given);
      const value = args.find((each) => each !== bound.get("name"))?.value;
      checkRegistering(parts, { kind, module, name: given, value }, context, span);
      if (name !== undefined) context.setAttribute(module, name, value ?? none, span);
      return none;
    });
  return {
    add_module: setting("module"),
    register_module: setting("module"),
    register_parameter: setting("parameter"),
    register_buffer: on(parts, (module, args, context, span) => {
      const { bound } = bindArguments(["name", "tensor", "persistent"], args);
      const given = bound.get("name")?.value;
      const name = textOf(given);
      const value = bound.get("tensor")?.value;
      checkRegistering(parts, { kind: "buffer", module, name: given, value }, context, span);
      if (name === undefined) return none;
      const persistent = bound.get("persistent")?.value;
      parts.noteBuffer(module, name, !(persistent?.kind === "bool" && !persistent.value));
      context.setAttribute(module, name, value ?? none, span);
      return none;
    }),
  };
}
