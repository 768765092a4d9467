import type { Span } from "#core/diagnostics";
import type { Argument, Context, InstanceValue, Replacement, Value } from "#language/python";

/** What sees the arguments of a module's call first, and may give others in their place. */
type BeforeCall = (args: readonly Argument[], context: Context, span: Span) => readonly Argument[];

/** Who is told of what happens to modules. */
export class ModuleHooks {
  /** Told of attributes of modules that are about to get another value. */
  readonly watchers: ((replacement: Replacement, context: Context) => void)[] = [];
  /** Gives what an attribute keeps in place of the value that it is about to get. */
  keeper?: (replacement: Replacement, context: Context) => Value | undefined;
  /** Every run of a module with its arguments, in program order. */
  readonly runs: { readonly module: InstanceValue; readonly args: readonly Argument[] }[] = [];
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
    return hooks.reduce((args, hook) => hook(args, context, span), given);
  }
}
