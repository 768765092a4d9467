/** Systems whose own sequence of steps `reshard(…, steps="…")` can choose. */
export const reshardSystems = ["shardy", "dtensor", "mindspore", "nnscaler"] as const;
