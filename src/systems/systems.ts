import type { System } from "#language/document";
import { mindspore } from "#systems/mindspore";
import { nnscaler } from "#systems/nnscaler";

/** Every system whose words a program may use. To add one: a folder beside this, and a line here. */
export const systems: readonly System[] = [mindspore, nnscaler];
