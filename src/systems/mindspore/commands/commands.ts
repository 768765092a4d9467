import type { SystemCommand } from "#systems/system";
import { operatorAnswer } from "./operator.ts";
import { redistributionAnswer } from "./redistribution.ts";

/** The commands that only MindSpore has. */
export const mindsporeCommands: Readonly<Record<string, SystemCommand>> = {
  "mindspore-redistribution": redistributionAnswer,
  "mindspore-operator": operatorAnswer,
};
