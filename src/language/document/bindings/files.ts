import type { Span } from "#core/diagnostics";
import type { Binding, ModuleValue, Value } from "#language/python";

/** The files of one paste, told apart by `# file: name.py` headers. */
export class Files {
  private readonly headers: readonly { readonly module: string; readonly at: number }[];
  private readonly names = new Map<string, Map<string, Value>>();

  constructor(source: string) {
    const found = source.matchAll(/^[ \t]*#[ \t]*file:[ \t]*(\S+?)(?:\.py)?[ \t]*$/gm);
    this.headers = [...found].map((match) => ({
      module: (match[1] ?? "").replaceAll("/", ".").replace(/^\.+/, ""),
      at: match.index,
    }));
  }

  /** Notes a variable of a module. */
  bind({ name, value, span, frames }: Binding): void {
    if (frames.length === 0) this.note(name, value, span);
  }

  /** Notes a function or class of a module. */
  note(name: string, value: Value, span: Span): void {
    const header = this.headers.findLast(({ at }) => at <= span.from);
    if (header === undefined) return;
    const names = this.names.get(header.module) ?? new Map<string, Value>();
    names.set(name, value);
    this.names.set(header.module, names);
  }

  /** One file as a module: by its full name, its last part, or relative to another. */
  module(name: string): ModuleValue | undefined {
    const wanted = name.replace(/^\.+/, "");
    const header = this.headers.find(
      ({ module }) => module === wanted || module.endsWith(`.${wanted}`),
    );
    if (header === undefined) return undefined;
    const names = this.names.get(header.module) ?? new Map<string, Value>();
    return {
      kind: "module",
      name,
      names: [...names.keys()],
      attribute: (attribute) => names.get(attribute),
    };
  }
}
