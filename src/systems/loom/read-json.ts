import { printParseErrorCode, visit } from "jsonc-parser";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { JsonNode, Member } from "./json-node.ts";

/** The readable part of a text; `tree` is absent when nothing could be read. */
export interface ReadJson {
  readonly tree?: JsonNode;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Deepest nesting accepted: more would overflow the stack of tree walkers.
 *
 * @internal
 */
export const maxDepth = 256;

/**
 * Reads JSON (RFC 8259) with the span of every value.
 *
 * Comments, missing commas and surplus commas are reported, get a fix, and are skipped. Any other
 * fault ends reading; the tree holds everything read before it.
 */
export function readJson(text: string): ReadJson {
  const builder = new TreeBuilder(text);
  try {
    // A byte order mark may precede JSON; a space replaces it so that no offset moves.
    visit(text.replace(/^\ufeff/, " "), builder, { allowTrailingComma: true });
  } catch (fault) {
    if (!(fault instanceof Halted)) throw fault;
    builder.closeAll(fault.at);
  }
  const { tree, diagnostics } = builder;
  return { ...(tree !== undefined && { tree }), diagnostics };
}

/** Thrown at a fault after which offsets in the text are uncertain; the rest is not read. */
class Halted extends Error {
  readonly at: number;

  constructor(at: number) {
    super("reading has ended");
    this.at = at;
  }
}

/** An object or list whose closing bracket has not been read yet. */
type Open =
  | { readonly close: "]"; readonly from: number; readonly items: JsonNode[] }
  | {
      readonly close: "}";
      readonly from: number;
      readonly items: Member[];
      readonly names: Set<string>;
    };

/** A member name whose value comes next. */
interface Name {
  readonly text: string;
  readonly span: Span;
  hasColon: boolean;
}

/** Builds the tree from the parser's events, and collects diagnostics. */
class TreeBuilder {
  readonly diagnostics: Diagnostic[] = [];
  tree: JsonNode | undefined;
  private readonly text: string;
  private readonly open: Open[] = [];
  private name: Name | undefined;
  /** Pending member names of the enclosing objects. */
  private readonly outerNames: (Name | undefined)[] = [];
  /** End offset of the last token. */
  private end = 0;
  /** Offset of the comma, if it was the last token. */
  private comma: number | undefined;
  private lastOpening = 0;

  constructor(text: string) {
    this.text = text;
  }

  onObjectBegin = (from: number): void => this.begin("}", from);
  onArrayBegin = (from: number): void => this.begin("]", from);
  onObjectEnd = (at: number): void => this.finish(at);
  onArrayEnd = (at: number): void => this.finish(at);

  onObjectProperty = (text: string, from: number, length: number): void => {
    this.comma = undefined;
    this.name = { text, span: this.spanOf(from, length), hasColon: false };
  };

  onLiteralValue = (value: unknown, from: number, length: number): void => {
    const span = this.spanOf(from, length);
    if (typeof value === "number") this.checkNumber(value, span);
    const plain = typeof value === "number" ? value + 0 : value;
    this.add({ kind: "plain", span, value: plain as string | number | boolean | null });
  };

  onSeparator = (character: string, at: number): void => {
    this.end = at + 1;
    if (character === ",") this.comma = at;
    if (this.name !== undefined) this.name.hasColon = true;
  };

  onComment = (from: number, length: number): void => {
    const span = { from, to: from + length };
    const fix = { title: "Remove the comment", edits: [{ ...span, text: "" }] };
    this.complain("JSON has no comments", span, fix);
  };

  onError = (code: number, from: number, length: number): void => {
    const fault = printParseErrorCode(code);
    if (fault === "UnexpectedEndOfComment") return;
    const isItem = /["{[\w-]/.test(this.text[from] ?? "");
    if (fault === "CommaExpected" && isItem) this.wantComma();
    else this.halt(...this.faultOf(fault, from, from + length));
  };

  /** Closes all open objects and lists at the offset where reading ended. */
  closeAll(at: number): void {
    while (this.open.length > 0) this.close({ to: at });
  }

  private wantComma(): void {
    const span = { from: this.end, to: this.end };
    const fix = { title: "Insert the comma", edits: [{ ...span, text: "," }] };
    this.complain("JSON wants a comma between two values", span, fix);
  }

  /** Message and offset of a fault between two offsets, from the parser's error code. */
  private faultOf(fault: string, from: number, to: number): readonly [message: string, at: number] {
    const { text, lastOpening } = this;
    switch (fault) {
      case "CloseBraceExpected":
        return ['this JSON is not complete: a "}" is missing', lastOpening];
      case "CloseBracketExpected":
        return ['this JSON is not complete: a "]" is missing', lastOpening];
      case "UnexpectedEndOfString":
        return ["this JSON text has no closing quote", to];
      case "InvalidCharacter":
        return ["JSON texts hold no control characters", soundEnd(text, from)];
      case "InvalidUnicode":
      case "InvalidEscapeCharacter": {
        const at = soundEnd(text, from);
        return [`"${text.slice(at, at + 2)}" is no escape that JSON knows`, at];
      }
      default:
        return [this.expected(from), from];
    }
  }

  private begin(close: "}" | "]", from: number): void {
    if (this.open.length >= maxDepth) {
      this.halt(`this JSON is nested deeper than ${maxDepth} levels`, from);
    }
    this.comma = undefined;
    this.end = from + 1;
    this.open.push(
      close === "]" ? { close, from, items: [] } : { close, from, items: [], names: new Set() },
    );
    this.outerNames.push(this.name);
    this.name = undefined;
  }

  /** Handles a closing bracket, or the end of the text when it is missing. */
  private finish(at: number): void {
    const { comma } = this;
    const inside = this.open.at(-1);
    if (comma !== undefined && at < this.text.length) {
      const span = { from: comma, to: comma + 1 };
      const fix = { title: "Remove the comma", edits: [{ ...span, text: "" }] };
      this.complain(`JSON has no comma before "${inside?.close}"`, span, fix);
    }
    this.close({ to: Math.min(at + 1, this.text.length) });
  }

  private close({ to }: Pick<Span, "to">): void {
    const closed = this.open.pop();
    if (closed === undefined) return;
    const span = { from: closed.from, to };
    this.lastOpening = closed.from;
    this.end = to;
    this.name = this.outerNames.pop();
    if (closed.close === "]") this.add({ kind: "array", span, items: closed.items });
    else {
      const { items: members, names } = closed;
      this.add({ kind: "object", span, members, hasTwins: names.size < members.length });
    }
  }

  /** Adds a value to the innermost open container, or makes it the root. */
  private add(value: JsonNode): void {
    this.comma = undefined;
    const inside = this.open.at(-1);
    if (inside === undefined) this.tree ??= value;
    else if (inside.close === "]") inside.items.push(value);
    else if (this.name !== undefined) {
      const { text: name, span: nameSpan } = this.name;
      if (inside.names.has(name)) this.warnOfTwin(name, nameSpan);
      inside.names.add(name);
      inside.items.push({ name, nameSpan, value });
      this.name = undefined;
    }
  }

  private spanOf(from: number, length: number): Span {
    this.end = from + length;
    return { from, to: this.end };
  }

  /** Message that says what JSON expects at an offset. */
  private expected(at: number): string {
    const found = this.found(at);
    const inside = this.open.at(-1);
    if (inside === undefined && this.tree !== undefined) {
      return `JSON ends here, but ${found} follows`;
    }
    const { name } = this;
    const { close, items = [] } = inside ?? {};
    if (name !== undefined && !name.hasColon) return `JSON expects ":" behind a name, not ${found}`;
    const isBehindValue = name === undefined && items.length > 0;
    if (isBehindValue && this.comma === undefined) {
      return `JSON expects "," or "${close}" here, not ${found}`;
    }
    const wanted = close === "}" && name === undefined ? "a name in double quotes" : "a value";
    return `this is not JSON: expected ${wanted}, but found ${found}`;
  }

  private found(at: number): string {
    const { text } = this;
    const word = text.slice(at, at + 12).split(/[\s,]/)[0] ?? "";
    return at >= text.length ? "the end of the text" : `"${word || text[at]}"`;
  }

  // Integers beyond 2^53 would come back changed, so the writer must be able to warn of them.
  private checkNumber(value: number, span: Span): void {
    const token = this.text.slice(span.from, span.to);
    if (Number.isSafeInteger(value) || (Number.isFinite(value) && isRead(token, value))) return;
    this.diagnostics.push({
      code: "loom/inexact-number",
      severity: "warning",
      message: `the number ${token} does not fit in double precision: it is read as ${value}`,
      span,
    });
  }

  private warnOfTwin(name: string, span: Span): void {
    this.diagnostics.push({
      code: "loom/name-twice",
      severity: "warning",
      message: `"${name}" stands twice in this object: the last one counts`,
      span,
    });
  }

  private complain(message: string, span: Span, fix?: Fix): void {
    const fixes = fix === undefined ? {} : { fixes: [fix] };
    this.diagnostics.push({ code: "loom/no-json", severity: "error", message, span, ...fixes });
  }

  private halt(message: string, at: number): never {
    this.complain(message, { from: at, to: Math.min(at + 1, this.text.length) });
    throw new Halted(at);
  }
}

/** End offset of the valid part of a string, given the offset of its opening quote. */
function soundEnd(text: string, from: number): number {
  const sound = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*/uy;
  sound.lastIndex = from;
  sound.exec(text);
  return sound.lastIndex === 0 ? from : sound.lastIndex;
}

/** Whether a number was read exactly: an integer must be exact, a float the nearest one. */
function isRead(token: string, value: number): boolean {
  return !/^-?\d+$/.test(token) || BigInt(token) === BigInt(value);
}
