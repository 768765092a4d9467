import { dtensor } from "#systems/dtensor";
import { jax } from "#systems/jax";
import { loom } from "#systems/loom";
import { mindspore } from "#systems/mindspore";
import { nnscaler } from "#systems/nnscaler";
import { shardy } from "#systems/shardy";
import type { System } from "#systems/system";
import { torch } from "#systems/torch";

/** Every known system. To add one: a folder beside this file, and its name here. */
export const systems: readonly System[] = [jax, torch, shardy, dtensor, mindspore, nnscaler, loom];
