import type { Span } from "#core/diagnostics";
import type { Expression, InstanceValue, Value } from "#language/python";
import { cellWords } from "./graph-words.ts";
import type { OtherMeaning } from "./inner-functions.ts";
import { namesBound, partsOf } from "./read-names.ts";
import type { SyntaxFault } from "./syntax-faults.ts";

/**
 * The form in which MindSpore 2.10 compiles a container: a CellList, or a subclass of it in the
 * text, is a tuple of its cells, a CellDict a dictionary. Nothing else of the container is in the
 * graph.
 */
type Held = "tuple" | "dictionary";

const attributesOf: Readonly<Record<Held, ReadonlySet<string>>> = {
  tuple: new Set(["index", "count", "__len__", "__getitem__", "__contains__"]),
  dictionary: new Set([
    ...["keys", "values", "items", "get", "has_key", "clear", "update", "fromkeys"],
    ...["__len__", "__getitem__", "__setitem__", "__contains__"],
  ]),
};

type Attribute = Extract<Expression, { kind: "attribute" }>;

/**
 * The expressions that a function reads and binds, and the last expression assigned to each name.
 */
interface Reading {
  readonly read: readonly Expression[];
  readonly bound: readonly Expression[];
  readonly named: ReadonlyMap<string, Expression>;
}

/** The uses of lists and dicts of cells in a function, as a graph compiles them. */
export class HeldCells {
  private readonly cell: InstanceValue;
  private readonly self: string;
  private readonly reading: Reading;
  private readonly boundOnce: ReadonlySet<string>;

  constructor(cell: InstanceValue, self: string, reading: Reading) {
    this.cell = cell;
    this.self = self;
    this.reading = reading;
    const all = reading.bound.flatMap(namesBound);
    this.boundOnce = new Set(all.filter((each) => all.indexOf(each) === all.lastIndexOf(each)));
  }

  /** The uses that 2.10 refuses, in the order of the text. */
  faults(): readonly SyntaxFault[] {
    return this.each((expression) => this.faultAt(expression));
  }

  /** Expressions to which a graph silently gives a different value than Python. */
  otherMeanings(): readonly OtherMeaning[] {
    return this.each((expression) => this.otherAt(expression));
  }

  private each<Found>(at: (expression: Expression) => Found | undefined): readonly Found[] {
    const found: Found[] = [];
    const visit = (expression: Expression): void => {
      for (const part of partsOf(expression)) visit(part);
      const own = at(expression);
      if (own !== undefined) found.push(own);
    };
    for (const expression of this.reading.read) visit(expression);
    return found;
  }

  private faultAt(expression: Expression): SyntaxFault | undefined {
    const { span } = expression;
    if (expression.kind === "attribute") {
      const held = this.heldAt(expression.object);
      if (held === undefined) return this.listFault(expression, span);
      const isRefused = held === "tuple" && !this.has(expression.object, expression.name);
      // For members that the class itself lacks, Python raises already.
      const isAbsent = lacks(held, expression.name) && !isRefused;
      return isAbsent ? absent(held, expression.name, span) : undefined;
    }
    if (expression.kind !== "call") return undefined;
    const { callee, args } = expression;
    const own = this.heldAt(callee);
    if (own !== undefined)
      return { message: `${named(own)}, which is not callable`, upstream: "ValueError", span };
    if (callee.kind === "attribute") return this.cellsFault(callee, span);
    if (callee.kind !== "name") return undefined;
    const [first, key] = args.map(({ value }) => value);
    if (callee.name === "getattr" && args.length === 2) {
      const [held, name] = [this.heldAt(first), textIn(key)];
      if (held === undefined || name === undefined) return undefined;
      return lacks(held, name) ? absent(held, name, span) : undefined;
    }
    return this.orderFault(
      callee.name,
      args.map(({ value }) => value),
      span,
    );
  }

  /** The fault of a list with a further cell as attribute: the compiler looks it up by number. */
  private listFault(expression: Expression, span: Span): SyntaxFault | undefined {
    if (this.heldAt(expression) !== "tuple") return undefined;
    const list = this.valueAt(expression);
    const own = list?.kind === "instance" ? [...list.attributes] : [];
    const [name] = own.find(([, value]) => isCell(value)) ?? [];
    if (name === undefined) return undefined;
    const message = `MindSpore numbers the cells of a CellList, and finds none under the attribute "${name}": append it`;
    return { message, upstream: "KeyError", span };
  }

  /** The fault of `self.layers.cells()` and similar methods: no graph calls them. */
  private cellsFault({ object, name }: Attribute, span: Span): SyntaxFault | undefined {
    const owner = cellWords.has(name) ? this.valueAt(object) : undefined;
    if (owner?.kind !== "instance" || owner === this.cell) return undefined;
    const method = owner.type.mro.find(({ attributes }) => attributes.has(name));
    if (method?.attributes.get(name)?.kind !== "host-function") return undefined;
    const message = `a graph of MindSpore does not call ${name}() of a Cell`;
    return { message, upstream: "RuntimeError", span };
  }

  /**
   * The fault of iterating over a dict, or over cells, in an order that the graph does not support.
   */
  private orderFault(
    word: string,
    args: readonly Expression[],
    span: Span,
  ): SyntaxFault | undefined {
    const [first] = args;
    if (/^(enumerate|zip)$/u.test(word) && args.some((each) => this.heldAt(each) === "dictionary"))
      return {
        message: `a graph of MindSpore has no ${word}() of a CellDict: take its keys() or items()`,
        upstream: "RuntimeError",
        span,
      };
    if (word === "sorted" && this.sourceOf(first)?.held === "keys")
      return {
        message:
          "a graph of MindSpore knows no longer what sorted() gives of the keys of a CellDict",
        upstream: "TypeError",
        span,
      };
    const source = word === "reversed" ? this.sourceOf(first) : undefined;
    if (source === undefined || source.held === "keys") return undefined;
    const message =
      "a graph of MindSpore has no reversed() of cells: take them by their index, or by [::-1]";
    return { message, upstream: "RuntimeError", span };
  }

  /** The container of cells behind `list(…)`, `tuple(…)` or `.values()`. */
  private sourceOf(
    expression: Expression | undefined,
  ): { readonly held: Held | "keys" } | undefined {
    if (expression === undefined) return undefined;
    const held = this.heldAt(expression);
    if (held !== undefined) return { held: held === "dictionary" ? "keys" : held };
    if (expression.kind !== "call") return undefined;
    const { callee, args } = expression;
    if (callee.kind === "name" && /^(list|tuple|reversed)$/u.test(callee.name))
      return this.sourceOf(args[0]?.value);
    if (callee.kind !== "attribute" || this.heldAt(callee.object) !== "dictionary")
      return undefined;
    if (callee.name === "keys") return { held: "keys" };
    return callee.name === "values" ? { held: "dictionary" } : undefined;
  }

  private otherAt(expression: Expression): OtherMeaning | undefined {
    if (expression.kind !== "call" || expression.callee.kind !== "name") return undefined;
    const [first, second] = expression.args.map(({ value }) => value);
    const held = this.heldAt(first);
    if (held === undefined || second === undefined) return undefined;
    const { name } = expression.callee;
    const key = textIn(second);
    const isOther =
      name === "isinstance"
        ? typesIn(second).some((each) => otherTypes[held].test(each))
        : name === "hasattr"
          ? key === undefined || lacks(held, key) === this.has(first, key)
          : name === "getattr" && (key === undefined || (lacks(held, key) && this.has(first, key)));
    if (!isOther) return undefined;
    const message = `${named(held)}: its ${name}() answers otherwise than Python's, which is drawn`;
    return { message, span: expression.span };
  }

  private has(expression: Expression | undefined, name: string): boolean {
    const value = this.valueAt(expression);
    if (value?.kind !== "instance") return false;
    const isItem = /^\d+$/u.test(name) && itemsOf(value)[Number(name)] !== undefined;
    return (
      isItem ||
      value.attributes.has(name) ||
      value.type.mro.some(({ attributes }) => attributes.has(name))
    );
  }

  private heldAt(expression: Expression | undefined): Held | undefined {
    const value = this.valueAt(expression);
    if (value?.kind !== "instance" || value === this.cell) return undefined;
    const of = value.type.mro.find(({ name }) => name === "CellList" || name === "CellDict");
    if (of === undefined) return undefined;
    return of.name === "CellList" ? "tuple" : "dictionary";
  }

  /**
   * The value of `self.a.b`, of `self.a[0]`, or of a name that is assigned such an attribute once.
   */
  private valueAt(expression: Expression | undefined): Value | undefined {
    if (expression?.kind === "name") {
      if (expression.name === this.self) return this.cell;
      const value = this.reading.named.get(expression.name);
      return this.boundOnce.has(expression.name) && value?.kind === "attribute"
        ? this.valueAt(value)
        : undefined;
    }
    if (expression?.kind !== "attribute" && expression?.kind !== "subscript") return undefined;
    const owner = this.valueAt(expression.object);
    if (owner?.kind !== "instance") return undefined;
    if (expression.kind === "attribute") return owner.attributes.get(expression.name);
    const { index } = expression;
    const at = index.kind === "constant" ? index.value : undefined;
    if (at?.kind === "str") return owner.attributes.get(at.value);
    return at?.kind === "int" ? itemsOf(owner).at(Number(at.value)) : undefined;
  }
}

/**
 * Types for which `isinstance` differs between the graph's tuple or dictionary and Python's Cell.
 */
const otherTypes: Readonly<Record<Held, RegExp>> = {
  tuple: /^(tuple|Cell|CellList)$/u,
  dictionary: /^(dict|Cell|CellDict)$/u,
};

function typesIn(expression: Expression): readonly string[] {
  if (expression.kind === "tuple") return expression.items.flatMap(typesIn);
  return expression.kind === "name" || expression.kind === "attribute" ? [expression.name] : [];
}

function itemsOf({ attributes }: InstanceValue): readonly Value[] {
  const items = attributes.get("_items");
  return items?.kind === "list" ? items.items : [];
}

function isCell(value: Value): boolean {
  return value.kind === "instance" && value.type.mro.some(({ name }) => name === "Cell");
}

function lacks(held: Held, name: string): boolean {
  return !attributesOf[held].has(name);
}

function named(held: Held): string {
  return held === "tuple"
    ? "a graph of MindSpore holds a CellList as a tuple"
    : "a graph of MindSpore holds a CellDict as a dictionary";
}

function absent(held: Held, name: string, span: Span): SyntaxFault {
  const help = held === "tuple" ? "take its cells by index" : "take its cells by their keys";
  const message = `${named(held)}, which has no attribute "${name}": ${help}`;
  return { message, upstream: "AttributeError", span };
}

function textIn(expression: Expression | undefined): string | undefined {
  if (expression?.kind !== "constant" || expression.value.kind !== "str") return undefined;
  return expression.value.value;
}
