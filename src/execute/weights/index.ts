// The reader's own weights, from files.

export { type CheckedWeights, checkWeights } from "./check-weights.ts";
export { decodeNumbers } from "./decode-numbers.ts";
export { type MatchedWeights, matchWeights, type TakenWeights } from "./match-weights.ts";
export { headerLength, prefixBytes, readHeader, type StoredTensor } from "./safetensors.ts";
export { takenWords, weightsNotes } from "./weights-notes.ts";
