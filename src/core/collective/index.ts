export type { Collective, Move, Slot, Transfer } from "./collective.ts";
