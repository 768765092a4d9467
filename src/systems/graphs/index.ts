import { loomWords } from "#systems/loom/texts";
import type { GraphWords } from "#systems/system/graph";

/**
 * Words of the format in which programs are saved as graphs. They are separate from the systems, so
 * that the page can show them without loading the reader of graphs.
 */
export const graphWords: GraphWords = loomWords;
