import embeddings from "./embeddings.py?raw";
import imageLayers from "./image-layers.py?raw";
import layers from "./layers.py?raw";
import losses from "./losses.py?raw";
import mintLayers from "./mint-layers.py?raw";
import training from "./training.py?raw";
import virtualDataset from "./virtual-dataset.py?raw";

/** A part of MindSpore that is written in Python, with the modules that offer its names. */
export interface Library {
  readonly home: string;
  readonly text: string;
  readonly modules: RegExp;
}

/**
 * Training cells, layers of several primitives, and losses; a name resolves to the first library
 * that has it.
 */
export const libraries: readonly Library[] = [
  {
    home: "mindspore.training",
    text: training,
    modules: /^mindspore(\.train(\.model)?|\.nn(\.wrap.*)?|\.parallel\.nn.*|\.nn\.layer\.basic)?$/,
  },
  {
    home: "mindspore.virtual_dataset",
    text: virtualDataset,
    modules: /^mindspore\.ops\.operations(\.comm_ops)?$/,
  },
  {
    home: "mindspore.layers",
    text: layers,
    modules: /^mindspore\.nn(\.layer(\.\w+)?)?$/,
  },
  {
    home: "mindspore.image_layers",
    text: imageLayers,
    modules: /^mindspore\.nn(\.layer(\.\w+)?)?$/,
  },
  {
    home: "mindspore.embeddings",
    text: embeddings,
    modules: /^mindspore\.nn(\.layer(\.embedding)?)?$/,
  },
  {
    home: "mindspore.mint.layers",
    text: mintLayers,
    modules: /^mindspore\.mint\.nn(\.layer(\.\w+)?)?$/,
  },
  {
    home: "mindspore.losses",
    text: losses,
    modules: /^mindspore\.(nn|mint\.nn)(\.loss(\.loss)?)?$/,
  },
];
