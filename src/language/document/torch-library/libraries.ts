import { attention } from "./attention.ts";
import { fourier } from "./fourier.ts";
import { functional } from "./functional.ts";
import { functions } from "./functions.ts";
import { layers } from "./layers.ts";
import { matrices } from "./matrices.ts";
import { megatron } from "./megatron.ts";
import { configNode, packaging, timm } from "./model-packages.ts";
import { einops, einopsLayers, torchvision } from "./packages.ts";
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
    { home: "torch.matrices", text: matrices },
  ],
  "torch.nn.functional": [{ home: "torch.nn.functional", text: functional }],
  "torch.fft": [{ home: "torch.fft", text: fourier }],
  "torch.nn": [
    { home: "torch.nn.attention", text: attention },
    { home: "torch.nn.layers", text: layers },
  ],
  einops: [{ home: "einops", text: einops }],
  "einops.layers.torch": [{ home: "einops.layers.torch", text: einopsLayers }],
  timm: [{ home: "timm", text: timm }],
  configNode: [{ home: "configNode", text: configNode }],
  "packaging.version": [{ home: "packaging.version", text: packaging }],
  torchvision: [{ home: "torchvision", text: torchvision }],
  transformers: [
    { home: "transformers", text: transformers },
    { home: "transformers.configs", text: `${transformersConfigs}${transformersMoreConfigs}` },
  ],
  megatron: [{ home: "megatron", text: megatron }],
};
