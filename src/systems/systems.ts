import { dtensor } from "#systems/dtensor";
import { loom } from "#systems/loom";
import { mindspore } from "#systems/mindspore";
import { nnscaler } from "#systems/nnscaler";
import { shardy } from "#systems/shardy";
import type { System } from "#systems/system";

/** Every system that is known. To add one: a folder beside this, and a line here. */
export const systems: readonly System[] = [shardy, dtensor, mindspore, nnscaler, loom];
