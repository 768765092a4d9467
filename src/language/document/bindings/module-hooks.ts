import type { Span } from "#core/diagnostics";
import {
  type Argument,
  type Context,
  dictOf,
  type InstanceValue,
  type Replacement,
  type Value,
} from "#language/python";
import { assumedOf } from "./assumed.ts";
import { hostFunction, namespace, none } from "./values/values.ts";

/** What sees the arguments of a module's call first, and may give others in their place. */
type BeforeCall = (args: readonly Argument[], context: Context, span: Span) => readonly Argument[];

/** A function of the text that runs with a module: it may give another input, or another result. */
interface TextHook {
  readonly when: "before" | "after";
  readonly callee: Value;
  readonly takesKeywords: boolean;
}

/** Who is told of what happens to modules. */
export class ModuleHooks {
  /** Told of attributes of modules that are about to get another value. */
  readonly watchers: ((replacement: Replacement, context: Context) => void)[] = [];
  /** Gives what an attribute keeps in place of the value that it is about to get. */
  keeper?: (replacement: Replacement, context: Context) => Value | undefined;
  /** Every run of a module with its arguments, in program order. */
  readonly runs: { readonly module: InstanceValue; readonly args: readonly Argument[] }[] = [];
  private readonly text = new Map<InstanceValue, readonly TextHook[]>();
  private readonly before = new Map<InstanceValue, readonly BeforeCall[]>();

  /** Lets a hook see the arguments of every call of a module from now on. */
  beforeCalls(module: InstanceValue, hook: BeforeCall): void {
    this.before.set(module, [...(this.before.get(module) ?? []), hook]);
  }

  /** The arguments with which a module runs. */
  argumentsOf(
    module: InstanceValue,
    given: readonly Argument[],
    context: Context,
    span: Span,
  ): readonly Argument[] {
    const hooks = this.before.get(module) ?? [];
    const args = hooks.reduce((before, hook) => hook(before, context, span), given);
    return this.ofText(module, "before").reduce((before, hook) => {
      const said = called(hook, module, before, [], context, span);
      if (said === undefined) return before;
      if (hook.takesKeywords) return bothOf(said, context, span);
      const items = said.kind === "tuple" ? said.items : [said];
      const keywords = before.filter(({ name }) => name !== undefined);
      return [...items.map((value) => ({ value, span })), ...keywords];
    }, args);
  }

  /** What a module gives, after the hooks of the text. */
  resultOf(
    module: InstanceValue,
    args: readonly Argument[],
    given: Value,
    context: Context,
    span: Span,
  ): Value {
    return this.ofText(module, "after").reduce(
      (result, hook) => called(hook, module, args, [result], context, span) ?? result,
      given,
    );
  }

  /** `register_forward_hook(…)`: gives what takes the hook away again. */
  register(module: InstanceValue, hook: TextHook, isFirst: boolean): Value {
    const others = this.text.get(module) ?? [];
    this.text.set(module, isFirst ? [hook, ...others] : [...others, hook]);
    const remove = hostFunction("remove", () => {
      const left = (this.text.get(module) ?? []).filter((each) => each !== hook);
      this.text.set(module, left);
      return none;
    });
    return namespace("RemovableHandle", (name) => (name === "remove" ? remove : undefined));
  }

  private ofText(module: InstanceValue, when: TextHook["when"]): readonly TextHook[] {
    return (this.text.get(module) ?? []).filter((each) => each.when === when);
  }
}

/** The arguments that a hook with keywords gives: those by place, and those by name. */
function bothOf(said: Value, context: Context, span: Span): readonly Argument[] {
  const [placed, named, ...more] = said.kind === "tuple" ? said.items : [];
  if (placed === undefined || named?.kind !== "dict" || more.length > 0)
    return context.raise(
      "RuntimeError",
      "forward pre-hook must return None or a tuple of (new_args, new_kwargs)",
      span,
    );
  const items = placed.kind === "tuple" ? placed.items : [...context.iterate(placed, span)];
  const keywords = [...named.entries.values()].flatMap(({ key, value }) =>
    key.kind === "str" ? [{ name: key.value, value, span }] : [],
  );
  return [...items.map((value) => ({ value, span })), ...keywords];
}

/**
 * The value by which a hook of the text replaces its argument; `undefined` where the hook only
 * reads it.
 */
function called(
  { callee, takesKeywords }: TextHook,
  module: InstanceValue,
  args: readonly Argument[],
  results: readonly Value[],
  context: Context,
  span: Span,
): Value | undefined {
  const inputs = args.filter(({ name }) => name === undefined).map(({ value }) => value);
  const keywords = args.flatMap(({ name, value }) => (name ? [[name, value] as const] : []));
  const shown: readonly Value[] = [
    module,
    { kind: "tuple", items: [...inputs] },
    ...(takesKeywords ? [dictOf(keywords)] : []),
    ...results,
  ];
  const said = context.call(
    callee,
    shown.map((value) => ({ value, span })),
    span,
  );
  return said.kind === "none" || assumedOf(said)?.isUnsaid === true ? undefined : said;
}
