import { parser } from "@lezer/python";

/** A coloured run of a program text. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly kind:
    | "comment"
    | "keyword"
    | "string"
    | "number"
    | "name"
    | "function"
    | "operator"
    | "punctuation";
}

const kinds: Readonly<Record<string, Token["kind"]>> = {
  Comment: "comment",
  String: "string",
  FormatString: "string",
  ContinuedString: "string",
  Number: "number",
  Boolean: "keyword",
  None: "keyword",
  Ellipsis: "punctuation",
  VariableName: "name",
  PropertyName: "name",
  ArithOp: "operator",
  BitOp: "operator",
  CompareOp: "operator",
  AssignOp: "operator",
  UpdateOp: "operator",
};

/** Nodes whose text is one token, whatever stands inside them. */
const whole = new Set(["String", "FormatString", "Comment"]);

/**
 * The tokens of a program text in order, from the tree that it is parsed with anyway. They do not
 * overlap; white space and what the grammar cannot read are left out.
 */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  parser.parse(source).iterate({
    enter: ({ name, from, to, node, type }) => {
      const isLeaf = node.firstChild === null;
      if (from === to || type.isError || (!isLeaf && !whole.has(name))) return true;
      const kind = kindOf(name, source.slice(from, to), node.parent?.name);
      if (kind !== undefined) tokens.push({ from, to, kind });
      return false;
    },
  });
  return tokens;
}

function kindOf(name: string, text: string, parent: string | undefined): Token["kind"] | undefined {
  const known = kinds[name];
  const defines = parent === "FunctionDefinition" || parent === "ClassDefinition";
  if (known === "name" && defines) return "function";
  if (known !== undefined) return known;
  if (/^[a-z]+$/u.test(text) && name === text) return "keyword";
  if (/^[()[\]{}.,:;]+$/u.test(text)) return "punctuation";
  return /^[-+*/%@&|^~<>=!]+$/u.test(text) ? "operator" : undefined;
}
