import type { Span } from "#core/diagnostics";
import { assumedOf, type TensorBindings } from "#language/document/bindings";
import { itemsOf } from "#language/document/bindings/values";
import type { Trace, TracedTensor } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";

/** What a net gives that the program itself calls. */
export interface NetResult {
  readonly net: Value;
  /** Where it is called. */
  readonly span: Span;
  /** The tensors of what it gives, but for those that it is called with. */
  readonly tensors: readonly TracedTensor[];
  /**
   * Whether it gives what it is called with, nothing at all, or what nobody knows; a net that is
   * called with nothing, or is none of the text, counts too.
   */
  readonly isOpen: boolean;
  /** Statements of its `construct` of which nothing is read afterwards. */
  readonly unread: readonly UnreadStatement[];
}

/** A statement that computes what nothing reads: MindSpore keeps it in the graph all the same. */
interface UnreadStatement extends Span {
  /** Whether it is a copy or a call: it counts whatever it computes. */
  readonly isKept: boolean;
}

const recordName = "what MindSpore nets gave";

/** What the nets of a run gave, in program order. */
export function netResultsIn({ bySystem }: Pick<Trace, "bySystem">): readonly NetResult[] {
  const found = bySystem.get(recordName);
  return found instanceof NetResults ? found.results : [];
}

/** Notes what nets give. */
export class NetResults {
  readonly results: NetResult[] = [];
  private readonly tensors: TensorBindings;

  constructor(trace: Trace, tensors: TensorBindings) {
    this.tensors = tensors;
    trace.bySystem.set(recordName, this);
  }

  note(net: Value, args: readonly Argument[], result: Value, context: Context, span: Span): void {
    const given = new Set(args.flatMap(({ value }) => this.tensorsOf(value)));
    const found = this.tensorsOf(result);
    const isUnknown = leavesOf(result).some((leaf) => assumedOf(leaf) !== undefined);
    const isGiven = given.size === 0 || found.some((tensor) => given.has(tensor));
    const body = constructOf(net, context);
    this.results.push({
      net,
      span,
      tensors: found.filter((tensor) => !given.has(tensor)),
      isOpen: body === undefined || result.kind === "none" || isUnknown || isGiven,
      unread: body === undefined ? [] : unreadStatements(body, context.source),
    });
  }

  private tensorsOf(value: Value): readonly TracedTensor[] {
    return leavesOf(value).flatMap((leaf) => this.tensors.tensorOf(leaf) ?? []);
  }
}

function leavesOf(value: Value): readonly Value[] {
  if (value.kind === "dict")
    return [...value.entries.values()].flatMap((each) => leavesOf(each.value));
  return itemsOf(value)?.flatMap(leavesOf) ?? [value];
}

/** Where the body of a net's `construct` stands in the text; `undefined` for a net of a library. */
function constructOf(net: Value, context: Context): Span | undefined {
  const construct = net.kind === "instance" ? context.getAttribute(net, "construct", noSpan) : net;
  const callee = construct.kind === "method" ? construct.callee : construct;
  if (callee.kind !== "function") return undefined;
  const { from, to } = callee.nameSpan;
  return context.source.slice(from, to) === "construct" ? callee.bodySpan : undefined;
}

/** The statements of a body whose names nothing reads, and those that are calls alone. */
function unreadStatements({ from, to }: Span, source: string): readonly UnreadStatement[] {
  const body = source.slice(from, to);
  return [...body.matchAll(/^[ \t]*([^\s#].*)$/gmu)].flatMap((found): UnreadStatement[] => {
    const [, statement = ""] = found;
    const start = from + found.index;
    const span = { from: start, to: start + found[0].length };
    const assigned = /^([\w, ]+?)\s*=(?!=)\s*(.*)$/u.exec(statement);
    // What is changed in place is kept too.
    if (/^[\w.]+\s*[-+*/@%]=/u.test(statement)) return [{ ...span, isKept: false }];
    if (assigned === null) return /^[\w.]+\(/u.test(statement) ? [{ ...span, isKept: true }] : [];
    const names = (assigned[1] ?? "").split(",").map((name) => name.trim());
    const isUnread = names.some((name) => !isRead(name, body));
    return isUnread ? [{ ...span, isKept: /^[A-Za-z_]\w*$/u.test(assigned[2] ?? "") }] : [];
  });
}

/** Whether a name stands anywhere but in front of a `=`. */
function isRead(name: string, body: string): boolean {
  const everywhere = [...body.matchAll(new RegExp(`(?<![\\w.])${name}(?!\\w)`, "gu"))];
  return everywhere.some(({ index }) => !/^[\w, ]*=(?!=)/u.test(body.slice(index)));
}

const noSpan = { from: 0, to: 0 };
