import type { Span } from "#core/diagnostics";
import { assumedOf, type ModuleClasses } from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  integer,
  itemsOf,
  numberOf,
} from "#language/document/bindings/values";
import type { Argument, Context, InstanceValue, Value } from "#language/python";

/** A module of so many elements is wrapped where `size_based_auto_wrap_policy` is told no number. */
const usualElements = 100_000_000;

/** The policies of `torch.distributed.fsdp.wrap`: which modules FSDP cuts each for itself. */
export function wrapPolicies(): readonly (readonly [string, Value])[] {
  const policies: Readonly<Record<string, (given: ReadonlyMap<string, Argument>) => boolean>> = {
    transformer_auto_wrap_policy: (given) =>
      isOneOf(given.get("module")?.value, given.get("transformer_layer_cls")?.value),
    size_based_auto_wrap_policy: (given) => {
      const least = numberOf(given.get("min_num_params")?.value) ?? usualElements;
      return (numberOf(given.get("nonwrapped_numel")?.value) ?? 0) >= least;
    },
    always_wrap_policy: () => true,
  };
  const names = ["module", "recurse", "nonwrapped_numel"];
  const made = Object.entries(policies).map(([name, holds]): [string, Value] => [
    name,
    hostFunction(name, (args) => {
      const own = ["transformer_layer_cls", "min_num_params"];
      const { bound } = bindArguments([...names, ...own], args);
      return { kind: "bool", value: isTrue(bound.get("recurse")?.value) || holds(bound) };
    }),
  ]);
  const byFunction = hostFunction("lambda_auto_wrap_policy", (args, context, span) => {
    const { bound } = bindArguments([...names, "lambda_fn"], args);
    const [module, asked] = [bound.get("module"), bound.get("lambda_fn")];
    if (isTrue(bound.get("recurse")?.value) || module === undefined || asked === undefined)
      return { kind: "bool", value: true };
    return context.call(asked.value, [{ value: module.value, span }], span);
  });
  const byClass = hostFunction("ModuleWrapPolicy", ([classes]) =>
    hostFunction("policy", (args) => {
      const { bound } = bindArguments(names, args);
      const isOne = isOneOf(bound.get("module")?.value, classes?.value);
      return { kind: "bool", value: isTrue(bound.get("recurse")?.value) || isOne };
    }),
  );
  return [...made, ["lambda_auto_wrap_policy", byFunction], ["ModuleWrapPolicy", byClass]];
}

function isTrue(value: Value | undefined): boolean {
  return value?.kind === "bool" && value.value;
}

/**
 * Whether a module is an instance of one of the classes. A class that is unknown is compared by its
 * name: `LlamaDecoderLayer` of a published model.
 */
function isOneOf(module: Value | undefined, classes: Value | undefined): boolean {
  const all = classes?.kind === "set" ? [...classes.members.values()] : (itemsOf(classes) ?? []);
  const unknown = new Set(all.map((each) => assumedOf(each)?.name.split(".").at(-1)));
  return (
    module?.kind === "instance" &&
    module.type.mro.some((each) => all.includes(each) || unknown.has(each.name))
  );
}

/**
 * The modules inside another one that a policy wraps, those inside others first.
 *
 * @param elementsOf how many elements the parameters of a module have that no other one has taken
 */
export function wrappedBy(
  policy: Value,
  root: InstanceValue,
  modules: ModuleClasses,
  elementsOf: (module: InstanceValue) => number,
  [context, span]: readonly [Context, Span],
): readonly InstanceValue[] {
  const listed = context.call(context.getAttribute(root, "modules", span), [], span);
  const inside = context.iterate(listed, span).filter((each) => modules.isModule(each));
  return inside.toReversed().flatMap((module) => {
    if (module === root || !modules.isModule(module)) return [];
    const given: readonly (readonly [string, Value])[] = [
      ["module", module],
      ["recurse", { kind: "bool", value: false }],
      ["nonwrapped_numel", integer(elementsOf(module))],
    ];
    const args = given.map(([name, value]) => ({ name, value, span }));
    return isTrue(context.call(policy, args, span)) ? [module] : [];
  });
}
