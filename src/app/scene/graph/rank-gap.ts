import type { FlowEdge, FlowNode } from "./flow.ts";

/** An item on the line from one card to the next, from top to bottom. */
export type CenterItem =
  | { readonly kind: "badge"; readonly redistribution: number }
  | { readonly kind: "output"; readonly redistribution: number };

/** A line that comes in from the lanes at the left, with the badge it passes, if any. */
export interface Arrival {
  readonly edge: FlowEdge;
  readonly badge: number | undefined;
  /** Row of the card below that the line enters. */
  readonly card: number | undefined;
}

/** The items below a card, on the line that leaves it downwards. */
export interface Chain {
  readonly column: number;
  readonly from: FlowNode;
  readonly items: readonly CenterItem[];
  /** The last node on the line: the card itself, or a badge. */
  readonly tail: FlowNode;
}

/** A redistribution right above the card that needs it. */
export interface EntryBadge {
  readonly badge: number;
  readonly card: number;
  /** The edge into the badge, and the edge from the badge into the card. */
  readonly into: FlowEdge;
  readonly out: FlowEdge;
  /** Side of its line; `middle` if the badge is alone, centred on the line. */
  readonly side: "left" | "right" | "middle";
}

/** The gap above a rank of cards; the last gap is below all cards. */
export interface RankGap {
  /** Chains below the cards of the rank above, from left to right. */
  readonly chains: readonly Chain[];
  /**
   * Lines from the tail of a chain into a card below in another column, or into the badge above
   * that card.
   */
  readonly hops: readonly FlowEdge[];
  readonly entryBadges: readonly EntryBadge[];
  readonly arrivals: readonly Arrival[];
}
