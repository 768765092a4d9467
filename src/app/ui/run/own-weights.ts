/** The file name endings of weights. */
export const weightsEnding = ".safetensors";

/** Whether a file has weights for a run, judged by its name. */
export function isWeights({ name }: Pick<File, "name">): boolean {
  return name.toLowerCase().endsWith(weightsEnding);
}
