import { attention } from "./attention.ts";
import { convolutions } from "./convolutions.ts";
import { creation } from "./creation.ts";
import { fourier } from "./fourier.ts";
import { functional } from "./functional.ts";
import { functions } from "./functions.ts";
import { indexing } from "./indexing.ts";
import { layers } from "./layers.ts";
import { lazyLayers } from "./lazy-layers.ts";
import { linalg } from "./linalg.ts";
import { lossLayers } from "./loss-layers.ts";
import { losses } from "./losses.ts";
import { matrices } from "./matrices.ts";
import { megatron } from "./megatron.ts";
import { configNode, packaging } from "./model-packages.ts";
import { moduleUtilities } from "./module-utilities.ts";
import { movement } from "./movement.ts";
import { einops, einopsLayers, torchvision } from "./packages.ts";
import { pooling } from "./pooling.ts";
import { timm } from "./timm.ts";
import { timmImages } from "./timm-images.ts";
import { transformers } from "./transformers.ts";
import { transformersConfigs } from "./transformers-configs.ts";
import { transformersMoreConfigs } from "./transformers-more-configs.ts";

/** A part of torch, or of a package around it, that is written in Python. */
export interface Library {
  readonly home: string;
  readonly text: string;
}

/** The parts by the module that offers their names. */
export const libraries: Readonly<Record<string, readonly Library[]>> = {
  torch: [
    { home: "torch", text: functions },
    { home: "torch.movement", text: movement },
    { home: "torch.indexing", text: indexing },
    { home: "torch.creation", text: creation },
    { home: "torch.matrices", text: matrices },
  ],
  "torch.nn.functional": [
    { home: "torch.nn.functional", text: functional },
    { home: "torch.nn.functional.pooling", text: pooling },
    { home: "torch.nn.functional.convolutions", text: convolutions },
    { home: "torch.nn.functional.losses", text: losses },
  ],
  "torch.linalg": [{ home: "torch.linalg", text: linalg }],
  "torch.fft": [{ home: "torch.fft", text: fourier }],
  "torch.nn.utils": [{ home: "torch.nn.utils", text: moduleUtilities }],
  "torch.nn": [
    { home: "torch.nn.attention", text: attention },
    { home: "torch.nn.layers", text: layers },
    { home: "torch.nn.losses", text: lossLayers },
    { home: "torch.nn.lazy", text: lazyLayers },
  ],
  einops: [{ home: "einops", text: einops }],
  "einops.layers.torch": [{ home: "einops.layers.torch", text: einopsLayers }],
  timm: [
    { home: "timm", text: timm },
    { home: "timm.images", text: timmImages },
  ],
  configNode: [{ home: "configNode", text: configNode }],
  "packaging.version": [{ home: "packaging.version", text: packaging }],
  torchvision: [{ home: "torchvision", text: torchvision }],
  transformers: [
    { home: "transformers", text: transformers },
    { home: "transformers.configs", text: `${transformersConfigs}${transformersMoreConfigs}` },
  ],
  megatron: [{ home: "megatron", text: megatron }],
};
