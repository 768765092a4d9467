import { mindsporeCommands } from "#systems/mindspore";
import type { SystemCommand } from "#systems/system";

/**
 * Commands that belong to one system, by name. They are separate from the list of systems, so that
 * the page does not load them.
 */
export const systemCommands: Readonly<Record<string, SystemCommand>> = mindsporeCommands;
