import type { SystemCommand } from "#systems/system";
import { operatorAnswer } from "./operator.ts";
import { redistributionAnswer } from "./redistribution.ts";

/** Commands of the CLI that exist only for MindSpore. */
export const mindsporeCommands: Readonly<Record<string, SystemCommand>> = {
  "mindspore-redistribution": redistributionAnswer,
  "mindspore-operator": operatorAnswer,
};
