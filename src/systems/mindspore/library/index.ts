import losses from "./losses.py?raw";
import training from "./training.py?raw";

/** A part of MindSpore that is written in Python, and the modules that offer its names. */
export interface Library {
  readonly home: string;
  readonly text: string;
  readonly modules: RegExp;
}

/** Cells that train a net, and those that compute losses. */
export const libraries: readonly Library[] = [
  {
    home: "mindspore.training",
    text: training,
    modules: /^mindspore(\.train(\.model)?|\.nn(\.wrap.*)?|\.parallel\.nn.*|\.nn\.layer\.basic)?$/,
  },
  {
    home: "mindspore.losses",
    text: losses,
    modules: /^mindspore\.(nn|mint\.nn)(\.loss(\.loss)?)?$/,
  },
];
