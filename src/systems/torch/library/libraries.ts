import arrays from "./arrays.py?raw";
import aten from "./aten.py?raw";
import attention from "./attention.py?raw";
import averagedModels from "./averaged_models.py?raw";
import configNode from "./config_node.py?raw";
import convolutions from "./convolutions.py?raw";
import creation from "./creation.py?raw";
import data from "./data.py?raw";
import distributions from "./distributions.py?raw";
import einops from "./einops.py?raw";
import einopsLayers from "./einops_layers.py?raw";
import einsum from "./einsum.py?raw";
import flexAttention from "./flex_attention.py?raw";
import fourier from "./fourier.py?raw";
import functional from "./functional.py?raw";
import functions from "./functions.py?raw";
import gradients from "./gradients.py?raw";
import hub from "./hub.py?raw";
import hydra from "./hydra.py?raw";
import indexing from "./indexing.py?raw";
import layers from "./layers.py?raw";
import lazyLayers from "./lazy_layers.py?raw";
import linalg from "./linalg.py?raw";
import lossLayers from "./loss_layers.py?raw";
import losses from "./losses.py?raw";
import matrices from "./matrices.py?raw";
import megatron from "./megatron.py?raw";
import moduleUtilities from "./module_utilities.py?raw";
import movement from "./movement.py?raw";
import numpy from "./numpy.py?raw";
import { ufuncsText } from "./numpy-ufuncs.ts";
import packaging from "./packaging.py?raw";
import peft from "./peft.py?raw";
import pooling from "./pooling.py?raw";
import pydantic from "./pydantic.py?raw";
import pytree from "./pytree.py?raw";
import shapeHelpers from "./shape_helpers.py?raw";
import timm from "./timm.py?raw";
import timmHeads from "./timm_heads.py?raw";
import timmImages from "./timm_images.py?raw";
import timmVit from "./timm_vit.py?raw";
import torchtitan from "./torchtitan.py?raw";
import torchvision from "./torchvision.py?raw";
import torchvisionConvnext from "./torchvision_convnext.py?raw";
import torchvisionData from "./torchvision_data.py?raw";
import torchvisionDensenet from "./torchvision_densenet.py?raw";
import torchvisionEfficientnet from "./torchvision_efficientnet.py?raw";
import torchvisionGooglenet from "./torchvision_googlenet.py?raw";
import torchvisionInception from "./torchvision_inception.py?raw";
import torchvisionMobilenet from "./torchvision_mobilenet.py?raw";
import torchvisionNames from "./torchvision_names.py?raw";
import torchvisionRegnet from "./torchvision_regnet.py?raw";
import torchvisionResnet from "./torchvision_resnet.py?raw";
import torchvisionSegmentation from "./torchvision_segmentation.py?raw";
import torchvisionShufflenet from "./torchvision_shufflenet.py?raw";
import torchvisionSwin from "./torchvision_swin.py?raw";
import torchvisionVgg from "./torchvision_vgg.py?raw";
import torchvisionVit from "./torchvision_vit.py?raw";
import torchvisionWeights from "./torchvision_weights.py?raw";
import trainingLoops from "./training_loops.py?raw";
import transformers from "./transformers.py?raw";
import transformersConfigs from "./transformers_configs.py?raw";
import transformersMoreConfigs from "./transformers_more_configs.py?raw";
import transformersOtherConfigs from "./transformers_other_configs.py?raw";
import transformersRecentConfigs from "./transformers_recent_configs.py?raw";
import transformersTrainer from "./transformers_trainer.py?raw";
import transforms from "./transforms.py?raw";

/** A part of torch, or of a package around it, that is written in Python. */
export interface Library {
  readonly home: string;
  readonly text: string;
}

/** The parts by the module that offers their names. */
export const libraries: Readonly<Record<string, readonly Library[]>> = {
  torch: [
    { home: "torch", text: `${shapeHelpers}${functions}` },
    { home: "torch.movement", text: `${shapeHelpers}${movement}` },
    { home: "torch.indexing", text: `${shapeHelpers}${indexing}` },
    { home: "torch.creation", text: `${shapeHelpers}${creation}` },
    { home: "torch.matrices", text: `${shapeHelpers}${matrices}` },
    { home: "torch.einsum", text: `${shapeHelpers}${einsum}` },
  ],
  "torch.nn.functional": [
    { home: "torch.nn.functional", text: functional },
    { home: "torch.nn.functional.pooling", text: pooling },
    { home: "torch.nn.functional.convolutions", text: convolutions },
    { home: "torch.nn.functional.losses", text: losses },
  ],
  "torch.ops.aten": [{ home: "torch.ops.aten", text: `${shapeHelpers}${aten}` }],
  "torch.hub": [{ home: "torch.hub", text: hub }],
  "torch.linalg": [{ home: "torch.linalg", text: `${shapeHelpers}${linalg}` }],
  "torch.autograd": [{ home: "torch.autograd", text: gradients }],
  "torch.func": [{ home: "torch.func", text: transforms }],
  "torch.fft": [{ home: "torch.fft", text: fourier }],
  "torch.distributions": [{ home: "torch.distributions", text: distributions }],
  "torch.nn.attention": [{ home: "torch.nn.attention.flex_attention", text: flexAttention }],
  "torch.nn.utils": [{ home: "torch.nn.utils", text: moduleUtilities }],
  "torch.optim.swa_utils": [{ home: "torch.optim.swa_utils", text: averagedModels }],
  "torch.utils.data": [{ home: "torch.utils.data", text: data }],
  "torch.utils._pytree": [{ home: "torch.utils._pytree", text: pytree }],
  "torch.nn": [
    { home: "torch.nn.attention", text: attention },
    { home: "torch.nn.layers", text: layers },
    { home: "torch.nn.losses", text: lossLayers },
    { home: "torch.nn.lazy", text: lazyLayers },
  ],
  torchtitan: [{ home: "torchtitan", text: torchtitan }],
  numpy: [{ home: "numpy", text: `${shapeHelpers}${arrays}${numpy}\n${ufuncsText}` }],
  einops: [{ home: "einops", text: einops }],
  "einops.layers.torch": [{ home: "einops.layers.torch", text: einopsLayers }],
  timm: [
    { home: "timm", text: timm },
    { home: "timm.images", text: timmImages },
    { home: "timm.heads", text: timmHeads },
    { home: "timm.vit", text: timmVit },
  ],
  configNode: [{ home: "configNode", text: configNode }],
  "packaging.version": [{ home: "packaging.version", text: packaging }],
  torchvision: [
    { home: "torchvision", text: torchvision },
    { home: "torchvision.data", text: torchvisionData },
    { home: "torchvision.convnext", text: torchvisionConvnext },
    { home: "torchvision.densenet", text: torchvisionDensenet },
    { home: "torchvision.efficientnet", text: torchvisionEfficientnet },
    { home: "torchvision.googlenet", text: torchvisionGooglenet },
    { home: "torchvision.inception", text: torchvisionInception },
    { home: "torchvision.mobilenet", text: torchvisionMobilenet },
    { home: "torchvision.names", text: torchvisionNames },
    { home: "torchvision.regnet", text: torchvisionRegnet },
    { home: "torchvision.resnet", text: torchvisionResnet },
    { home: "torchvision.segmentation", text: torchvisionSegmentation },
    { home: "torchvision.shufflenet", text: torchvisionShufflenet },
    { home: "torchvision.swin", text: torchvisionSwin },
    { home: "torchvision.vgg", text: torchvisionVgg },
    { home: "torchvision.vit", text: torchvisionVit },
    { home: "torchvision.weights", text: torchvisionWeights },
  ],
  trainingLoops: [{ home: "trainingLoops", text: trainingLoops }],
  transformers: [
    { home: "transformers", text: transformers },
    { home: "transformers.trainer", text: transformersTrainer },
    { home: "transformers.configs", text: `${transformersConfigs}${transformersMoreConfigs}` },
    {
      home: "transformers.recent",
      text: `${transformersConfigs}${transformersRecentConfigs}${transformersOtherConfigs}`,
    },
  ],
  peft: [{ home: "peft", text: peft }],
  hydra: [{ home: "hydra", text: hydra }],
  pydantic: [{ home: "pydantic", text: pydantic }],
  megatron: [{ home: "megatron", text: megatron }],
};
