import {
  apply,
  type Body,
  type Expr,
  folded,
  index,
  mapped,
  number,
  position,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import { add, div, less, mul, neg, quotient, remainder, select, sub } from "./body/expressions.ts";
import {
  axesBeside,
  axesIn,
  axisAt,
  type BoundCall,
  type CallShapes,
  dimOf,
  flagOf,
  letter,
  numberOf,
  operandAt,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { Backward, LibraryEntry } from "./entry.ts";
import { exponentials } from "./softmax.ts";

/**
 * `b h l e, b h s e, b h s d -> b h l d`; with fewer key heads `(h r)`, each serving r. A mask
 * broadcasts to `b h l s`.
 */
function attentionAnnotation(call: CallShapes): string {
  const [q, k] = [shapeAt(call, 0), shapeAt(call, 1)];
  const batch = ["b", ...Array.from({ length: Math.max(0, q.length - 4) }, (_, i) => `b${i}`)];
  const lead = q.length < 3 ? "" : batch.slice(0, q.length - 3).join(" ");
  if (q.length < 3) return `l e^, s^ e^, s^ d${maskAnnotation(call, ["l", "s^"])} -> l d`;
  const [heads, shared] = [q.at(-3), k.at(-3)];
  const isGrouped = q.length > 3 && heads !== shared && heads !== undefined && shared !== undefined;
  const own = isGrouped ? `${lead} (h r)` : `${lead} h`;
  const dims = [...lead.split(" "), isGrouped ? "(h r)" : "h", "l", "s^"];
  const mask = maskAnnotation(call, dims.filter(Boolean));
  return `${own} l e^, ${lead} h s^ e^, ${lead} h s^ d${mask} -> ${own} l d`;
}

/**
 * Annotation of the mask, an optional fourth input whose dims are aligned at the right; `1` for a
 * dim of size 1, which is broadcast.
 */
function maskAnnotation(call: CallShapes, dims: readonly string[]): string {
  if (call.inputs.length < 4) return "";
  const mask = call.inputs[3];
  if (mask === undefined) return ", ?";
  const names = dims.slice(Math.max(0, dims.length - mask.length));
  return `, ${mask.map((size, dim) => (size === 1 ? "1" : (names[dim] ?? "1"))).join(" ")}`;
}

/** The names of attention's axes, by role. */
function axesOf(call: BoundCall) {
  const [q, k] = [operandAt(call, 0), operandAt(call, 1)];
  const rank = q.dims.length;
  const [rows, inner, columns] = [axisAt(q, rank - 2), axisAt(q, rank - 1), axisAt(k, rank - 2)];
  const heads = axesIn(call, q).filter((name) => name !== rows && name !== inner);
  return { rows, inner, columns, heads };
}

/**
 * Tables `score`, `top`, `total`. The causal mask compares indices of the whole sequence, so rows
 * may be cut. A mask is added to the scores; a boolean one says which of them count.
 */
function scores(call: BoundCall, q: Expr, k: Expr, mask: Expr): readonly Table[] {
  const { rows, inner, columns, heads } = axesOf(call);
  const width = operandAt(call, 0).shape.at(-1) ?? 1;
  const scale = numberOf(call, "scale", 1 / Math.sqrt(width));
  const product = tabled(
    "product",
    [...heads, rows, columns],
    folded("sum", [inner], mul(q, k, scale)),
  );
  const hidden = less(index(rows), index(columns));
  const added = call.inputs[3] === undefined ? table("product") : withMask(call, mask);
  const masked = flagOf(call, "is_causal")
    ? select(hidden, Number.NEGATIVE_INFINITY, added)
    : added;
  const score = tabled("score", [...heads, rows, columns], mapped(masked));
  return [product, score, ...exponentials(table("score"), columns, [...heads, rows])];
}

function withMask(call: BoundCall, mask: Expr): Expr {
  if (!flagOf(call, "is_boolean")) return add(table("product"), mask);
  return select(mask, table("product"), Number.NEGATIVE_INFINITY);
}

/** Softmax weight of a column in its row, from the tables of `scores`. */
const weight = div(apply("exp", sub(table("score"), table("top"))), table("total"));

function attentionBody(call: BoundCall): Body {
  const { columns } = axesOf(call);
  return {
    tables: scores(call, read(0), read(1), read(3)),
    outputs: [folded("sum", [columns], mul(weight, read(2)))],
  };
}

/**
 * With `P = softmax(S)`: `dV = Pᵀ dO`, `dS = P ∘ (dO Vᵀ − Σ P ∘ dO Vᵀ)`, `dQ = dS K`, `dK = dSᵀ Q`;
 * a mask that is added gets `dS` before its scale.
 */
const attentionBackward: Backward = {
  targets: [0, 1, 2, 3],
  isOneKernel: true,
  body: (call, target) => {
    const { rows, inner, columns, heads } = axesOf(call);
    const v = operandAt(call, 2);
    const [dy, q, k, value] = [read(0), read(1), read(2), read(3)];
    const forward = scores(call, q, k, read(4));
    const features = axisAt(v, v.dims.length - 1);
    const beside = axesBeside(call, operandAt(call, target));
    const over = beside.filter((name) => name !== features && name !== inner);
    if (target === 2) return { tables: forward, outputs: [folded("sum", over, mul(weight, dy))] };
    const incoming = tabled(
      "incoming",
      [...heads, rows, columns],
      folded("sum", [features], mul(dy, value)),
    );
    const level = tabled(
      "level",
      [...heads, rows],
      folded("sum", [columns], mul(weight, table("incoming"))),
    );
    const width = operandAt(call, 0).shape.at(-1) ?? 1;
    const scale = numberOf(call, "scale", 1 / Math.sqrt(width));
    const slope = mul(weight, sub(table("incoming"), table("level")));
    const factors = target === 3 ? [] : [number(scale), target === 0 ? k : q];
    return {
      tables: [...forward, incoming, level],
      outputs: [folded("sum", over, mul(slope, ...factors))],
    };
  },
};

/**
 * Rotary embedding in halves (Su et al. 2021, as GPT-NeoX lays it out): pairs (i, i + d/2) of the
 * last dim turn by `position · base^(−2i/d)`; the position is the index along `dim`. Where it is
 * `interleaved` the pairs are neighbours, (2i, 2i + 1), as the paper and GPT-J have them.
 */
function rotaryBody(call: BoundCall): Body {
  const x = operandAt(call, 0);
  const rank = x.shape.length;
  const width = x.shape.at(-1) ?? 2;
  const half = width / 2;
  const place = position(dimOf(call, rank, -2));
  const last = position(rank - 1);
  const isBeside = flagOf(call, "interleaved");
  const pair = isBeside ? quotient(last, 2) : remainder(last, half);
  const turns = apply(
    "pow",
    { kind: "number", value: numberOf(call, "base", 10000) },
    div(mul(-2, pair), width),
  );
  const angle = mul(place, turns);
  const isSecond = isBeside ? remainder(last, 2) : quotient(last, half);
  const at = (place: Expr) =>
    read(
      0,
      x.dims.map((_, dim) => (dim === rank - 1 ? place : position(dim))),
    );
  const [first, second] = isBeside
    ? [at(mul(2, pair)), at(add(mul(2, pair), 1))]
    : [at(pair), at(add(pair, half))];
  const sine = apply("sin", angle);
  const turned = flagOf(call, "inverse") ? neg(sine) : sine;
  const cosine = apply("cos", angle);
  return {
    tables: [],
    outputs: [
      mapped(
        select(
          isSecond,
          add(mul(second, cosine), mul(first, turned)),
          sub(mul(first, cosine), mul(second, turned)),
        ),
      ),
    ],
  };
}

export const attention: readonly LibraryEntry[] = [
  define({
    name: "attention",
    aliases: ["scaled_dot_product_attention"],
    parameters: ["query", "key", "value", "attn_mask", "is_causal", "scale", "is_boolean"],
    tensors: 4,
    required: 3,
    annotate: attentionAnnotation,
    body: attentionBody,
    gradient: attentionBackward,
    linear: [[2]],
    sample: (n) => ({
      inputs: [
        [n("b"), 2 * n("h"), n("l"), n("e")],
        [n("b"), n("h"), n("l"), n("e")],
        [n("b"), n("h"), n("l"), n("d")],
      ],
      attributes: { is_causal: true },
    }),
  }),
  define({
    name: "rotary",
    aliases: ["apply_rotary"],
    parameters: ["x", "dim", "base", "inverse", "interleaved"],
    tensors: 1,
    annotate: (call) => {
      const rank = shapeAt(call, 0).length;
      const dims = Array.from(
        { length: rank },
        (_, dim) => letter(dim) + (dim === rank - 1 ? "^" : ""),
      );
      return `${dims.join(" ")} -> ${dims.join(" ")}`;
    },
    body: rotaryBody,
    gradient: (call) => [
      [
        {
          op: "rotary",
          operands: [{ from: "gradient", index: 0 }],
          attributes: { ...call.attributes, inverse: !flagOf(call, "inverse") },
        },
      ],
    ],
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("b"), n("s"), 2 * n("d")]], attributes: { base: 100 } }),
  }),
];
