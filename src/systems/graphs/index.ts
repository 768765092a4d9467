import { loomWords } from "#systems/loom/texts";
import type { GraphWords } from "#systems/system/graph";

/**
 * The words of the format in which programs are saved as graphs. They stand apart from the systems,
 * so that the page, which shows them, does not load what reads graphs.
 */
export const graphWords: GraphWords = loomWords;
