/** A text to plan. */
export interface PlanAsked {
  readonly source: string;
  /** Bytes that one device may hold. */
  readonly memoryLimit?: number;
}

export interface PlanAskedOnce extends PlanAsked {
  readonly id: number;
}

/** How far a search is. */
export type PlanStage = "reading" | "searching" | "writing";

/** An operator, or its like in equal blocks, that the plan cuts otherwise than the text did. */
export interface PlanChange {
  /** A name, or names with `*`. */
  readonly name: string;
  readonly count: number;
  /** Identifiers with the axes that cut them; empty where it is whole. */
  readonly before: string;
  readonly after: string;
}

/** What a search says of a text. */
export type PlanAnswer =
  | {
      readonly kind: "planned";
      /** The text with the plan written in; absent where it has no words for it. */
      readonly source?: string;
      /** Seconds of the text's own plan, and of the one that was found. */
      readonly before: number;
      readonly seconds: number;
      /** Seconds that no plan goes below. */
      readonly bound: number;
      /** The text's own plan beats all that the planner looks at: it cuts in other ways. */
      readonly isOutside?: true;
      /** Of the fullest device at its fullest moment. */
      readonly bytes: number;
      /** The devices whose figures were taken. */
      readonly model: string;
      readonly changes: readonly PlanChange[];
      readonly pins: readonly string[];
      /** What has to be known of the new text. */
      readonly notes: readonly string[];
    }
  /** No plan meets what is asked; why, and what the leanest plan takes where memory is short. */
  | { readonly kind: "infeasible"; readonly message: string; readonly leastBytes?: number }
  /** There is nothing to plan. */
  | { readonly kind: "refused"; readonly message: string };

/** What the worker of plans says: how far it is, then one last answer. */
export type PlanWord =
  | { readonly kind: "stage"; readonly id: number; readonly stage: PlanStage }
  | { readonly kind: "answer"; readonly id: number; readonly answer: PlanAnswer }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
