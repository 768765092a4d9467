import type { Span } from "#core/diagnostics";
import type { Binding, Context, ModuleValue, Value } from "#language/python";

/** Files of a paste with several files, separated by `# file: name.py` headers. */
export class Files {
  private readonly headers: readonly { readonly module: string; readonly at: number }[];
  private readonly names = new Map<string, Map<string, Value>>();

  constructor(source: string) {
    const found = source.matchAll(/^[ \t]*#[ \t]*file:[ \t]*(\S+?)(?:\.py)?[ \t]*$/gm);
    this.headers = [...found].map((match) => ({
      module: (match[1] ?? "")
        .replaceAll("/", ".")
        .replace(/^\.+/, "")
        .replace(/\.__init__$/, ""),
      at: match.index,
    }));
  }

  /** Whether the text has any file header. */
  get areSaid(): boolean {
    return this.headers.length > 0;
  }

  /** Notes a module-level variable of a file. */
  bind({ name, value, span, frames }: Binding): void {
    if (frames.length === 0) this.note(name, value, span);
  }

  /** Notes a function or class of a file. */
  note(name: string, value: Value, span: Span): void {
    const header = this.headers.findLast(({ at }) => at <= span.from);
    if (header === undefined) return;
    const names = this.names.get(header.module) ?? new Map<string, Value>();
    names.set(name, value);
    this.names.set(header.module, names);
  }

  /**
   * A file as a module, found by its full name, last part or relative name. Names not yet defined
   * may be defined further down or be imported by the file.
   */
  module(name: string): ModuleValue | undefined {
    const wanted = name.replace(/^\.+/, "");
    if (wanted === "") return undefined;
    const header =
      this.headers.find(({ module }) => module === wanted || module.endsWith(`.${wanted}`)) ??
      this.headers.find(({ module }) => wanted.endsWith(`.${module}`));
    if (header === undefined) return undefined;
    const names = this.names.get(header.module) ?? new Map<string, Value>();
    const attribute = (asked: string, context: Context) =>
      this.names.get(header.module)?.get(asked) ??
      this.module(`${header.module}.${asked}`) ??
      context.ownName(asked);
    return { kind: "module", name, names: [...names.keys()], attribute };
  }
}
