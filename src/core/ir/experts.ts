import {
  apply,
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
import { div, equal, less, mul, select, sub } from "./body/expressions.ts";
import { axisAt, type BoundCall, numberOf, operandAt } from "./call.ts";
import { define } from "./define.ts";
import type { Backward, LibraryEntry } from "./entry.ts";
import { rankOrder } from "./rank-order.ts";
import { exponentials } from "./softmax.ts";

/**
 * Mixture of experts as GShard writes it (Lepikhin et al. 2020): gates `g t e` are 0 where a token
 * is not routed; the i-th token of an expert takes slot i, and slots end at the capacity.
 */
function slotTable(call: BoundCall, gates: number): Table {
  const earlier = index("earlier");
  const routed = less(0, read(gates, [index("g"), earlier, index("e")]));
  const value = mul(routed, less(earlier, index("t")));
  const size = call.axes.find(({ name }) => name === "t")?.size ?? 0;
  return tabled("slot", ["g", "t", "e"], folded("sum", [{ axis: "earlier", size }], value));
}

const isRouted = (gates: number) => less(0, read(gates));

/** Body of a dispatch: the token in each slot, 0 in unused slots. */
function dispatchBody(call: BoundCall): Body {
  const isHere = mul(isRouted(1), equal(table("slot"), position(2)));
  return {
    tables: [slotTable(call, 1)],
    outputs: [folded("sum", ["t"], select(isHere, read(0), 0))],
  };
}

/**
 * The gradients of dispatch: each token collects from the slots that it took. Operand 0 is dy, 2
 * the gates.
 */
const dispatchBackward: Backward = {
  targets: [0],
  body: (call) => {
    const slot = read(0, [index("e"), index("g"), table("slot"), index("d")]);
    return {
      tables: [slotTable(call, 2)],
      outputs: [folded("sum", ["e"], select(isRouted(2), slot, 0))],
    };
  },
};

/**
 * Combine: the sum of a token's expert results, weighted by its gates; results beyond an expert's
 * capacity count as 0.
 */
function combineBody(call: BoundCall): Body {
  const made = read(0, [index("e"), index("g"), table("slot"), index("d")]);
  return {
    tables: [slotTable(call, 1)],
    outputs: [folded("sum", ["e"], select(isRouted(1), mul(read(1), made), 0))],
  };
}

const combineBackward: Backward = {
  targets: [0, 1],
  body: (call, target) => {
    const tables = [slotTable(call, 2)];
    if (target === 0) {
      const isHere = mul(isRouted(2), equal(table("slot"), index("s")));
      const value = select(isHere, mul(read(0), read(2)), 0);
      return { tables, outputs: [folded("sum", ["t"], value)] };
    }
    const made = read(1, [index("e"), index("g"), table("slot"), index("d")]);
    return { tables, outputs: [folded("sum", ["d"], select(isRouted(2), mul(read(0), made), 0))] };
  },
};

/** The softmax over experts, kept for the best `k` of them. */
function gateTables(
  call: BoundCall,
  logits: number,
): { tables: readonly Table[]; share: Expr; isKept: Expr } {
  const x = operandAt(call, 0);
  const shifted = logits === 0 ? call : { ...call, inputs: [undefined, ...call.inputs] };
  const experts = axisAt(x, x.dims.length - 1);
  const others = x.dims.slice(0, -1).map(({ identifiers }) => identifiers[0] ?? "");
  return {
    tables: [
      ...exponentials(read(logits), experts, others),
      rankOrder(shifted, experts, "largest", logits),
    ],
    share: div(apply("exp", sub(read(logits), table("top"))), table("total")),
    isKept: less(table("rank"), numberOf(call, "k", 1)),
  };
}

/** With p the softmax and m the mask of the best: `p ∘ (m ∘ dy − Σ m ∘ dy ∘ p)`. */
const gateBackward: Backward = {
  targets: [0],
  body: (call) => {
    const { tables, share, isKept } = gateTables(call, 1);
    const x = operandAt(call, 0);
    const others = x.dims.slice(0, -1).map(({ identifiers }) => identifiers[0] ?? "");
    const incoming = mul(isKept, read(0));
    const level = tabled(
      "level",
      others,
      folded("sum", [axisAt(x, x.dims.length - 1)], mul(incoming, share)),
    );
    return {
      tables: [...tables, level],
      outputs: [mapped(mul(share, sub(incoming, table("level"))))],
    };
  },
};

export const experts: readonly LibraryEntry[] = [
  define({
    name: "moe_gate",
    parameters: ["logits", "k"],
    tensors: 1,
    annotate: () => "g t e^ -> g t e^",
    body: (call) => {
      const { tables, share, isKept } = gateTables(call, 0);
      return { tables, outputs: [mapped(select(isKept, share, 0))] };
    },
    gradient: gateBackward,
    sample: (n) => ({ inputs: [[n("g"), n("t"), n("e")]], attributes: { k: 1 } }),
  }),
  define({
    name: "moe_dispatch",
    parameters: ["x", "gates", "capacity"],
    tensors: 2,
    annotate: (call) => `g t^ d, g t^ e -> e g ${numberOf(call, "capacity", 1)} d`,
    body: dispatchBody,
    gradient: dispatchBackward,
    linear: [[0]],
    domains: [undefined, { kind: "flag" }],
    sample: (n) => ({
      inputs: [
        [n("g"), n("t"), n("d")],
        [n("g"), n("t"), n("e")],
      ],
      attributes: { capacity: 2 },
    }),
  }),
  define({
    name: "moe_combine",
    parameters: ["made", "gates"],
    annotate: () => "e+ g s^ d, g t^ e+ -> g t^ d",
    body: combineBody,
    gradient: combineBackward,
    linear: [[0]],
    domains: [undefined, { kind: "positive" }],
    sample: (n) => ({
      inputs: [
        [n("e"), n("g"), 3, n("d")],
        [n("g"), n("t"), n("e")],
      ],
      attributes: {},
    }),
  }),
];
