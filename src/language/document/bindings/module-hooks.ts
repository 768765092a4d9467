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

/** Hook that sees the arguments of a module's call first and may replace them. */
type BeforeCall = (args: readonly Argument[], context: Context, span: Span) => readonly Argument[];

/** A forward hook that the text registers; it may replace the input or the result. */
interface TextHook {
  readonly when: "before" | "after";
  readonly callee: Value;
  readonly takesKeywords: boolean;
}

/** Hooks and observers of modules. */
export class ModuleHooks {
  /** Observers called before a module attribute is replaced. */
  readonly watchers: ((replacement: Replacement, context: Context) => void)[] = [];
  /**
   * Value that an attribute keeps instead of a new one; `undefined` lets the replacement happen.
   */
  keeper?: (replacement: Replacement, context: Context) => Value | undefined;
  /** Every run of a module with its arguments, in program order. */
  readonly runs: { readonly module: InstanceValue; readonly args: readonly Argument[] }[] = [];
  private readonly text = new Map<InstanceValue, readonly TextHook[]>();
  private readonly before = new Map<InstanceValue, readonly BeforeCall[]>();

  /** Registers a hook for the arguments of every later call of a module. */
  beforeCalls(module: InstanceValue, hook: BeforeCall): void {
    this.before.set(module, [...(this.before.get(module) ?? []), hook]);
  }

  /** Arguments with which a module runs, after all hooks. */
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

  /** Result of a module, after the text's hooks. */
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

  /** `register_forward_hook(…)`: returns a handle that removes the hook. */
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

  /** Gives a copy of a module the hooks that the text registered, with their callees copied. */
  copy(made: InstanceValue, of: InstanceValue, copied: (value: Value) => Value): void {
    const hooks = this.text.get(of)?.map((hook) => ({ ...hook, callee: copied(hook.callee) }));
    if (hooks !== undefined) this.text.set(made, hooks);
  }

  private ofText(module: InstanceValue, when: TextHook["when"]): readonly TextHook[] {
    return (this.text.get(module) ?? []).filter((each) => each.when === when);
  }
}

/** Arguments returned by a hook with keywords: positional ones and keyword ones. */
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
