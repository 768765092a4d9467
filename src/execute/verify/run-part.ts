/**
 * The parts of a run: unsharded, on every device, comparison of both. On floats the devices come
 * first, and the unsharded run follows them.
 */
export type RunPart = "reference" | "devices" | "comparison";
