// Decorators and wrappers that compute the same as the wrapped function or module.

import type { OpaqueOperators } from "#language/document/bindings";
import { hostFunction } from "#language/document/bindings/values";
import {
  type Argument,
  type ClassValue,
  type HostFunction,
  hostClass,
  type Value,
} from "#language/python";

/** Names by which a wrapper is given what it wraps, where that is not its first argument. */
const targetNames = ["model", "fn", "func", "obj", "mod", "nn_module", "mode", "orig_func"];

/** The function, class or module that a wrapper is given; `undefined` if it gets only settings. */
export function wrappedIn(args: readonly Argument[]): Value | undefined {
  const [first] = args;
  const given =
    first?.name === undefined
      ? first
      : args.find(({ name = "" }) => targetNames.includes(name) && name !== "");
  if (given === undefined) return undefined;
  return canBeWrapped(given.value) ? given.value : undefined;
}

/** Whether a value can be called, or is an object of a class. */
function canBeWrapped(value: Value): boolean {
  switch (value.kind) {
    case "function":
    case "method":
    case "host-function":
    case "staticmethod":
    case "classmethod":
    case "property":
    case "class":
    case "instance":
      return true;
    case "host":
      return value.type.call !== undefined;
    default:
      return false;
  }
}

/** A wrapper of torch by its path, or a function that makes another one of the function it is given. */
export function wrapperWord(opaque: OpaqueOperators, path: string): Value | undefined {
  if (/^torch\.library\.(custom|triton)_op$/.test(path)) return customOperator;
  if (passing.has(path)) {
    const word = passingWord(path.slice(path.lastIndexOf(".") + 1));
    // A traced module has a graph and further attributes, all unknown.
    return hostFunction(word.name, (args, context, span) => {
      opaque.giveTo(args);
      return word.call(args, context, span);
    });
  }
  if (!transforming.has(path)) return undefined;
  return hostFunction(path, () =>
    hostFunction(path, (args, context, span) => {
      return opaque.call(path, args, context, span) ?? opaque.assumed(`${path}()`);
    }),
  );
}

/** A wrapper, bare or with settings: `@ignore`, `@ignore(drop=True)`, `trace(net, x)`. */
function passingWord(name: string): HostFunction {
  return hostFunction(
    name,
    (args) => wrappedIn(args) ?? hostFunction(name, (inner) => wrappedIn(inner) ?? none),
  );
}

/** A mode as a context and as a decorator, bare or called: what is inside stays as it is. */
export function modeWord(name: string): ClassValue {
  const made: ClassValue = hostClass(name, {
    __new__: ([, ...args]) => {
      const inside = wrappedIn(args);
      const isFunction = inside !== undefined && inside.kind !== "instance";
      return isFunction ? inside : { kind: "instance", type: made, attributes: new Map() };
    },
    __init__: () => none,
    __enter__: ([self]) => self?.value ?? none,
    __exit__: () => none,
    __call__: ([, target]) => target?.value ?? none,
  });
  return made;
}

const none: Value = { kind: "none" };

/**
 * `@custom_op("name", mutates_args=())`: the function itself, on which further decorators register
 * what stands for it elsewhere.
 */
const customOperator: Value = hostFunction("custom_op", (args) => {
  const given = args.map(({ value }) => value).find(({ kind }) => kind === "function");
  const decorate = (value: Value | undefined): Value => {
    if (value?.kind !== "function") return value ?? none;
    for (const name of registering) value.attributes.set(name, passingWord(name));
    return value;
  };
  return given === undefined
    ? hostFunction("custom_op", ([inner]) => decorate(inner?.value))
    : decorate(given);
});

const registering = [
  ...["register_fake", "register_kernel", "register_autograd", "register_vmap", "impl_abstract"],
  ...["register_torch_dispatch", "set_kernel_enabled"],
];

/** Wrappers by their paths, beside those of which a function or a module comes back as it is. */
const passing: ReadonlySet<string> = new Set([
  ...["script", "script_method", "script_if_tracing", "trace", "trace_module", "freeze"].map(
    (name) => `torch.jit.${name}`,
  ),
  ...[
    "ignore",
    "unused",
    "export",
    "interface",
    "optimize_for_inference",
    "optimized_execution",
  ].map((name) => `torch.jit.${name}`),
  ...["disable", "allow_in_graph", "assume_constant_result", "compile"].map(
    (name) => `torch.compiler.${name}`,
  ),
  ...["disable", "allow_in_graph", "optimize", "optimize_assert", "run", "disallow_in_graph"].map(
    (name) => `torch._dynamo.${name}`,
  ),
  ...["custom_fwd", "custom_bwd"].flatMap((name) => [
    `torch.amp.${name}`,
    `torch.cuda.amp.${name}`,
  ]),
  "torch.distributed.algorithms._checkpoint.checkpoint_wrapper.checkpoint_wrapper",
  ...["torch.fx.wrap", "torch.fx.symbolic_trace", "torch.autograd.function.once_differentiable"],
  ...["torch.cuda.make_graphed_callables", "torch.jit._overload_method", "torch.jit._overload"],
]);

/** Functions that make another function of one, with other shapes, by their paths. */
const transforming: ReadonlySet<string> = new Set([
  "torch.vmap",
  ...["vmap", "grad", "grad_and_value", "jacrev", "jacfwd", "hessian"].map(
    (name) => `torch.func.${name}`,
  ),
]);
