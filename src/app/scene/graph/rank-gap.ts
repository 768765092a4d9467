import type { FlowEdge, FlowNode } from "./flow.ts";

/** What stands on the line from one card to the next, from above. */
export type CenterItem =
  | { readonly kind: "badge"; readonly redistribution: number }
  | { readonly kind: "output"; readonly redistribution: number };

/** A line that comes in from the lanes at the left, with the badge that it passes, if any. */
export interface Arrival {
  readonly edge: FlowEdge;
  readonly badge: number | undefined;
  /** The row of the card below that it goes on into. */
  readonly card: number | undefined;
}

/** What stands below a card, on the line that leaves it downwards. */
export interface Chain {
  readonly column: number;
  readonly from: FlowNode;
  readonly items: readonly CenterItem[];
  /** The last thing on the line: the card itself, or a badge. */
  readonly tail: FlowNode;
}

/** A redistribution that stands right above the card that needs it. */
export interface EntryBadge {
  readonly badge: number;
  readonly card: number;
  /** Into the badge, and from there into the card. */
  readonly into: FlowEdge;
  readonly out: FlowEdge;
  /** On which side of its line it stands: alone over it. */
  readonly side: "left" | "right" | "middle";
}

/** The space above a rank of cards; the last one lies below all cards. */
export interface RankGap {
  /** Below the cards of the rank above, from left to right. */
  readonly chains: readonly Chain[];
  /** Lines from the tail of a chain into a card below in another column, or into the badge above it. */
  readonly hops: readonly FlowEdge[];
  readonly entryBadges: readonly EntryBadge[];
  readonly arrivals: readonly Arrival[];
}
