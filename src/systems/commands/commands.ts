import { mindsporeCommands } from "#systems/mindspore";
import type { SystemCommand } from "#systems/system";

/**
 * The commands that only one system has, by name. They stand apart from the list of systems, so
 * that the page does not load them.
 */
export const systemCommands: Readonly<Record<string, SystemCommand>> = mindsporeCommands;
