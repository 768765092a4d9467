import type { Expr, ScalarFunction } from "#core/ir/body";
import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import { asNumber } from "./numbers.ts";
import type { Scope } from "./scope.ts";

type Application = Extract<Expr, { kind: "apply" }>;
type Emit = (expr: Expr, scope: Scope) => Term;

/** Writes a function of expressions: on integer indices as far as possible, else on numbers. */
export function emitApplication(expr: Application, scope: Scope, emit: Emit): Term {
  if (expr.function === "select") return emitSelect(expr, scope, emit);
  if (isComparison(expr)) return asOne(conditionOf(expr, scope, emit), scope.text);
  const args = expr.args.map((arg) => emit(arg, scope));
  if (expr.function === "random") return emitRandom(args, scope);
  const [a, b] = args;
  if (a === undefined) throw new Error(`${expr.function} without arguments`);
  const onIndices = args.every(({ kind }) => kind === "index");
  if (onIndices) {
    const index = indexFunction(expr.function, a, b ?? literalIndex(0), scope.text);
    if (index !== undefined) return index;
  }
  const numbers = args.map((arg) => asNumber(arg, scope.text));
  return numberFunction(expr.function, numbers, scope);
}

/** A draw by a seed and a counter, whole numbers both. */
function emitRandom(args: readonly Term[], { text, isExact }: Scope): Term {
  const words = args.map((arg) =>
    arg.kind === "index" || text.type === "i32" ? arg.text : `i32(${arg.text})`,
  );
  const helper = isExact ? "random_bit" : "random_unit";
  text.helpers.add(helper);
  const draw = `${helper}(${words.join(", ")})`;
  if (!isExact) return text.compute("number", draw, args);
  return text.compute("index", draw, args, [0, 1]);
}

/** A condition as text, with the terms in it. */
interface Condition {
  readonly text: string;
  readonly from: readonly Term[];
}

/** Whether an expression is always 1 or 0: a comparison, or a product of several. */
export function isComparison(expr: Expr): boolean {
  if (expr.kind !== "apply") return false;
  if (expr.function === "less" || expr.function === "less-equal") return true;
  return expr.function === "mul" && expr.args.every(isComparison);
}

/** Whether an expression is not 0. */
function conditionOf(expr: Expr, scope: Scope, emit: Emit): Condition {
  if (expr.kind === "apply" && isComparison(expr)) {
    if (expr.function === "mul") {
      const parts = expr.args.map((arg) => conditionOf(arg, scope, emit));
      const text = parts.map((part) => part.text).join(" & ");
      return { text, from: parts.flatMap(({ from }) => from) };
    }
    const [a, b] = expr.args.map((arg) => emit(arg, scope));
    if (a === undefined || b === undefined) throw new Error(`${expr.function} of one`);
    const sides =
      a.kind === "index" && b.kind === "index"
        ? [a, b]
        : [a, b].map((x) => asNumber(x, scope.text));
    const sign = expr.function === "less" ? "<" : "<=";
    return { text: `(${sides[0]?.text} ${sign} ${sides[1]?.text})`, from: sides };
  }
  const value = emit(expr, scope);
  return { text: `(${value.text} != ${zeroOf(value, scope.text)})`, from: [value] };
}

function zeroOf({ kind }: Term, { type }: KernelText): string {
  return kind === "index" || type === "i32" ? "0i" : "0.f";
}

function asOne({ text, from }: Condition, kernel: KernelText): Term {
  return kernel.compute("index", `select(0i, 1i, ${text})`, from, [0, 1]);
}

function emitSelect({ args }: Application, scope: Scope, emit: Emit): Term {
  const [condition, yes, no] = args;
  if (condition === undefined || yes === undefined || no === undefined) {
    throw new Error("a choice without its branches");
  }
  const { text, from } = conditionOf(condition, scope, emit);
  const branches = [yes, no].map((branch) => emit(branch, scope));
  const [a, b] = branches.every(({ kind }) => kind === "index")
    ? branches
    : branches.map((branch) => asNumber(branch, scope.text));
  if (a === undefined || b === undefined) throw new Error("a choice without its branches");
  const bounds = [Math.min(a.low, b.low), Math.max(a.high, b.high)] as const;
  return scope.text.compute(
    a.kind,
    `select(${b.text}, ${a.text}, ${text})`,
    [...from, a, b],
    bounds,
  );
}

/** A function that keeps indices whole; `undefined` for all others. */
function indexFunction(name: ScalarFunction, a: Term, b: Term, text: KernelText): Term | undefined {
  switch (name) {
    case "add":
      return text.sum(a, b);
    case "sub":
      return text.sum(a, text.scaled(b, -1));
    case "mul":
      if (b.literal !== undefined) return text.scaled(a, b.literal);
      if (a.literal !== undefined) return text.scaled(b, a.literal);
      return text.compute("index", `${a.text} * ${b.text}`, [a, b], products(a, b));
    case "neg":
      return text.scaled(a, -1);
    case "max":
      return text.compute(
        "index",
        `max(${a.text}, ${b.text})`,
        [a, b],
        [Math.max(a.low, b.low), Math.max(a.high, b.high)],
      );
    case "min":
      return text.compute(
        "index",
        `min(${a.text}, ${b.text})`,
        [a, b],
        [Math.min(a.low, b.low), Math.min(a.high, b.high)],
      );
    case "floor":
      return a;
    case "quotient":
      return b.literal === undefined || b.literal <= 0 ? undefined : divided(a, b.literal, text);
    default:
      return undefined;
  }
}

function products(a: Term, b: Term): readonly [number, number] {
  const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  if (corners.some(Number.isNaN)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [Math.min(...corners), Math.max(...corners)];
}

/** Division of an index, rounded down, below 0 too. */
function divided(a: Term, by: number, text: KernelText): Term {
  if (a.low >= 0) return text.digits(a, by)[0];
  text.helpers.add("floor_div");
  const bounds = [Math.floor(a.low / by), Math.floor(a.high / by)] as const;
  return text.compute("index", `floor_div(${a.text}, ${by}i)`, [a], bounds);
}

/** Functions that WGSL writes as operators. */
const signs: Partial<Record<ScalarFunction, string>> = { add: "+", sub: "-", mul: "*" };

/** Functions of the bits of whole numbers. */
const ofBits: Partial<Record<ScalarFunction, string>> = {
  ...{ "bit-and": "&", "bit-or": "|", "bit-xor": "^" },
};

/** Functions that WGSL has, with its names for them; those on integers are exact. */
const built: Partial<Record<ScalarFunction, string>> = {
  ...{ abs: "abs", sign: "sign", max: "max", min: "min" },
};

function numberFunction(name: ScalarFunction, args: readonly Term[], scope: Scope): Term {
  const { text, isExact } = scope;
  const texts = args.map((arg) => arg.text);
  const write = (written: string) => text.compute("number", written, args);
  const sign = signs[name];
  if (sign !== undefined) return write(texts.join(` ${sign} `));
  const bits = ofBits[name];
  if (bits !== undefined) {
    const whole = texts.map((each) => (text.type === "i32" ? each : `i32(${each})`));
    return write(`${text.type}(${whole.join(` ${bits} `)})`);
  }
  if (name === "neg") return write(`-${texts[0]}`);
  const own = built[name];
  if (own !== undefined) return write(`${own}(${texts.join(", ")})`);
  const helper = `${isExact ? (text.type === "i32" ? "word" : "exact") : "float"}_${name}`;
  text.helpers.add(helper);
  return write(`${helper}(${texts.join(", ")})`);
}
