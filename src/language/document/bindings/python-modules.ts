import { fieldOf } from "#core/records";
import type { ClassValue, Context, ModuleValue, Value } from "#language/python";
import { isOfNumbers, numberArrayCall } from "./number-arrays.ts";
import type { OpaqueOperators } from "./opaque-operators.ts";
import { randomModule } from "./seeded-random.ts";
import type { TorchBindings } from "./torch.ts";
import { bindArguments, hostFunction, namespace, none, numberOf, text } from "./values.ts";

/** Modules of Python and of its usual packages that a model file imports and a graph ignores. */
const quiet: ReadonlySet<string> = new Set(
  [
    "abc argparse collections collections.abc contextlib copy enum functools inspect itertools json",
    "logging os os.path pathlib re sys time types typing typing_extensions warnings numpy",
    "flash_attn apex triton tqdm pytest",
  ].flatMap((line) => line.split(" ")),
);

/** A module that needs no warning: its names are assumed, except a few that models are made of. */
export function pythonModule(
  name: string,
  opaque: OpaqueOperators,
  torch: TorchBindings,
): ModuleValue | undefined {
  if (name === "dataclasses")
    return namespace(name, (attribute) => dataclassWord(attribute, opaque));
  if (name === "numpy") return namespace(name, (attribute) => numpyName(attribute, opaque, torch));
  if (name === "random") return randomModule(opaque);
  if (name === "inspect")
    return namespace(name, (attribute) => inspection(attribute) ?? opaque.assumed(attribute));
  if (name === "packaging")
    return namespace(name, (attribute) =>
      attribute === "version" ? torch.module("packaging.version") : opaque.assumed(attribute),
    );
  if (!quiet.has(name)) return undefined;
  return namespace(name, (attribute) => opaque.assumed(attribute));
}

/** `inspect.isfunction` and its like: of which kinds of values they hold. */
const inspections: Readonly<Record<string, readonly Value["kind"][]>> = {
  isfunction: ["function"],
  ismethod: ["method"],
  isroutine: ["function", "method", "host-function"],
  isbuiltin: ["host-function"],
  isclass: ["class"],
  ismodule: ["module"],
  isgenerator: ["generator"],
};

function inspection(name: string): Value | undefined {
  const kinds = Object.hasOwn(inspections, name) ? fieldOf(inspections, name) : undefined;
  if (kinds === undefined) return undefined;
  return hostFunction(name, ([given]) => ({
    kind: "bool",
    value: given !== undefined && kinds.includes(given.value.kind),
  }));
}

/** `np.ones((2, 3))` and its like make inputs as torch's do. */
function numpyName(name: string, opaque: OpaqueOperators, torch: TorchBindings): Value {
  if (name === "random") {
    return namespace("numpy.random", (each) => numpyName(`random.${each}`, opaque, torch));
  }
  if (name === "newaxis") return none;
  const constant = Object.hasOwn(numpyConstants, name) ? numpyConstants[name] : undefined;
  if (constant !== undefined) return { kind: "float", value: constant };
  const formula = Object.hasOwn(numpyFormulas, name) ? numpyFormulas[name] : undefined;
  const last = name.split(".").at(-1) ?? name;
  const word = torch.creator(`numpy.${name}`) ?? torch.creator(last);
  const program = word ?? numpyFunction(name, opaque, torch);
  const otherwise = isOfNumbers(name) ? inPolicy(name, program, opaque) : program;
  if (formula === undefined) return otherwise;
  return hostFunction(name, (args, context, span) => {
    const number = numberOf(args[0]?.value);
    if (args.length !== 1 || number === undefined) return context.call(otherwise, args, span);
    return { kind: "float", value: formula(number) };
  });
}

/** The same function, which counts with whole numbers where a policy calls it. */
function inPolicy(name: string, program: Value, opaque: OpaqueOperators): Value {
  return hostFunction(name, (args, context, span) => {
    const counted = opaque.isInPolicy ? numberArrayCall(name, args) : undefined;
    return counted ?? context.call(program, args, span);
  });
}

/** A function of numpy that one of torch stands for where it is given arrays. */
function numpyFunction(name: string, opaque: OpaqueOperators, torch: TorchBindings): Value {
  const assumed = opaque.assumed(`numpy.${name}`);
  const asTorch = fieldOf(numpyAsTorch, name);
  if (asTorch === undefined) return assumed;
  return hostFunction(name, (args, context, span) => {
    const isOfArrays = args.some(({ value }) => torch.isOfTensors(value));
    const callee = isOfArrays ? torch.module("torch")?.attribute(asTorch, context, span) : assumed;
    const usual = name === "meshgrid" && !args.some((each) => each.name === "indexing");
    const given = usual ? [...args, { name: "indexing", value: text("xy"), span }] : args;
    return context.call(callee ?? assumed, given, span);
  });
}

/** Functions of numpy by those of torch that compute the same. */
const numpyAsTorch: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["einsum", "stack", "meshgrid", "outer", "matmul", "dot", "where", "tile", "sin", "cos"].map(
      (name) => [name, name],
    ),
  ),
  ...Object.fromEntries(
    ["exp", "log", "sqrt", "abs", "sum", "mean", "tanh", "cumsum", "clip", "split"].map((name) => [
      name,
      name,
    ]),
  ),
  ...{ concatenate: "cat", power: "pow", expand_dims: "unsqueeze", hstack: "hstack" },
  ...{ vstack: "vstack", reshape: "reshape", square: "square", triu: "triu", tril: "tril" },
};

const numpyConstants: Readonly<Record<string, number>> = {
  ...{ pi: Math.PI, e: Math.E, inf: Number.POSITIVE_INFINITY, nan: Number.NaN },
};

/** Functions of numpy of one number. */
const numpyFormulas: Readonly<Record<string, (x: number) => number>> = {
  ...{ log: Math.log, log2: Math.log2, log10: Math.log10, exp: Math.exp, sqrt: Math.sqrt },
  ...{ sin: Math.sin, cos: Math.cos, abs: Math.abs, floor: Math.floor, ceil: Math.ceil },
};

function dataclassWord(name: string, opaque: OpaqueOperators): Value {
  if (name === "field") {
    return hostFunction(name, (args, context, span) => {
      const { bound } = bindArguments(["default", "default_factory"], args);
      const factory = bound.get("default_factory")?.value;
      if (factory !== undefined) return context.call(factory, [], span);
      return bound.get("default")?.value ?? none;
    });
  }
  if (name !== "dataclass") return opaque.assumed(name);
  return hostFunction(name, ([target], context) => {
    if (target?.value.kind === "class") return withFields(target.value, context);
    return hostFunction(name, ([inner], innerContext) =>
      inner?.value.kind === "class" ? withFields(inner.value, innerContext) : none,
    );
  });
}

/** Gives a class the `__init__` that its annotated fields ask for. */
function withFields(type: ClassValue, context: Context): Value {
  const names = type.mro.toReversed().flatMap((each) => fieldsOf(each, context.source));
  const init = hostFunction("__init__", ([self, ...args], inner, span) => {
    const { bound, extra } = bindArguments(names, args);
    const [surplus] = extra;
    if (surplus !== undefined) {
      const what =
        surplus.name === undefined
          ? "too many positional arguments"
          : `an unexpected keyword argument '${surplus.name}'`;
      return inner.raise("TypeError", `${type.name}.__init__() got ${what}`, surplus.span);
    }
    for (const name of names) {
      const given = bound.get(name)?.value ?? lookUp(type, name);
      if (given === undefined) {
        const message = `${type.name}.__init__() missing 1 required positional argument: '${name}'`;
        return inner.raise("TypeError", message, span);
      }
      if (self !== undefined) inner.setAttribute(self.value, name, given, span);
    }
    return none;
  });
  type.attributes.set("__init__", init);
  return type;
}

function lookUp(type: ClassValue, name: string): Value | undefined {
  return type.mro
    .map(({ attributes }) => attributes.get(name))
    .find((value) => value !== undefined);
}

/** The names that a class body annotates, `hidden: int = 8`. */
function fieldsOf({ span }: ClassValue, source: string): readonly string[] {
  if (span === undefined) return [];
  const body = source.slice(span.from, span.to);
  return [...body.matchAll(/^[ \t]+([A-Za-z_]\w*)[ \t]*:(?!:)/gm)].flatMap(([, name]) =>
    name === undefined || name === "else" || name === "try" ? [] : [name],
  );
}
