/** Systems as they call themselves. */
export const systemNames = {
  shardy: "Shardy",
  dtensor: "DTensor",
  mindspore: "MindSpore",
  nnscaler: "nnScaler",
} as const;
