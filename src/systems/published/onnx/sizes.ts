import { intOf, type OnnxCall } from "./call.ts";
import { dimsIn, integersOf, isFloatType, itemsOf, type OnnxTerm } from "./values.ts";

/** Limits of an integer list and of the characters per entry: anything larger is no shape. */
const mostItems = 256;
const longestItem = 400;

/** Result of an operator on known numbers; `undefined` for an operator on tensors. */
export function workedOut(call: OnnxCall): OnnxTerm | undefined {
  const made = countedTerm(call) ?? scalarTerm(call);
  return made !== undefined && isShort(made) ? made : undefined;
}

function isShort(term: OnnxTerm): boolean {
  if (term.kind !== "ints") return term.text.length <= longestItem;
  return term.items.length <= mostItems && term.items.every((each) => each.length <= longestItem);
}

type Ints = OnnxTerm & { readonly kind: "ints" };

/** Integers derived from shapes, which graphs compute to reshape by. */
function countedTerm(call: OnnxCall): OnnxTerm | undefined {
  const { node, inputs } = call;
  const [x, y] = inputs;
  if (node.op === "Shape" && x?.kind === "tensor") {
    if (x.rank === undefined) return undefined;
    const all = Array.from({ length: x.rank }, (_, at) => `${x.text}.shape[${at}]`);
    const items = all.slice(intOf(node, "start", 0), node.attributes.get("end")?.int);
    return { kind: "ints", items, isScalar: false, type: 7 };
  }
  if (x?.kind !== "ints") return undefined;
  const list = (items: readonly string[]): Ints => ({ ...x, items, isScalar: false });
  switch (node.op) {
    case "Gather": {
      const at = integersOf(y);
      const picked = at?.map((each) => x.items[each < 0 ? each + x.items.length : each]);
      if (picked === undefined || picked.some((each) => each === undefined)) return undefined;
      return { ...list(picked.map(String)), isScalar: y?.kind === "ints" && y.isScalar };
    }
    case "Unsqueeze":
      return x.isScalar ? list(x.items) : undefined;
    case "Squeeze":
      return { ...x, isScalar: x.items.length === 1 };
    case "Cast":
      return castOf(x, intOf(node, "to", 0));
    case "Identity":
      return x;
    case "Concat": {
      const isWhole = inputs.every((each) => each?.kind === "ints");
      return isWhole ? list(inputs.flatMap((each) => itemsOf(each) ?? [])) : undefined;
    }
    case "Slice":
      return partOf(call, x);
    case "Reshape": {
      const rank = itemsOf(y)?.length;
      if (rank === 1) return list(x.items);
      return rank === 0 && x.items.length === 1 ? { ...x, isScalar: true } : undefined;
    }
    default:
      return y?.kind === "ints" ? joined(call, x, y) : undefined;
  }
}

function castOf(x: Ints, to: number): OnnxTerm | undefined {
  if (to === 6 || to === 7) return { ...x, type: to };
  // A cast to float makes it a plain number, since integer division does not apply to it.
  if (!isFloatType(to) || x.items.length !== 1) return undefined;
  return { kind: "number", text: x.items[0] ?? "0", rank: x.isScalar ? 0 : 1, type: to };
}

function partOf({ inputs, node }: OnnxCall, x: Ints): OnnxTerm | undefined {
  const [, starts, ends, , steps] = inputs;
  const { attributes } = node;
  const from = (integersOf(starts) ?? attributes.get("starts")?.ints)?.[0];
  const to = (integersOf(ends) ?? attributes.get("ends")?.ints)?.[0];
  const step = steps === undefined ? 1 : integersOf(steps)?.[0];
  if (from === undefined || to === undefined || !step) return undefined;
  const count = x.items.length;
  const [least, most] = step > 0 ? [0, count] : [-1, count - 1];
  const placed = (at: number) => Math.min(Math.max(at < 0 ? at + count : at, least), most);
  const items: string[] = [];
  const end = placed(to);
  for (let at = placed(from); step > 0 ? at < end : at > end; at += step)
    items.push(x.items[at] ?? "0");
  return { ...x, items, isScalar: false };
}

function joined({ node }: OnnxCall, x: Ints, y: Ints): OnnxTerm | undefined {
  const count = Math.max(x.items.length, y.items.length);
  const isRest = intOf(node, "fmod", 0) === 1;
  const items = Array.from({ length: count }, (_, at) => {
    const [left = "0", right = "0"] = [x, y].map(
      ({ items: own }) => own[own.length === 1 ? 0 : at],
    );
    return worked(node.op === "Mod" && isRest ? "Rest" : node.op, left, right);
  });
  if (!items.every((each) => each !== undefined)) return undefined;
  return { ...x, items, isScalar: x.isScalar && y.isScalar };
}

const results: Readonly<Record<string, (a: number, b: number) => number>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  // ONNX truncates integer quotients towards 0.
  Div: (a, b) => Math.trunc(a / b),
  Mod: (a, b) => a - b * Math.floor(a / b),
  Rest: (a, b) => a % b,
};

const signs: Readonly<Record<string, string>> = {
  ...{ Add: "+", Sub: "-", Mul: "*", Div: "//", Mod: "%" },
};

/** A sum, product or quotient of integers; evaluated when both are known. */
function worked(op: string, left: string, right: string): string | undefined {
  const [a, b] = [Number(left), Number(right)];
  const isKnown = Number.isSafeInteger(a) && Number.isSafeInteger(b);
  const made = isKnown && Object.hasOwn(results, op) ? results[op]?.(a, b) : undefined;
  if (made !== undefined && Number.isSafeInteger(made)) return String(made + 0);
  const sign = Object.hasOwn(signs, op) ? signs[op] : undefined;
  if (sign === undefined) return undefined;
  // Python's `//` rounds down, which differs from truncation for negative numbers.
  const mayBeLess = `${left}${right}`.includes("-");
  return op === "Div" && mayBeLess ? `int(${left} / ${right})` : `(${left} ${sign} ${right})`;
}

const scalars: Readonly<Record<string, string>> = {
  ...{ Add: "x + y", Sub: "x - y", Mul: "x * y", Div: "x / y", Sqrt: "x ** 0.5", Pow: "x ** y" },
  ...{ Reciprocal: "1.0 / x", Neg: "-x" },
};

/** A number derived from others, which graphs compute to scale by. */
function scalarTerm({ node, inputs }: OnnxCall): OnnxTerm | undefined {
  const { op } = node;
  const texts = inputs.map((each) => {
    if (each?.kind === "number") return each.text;
    return each?.kind === "ints" && each.items.length === 1 ? each.items[0] : undefined;
  });
  const [x, y] = texts;
  const [first] = inputs;
  if (x === undefined || first?.kind !== "number") return undefined;
  if (op === "Identity") return first;
  if (op === "Unsqueeze" && integersOf(inputs[1])?.length === 1)
    return { ...first, rank: (first.rank ?? 0) + 1 };
  if (op === "Cast") return castNumber(first, intOf(node, "to", 0));
  const form = Object.hasOwn(scalars, op) ? scalars[op] : undefined;
  if (form === undefined || texts.some((each) => each === undefined)) return undefined;
  const rank = Math.max(...inputs.map((each) => dimsIn(each) ?? 0));
  return { ...first, text: `(${filled(form, signed(x), signed(y ?? ""))})`, rank };
}

function castNumber(x: OnnxTerm & { readonly kind: "number" }, to: number): OnnxTerm | undefined {
  if (isFloatType(to)) return { ...x, type: to };
  if (to !== 6 && to !== 7) return undefined;
  const value = Number(x.text);
  const item = Number.isFinite(value) ? String(Math.trunc(value) + 0) : `int(${x.text})`;
  const isScalar = (x.rank ?? 0) === 0;
  return (x.rank ?? 0) > 1 ? undefined : { kind: "ints", items: [item], isScalar, type: to };
}

/** A number as an operand, with parentheses if negative: unary minus binds less than a power. */
export function signed(text: string): string {
  return text.startsWith("-") ? `(${text})` : text;
}

/** A form with operands substituted for `x` and `y`. */
export function filled(form: string, x: string, y = ""): string {
  return form.replaceAll(/\b[xy]\b/gu, (each) => (each === "x" ? x : y));
}
