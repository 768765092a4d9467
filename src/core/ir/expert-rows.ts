import {
  type Body,
  type Expr,
  folded,
  index,
  mapped,
  position,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import { equal, less, mul, select } from "./body/expressions.ts";
import { type BoundCall, type CallShapes, numberOf, operandAt, shapeAt } from "./call.ts";
import { define } from "./define.ts";
import type { Backward, LibraryEntry } from "./entry.ts";

/**
 * Whether a call has a dim of experts; without one, its routes are those of one expert.
 *
 * The operators of this file: dispatch gives the tokens of each expert as rows, combine brings rows
 * back to tokens. `routes` is above 0 where an expert gets a token. Tokens may lie in `g` groups, a
 * dim of its own. In each group an expert takes at most `slots` tokens, the i-th one into slot i,
 * and drops the others. A cut of the groups cuts tokens and rows alike; an all-to-all then leads to
 * a cut of the experts.
 */
function hasExperts(call: CallShapes | BoundCall): boolean {
  const routes = call.inputs[1];
  const shape = routes !== undefined && "shape" in routes ? routes.shape : routes;
  return (shape?.length ?? 2) > groupsOf(call).length + 1;
}

const groupsOf = (call: Pick<CallShapes, "attributes">) =>
  numberOf(call, "g", 1) === 1 ? [] : ["g"];

/** The dims beside experts, groups, and tokens or rows, as annotation text. */
function features(call: CallShapes, leading: number): readonly string[] {
  const count = shapeAt(call, 0).length - groupsOf(call).length - 1 - leading;
  return Array.from({ length: Math.max(0, count) }, (_, at) => (at === 0 ? "d" : `d${at}`));
}

const dims = (...words: readonly string[]) => words.join(" ");

function dispatchAnnotation(call: CallShapes): string {
  const experts = hasExperts(call) ? ["e"] : [];
  const own = isOwn(call) ? experts : [];
  const beside = features(call, own.length);
  const tokens = [...groupsOf(call), "t^"];
  const rows = [...groupsOf(call), `${slotsOf(call)}`];
  return `${dims(...own, ...tokens, ...beside)}, ${dims(...experts, ...tokens)} -> ${dims(...experts, ...rows, ...beside)}`;
}

function combineAnnotation(call: CallShapes): string {
  const experts = hasExperts(call) ? ["e+"] : [];
  const beside = features(call, experts.length);
  const tokens = [...groupsOf(call), "t^"];
  const rows = [...groupsOf(call), `${slotsOf(call)}`];
  return `${dims(...experts, ...rows, ...beside)}, ${dims(...experts, ...tokens)} -> ${dims(...tokens, ...beside)}`;
}

/** Whether each expert has its own elements at every token. */
function isOwn(call: Pick<CallShapes, "attributes">): boolean {
  return numberOf(call, "own", 0) === 1;
}

const sizeOf = (call: BoundCall, name: string) =>
  call.axes.find((axis) => axis.name === name)?.size ?? 1;

/** The index axes of tokens; in front of them the axis of experts if the call has it. */
function routeAxes(call: BoundCall): readonly string[] {
  return ["e", "g", "t"].filter((name) => call.axes.some((axis) => axis.name === name));
}

/** The index axes in front of tokens, or of rows. */
const frontOf = (call: BoundCall) => routeAxes(call).filter((name) => name !== "t");

const expertsIn = (call: BoundCall) => routeAxes(call).filter((name) => name === "e");

/**
 * For each token, the number of earlier tokens of its group that go to the same expert: its slot.
 */
function slotTable(call: BoundCall, routes: number): Table {
  const size = sizeOf(call, "t");
  const earlier = index("earlier");
  const at = [...frontOf(call).map(index), earlier];
  const isCounted = mul(less(0, read(routes, at)), less(earlier, index("t")));
  const count = folded("sum", [{ axis: "earlier", size }], isCounted);
  return tabled("slot", routeAxes(call), count);
}

function slotsOf(call: Pick<CallShapes, "attributes">): number {
  return numberOf(call, "slots", 1);
}

/** 1 where an expert gets a token and has a slot for it. */
function isKept(call: BoundCall, routes: number): Expr {
  return mul(less(0, read(routes)), less(table("slot"), slotsOf(call)));
}

/** The values of rows, taken from tokens. */
function toRows(call: BoundCall, routes: number, source: Expr): Body {
  const isHere = mul(less(0, read(routes)), equal(table("slot"), position(frontOf(call).length)));
  return {
    tables: [slotTable(call, routes)],
    outputs: [folded("sum", ["t"], select(isHere, source, 0))],
  };
}

/**
 * The values of tokens, collected from rows: summed over all experts, unless each expert has its
 * own.
 */
function toTokens(call: BoundCall, routes: number, beside: readonly Expr[], isOwned = false): Body {
  const source = read(0, [...frontOf(call).map(index), table("slot"), ...beside]);
  const value = select(isKept(call, routes), source, 0);
  const over = isOwned ? [] : expertsIn(call);
  return {
    tables: [slotTable(call, routes)],
    outputs: [over.length === 0 ? mapped(value) : folded("sum", over, value)],
  };
}

function besideOf(call: BoundCall, operand: number, leading: number): readonly Expr[] {
  const { dims } = operandAt(call, operand);
  return dims.slice(leading).map(({ identifiers }) => index(identifiers[0] ?? ""));
}

const dispatchBackward: Backward = {
  targets: [0],
  body: (call) => {
    const isOwned = isOwn(call) && hasExperts(call);
    const leading = (isOwned ? 1 : 0) + groupsOf(call).length + 1;
    return toTokens(call, 2, besideOf(call, 0, leading), isOwned);
  },
};

const combineBackward: Backward = {
  targets: [0],
  body: (call) => toRows(call, 2, read(0)),
};

const routesAreFlags = [undefined, { kind: "flag" }] as const;

export const expertRows: readonly LibraryEntry[] = [
  define({
    name: "expert_dispatch",
    parameters: ["x", "routes", "g", "slots", "own"],
    tensors: 2,
    annotate: dispatchAnnotation,
    body: (call) => toRows(call, 1, read(0)),
    gradient: dispatchBackward,
    linear: [[0]],
    domains: routesAreFlags,
    sample: (n) => ({
      inputs: [
        [n("g"), n("t"), n("d")],
        [n("e"), n("g"), n("t")],
      ],
      attributes: { g: n("g"), slots: 2 },
    }),
  }),
  define({
    name: "expert_combine",
    parameters: ["made", "routes", "g", "slots"],
    tensors: 2,
    annotate: combineAnnotation,
    body: (call) => toTokens(call, 1, besideOf(call, 0, frontOf(call).length + 1)),
    gradient: combineBackward,
    linear: [[0]],
    domains: routesAreFlags,
    sample: (n) => ({
      inputs: [
        [n("e"), n("g"), 2, n("d")],
        [n("e"), n("g"), n("t")],
      ],
      attributes: { g: n("g"), slots: 2 },
    }),
  }),
];
