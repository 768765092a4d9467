// The reader's own weights, from files.

export { type CheckedWeights, checkWeights } from "./check-weights.ts";
export { decodeNumbers } from "./decode-numbers.ts";
export { type MatchedWeights, matchWeights, type WeightAssignment } from "./match-weights.ts";
export { headerLength, prefixBytes, readHeader, type StoredTensor } from "./safetensors.ts";
export { assignedWeightsText, weightsNotes } from "./weights-notes.ts";
