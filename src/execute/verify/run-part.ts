/**
 * Part of a run: the unsharded run, the run on all devices, or the comparison. On floats the
 * devices run first, and the unsharded run follows them.
 */
export type RunPart = "reference" | "devices" | "comparison";
