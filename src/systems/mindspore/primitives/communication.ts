import { numberOf, numbersOf } from "./arguments.ts";
import { type LinkCall, type Links, own } from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** Links of AlltoAll: the input is split on one dim and concatenated on another. */
function exchanged(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [count, from, to] = [
    numberOf(call, "split_count", 1),
    numberOf(call, "split_dim", 0),
    numberOf(call, "concat_dim", 0),
  ];
  for (const [name, dim] of [
    ["split_dim", from],
    ["concat_dim", to],
  ] as const) {
    if (dim >= x.length)
      return `the ${name} of AlltoAll is ${dim}, but its input has ${x.length} dims`;
  }
  if ((x[from] ?? 0) % count !== 0) {
    return `AlltoAll cannot take a dim of ${x[from]} elements apart into ${count} pieces`;
  }
  const sent = x.with(from, (x[from] ?? 1) / count);
  return { outputs: [sent.with(to, (sent[to] ?? 1) * count).map(own)] };
}

/**
 * Links of NeighborExchange: each tensor goes to one rank; received tensors have the given shapes.
 */
function neighbours(call: LinkCall): Links | string | undefined {
  const listOf = (name: string) => {
    const value = call.attributes[name];
    return Array.isArray(value) ? (value as readonly unknown[]) : [];
  };
  const [send, receive] = [listOf("send_shapes"), listOf("recv_shapes")];
  for (const [side, shapes] of [
    ["send", send],
    ["recv", receive],
  ] as const) {
    const ranks = listOf(`${side}_rank_ids`).length;
    if (ranks !== shapes.length) {
      return `NeighborExchange has ${shapes.length} ${side}_shapes for ${ranks} ${side}_rank_ids`;
    }
  }
  if (send.length !== call.shapes.length) {
    return `NeighborExchange has ${send.length} send_shapes for ${call.shapes.length} inputs`;
  }
  const other = call.shapes.findIndex((shape, at) => shape.join() !== String(send[at]));
  if (other >= 0)
    return `input ${other} of NeighborExchange has not the shape that send_shapes says`;
  const sizes = receive.map((shape) => (Array.isArray(shape) ? shape.map(Number) : []));
  return { outputs: sizes.map((shape) => shape.map(own)) };
}

/** Links of NeighborExchangeV2: borders of an image come from the surrounding neighbours. */
function borders(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  if (call.shapes.length !== 1)
    return `NeighborExchangeV2 takes one input, not ${call.shapes.length}`;
  const [top = 0, bottom = 0, left = 0, right = 0] = numbersOf(call, "send_lens") ?? [];
  const [height = 1, width = 1] = x.slice(-2);
  if (Math.max(top, bottom) > height || Math.max(left, right) > width) {
    return "send_lens of NeighborExchangeV2 is larger than its input";
  }
  const ranks = numbersOf(call, "recv_rank_ids") ?? [];
  const lengths = numbersOf(call, "recv_lens") ?? [];
  // Neighbour places go clockwise from the top; sides are top, bottom, left, right.
  const grown = (place: number, side: number) => (ranks[place] === -1 ? 0 : (lengths[side] ?? 0));
  const sizes = [height + grown(0, 0) + grown(4, 1), width + grown(6, 2) + grown(2, 3)];
  return { outputs: [[...x.slice(0, -2), ...sizes].map(own)] };
}

/** Primitives with which a program itself sends tensors. */
export const communicationRows: readonly SpecRow[] = [
  ["AlltoAll", "split_count split_dim concat_dim group", "x", exchanged],
  [
    "NeighborExchange",
    "send_rank_ids recv_rank_ids recv_shapes send_shapes recv_type group",
    "x",
    neighbours,
    { isVariadic: true },
  ],
  [
    "NeighborExchangeV2",
    "send_rank_ids send_lens recv_rank_ids recv_lens data_format group",
    "x",
    borders,
    { isVariadic: true },
  ],
];
