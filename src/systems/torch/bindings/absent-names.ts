// Names of functions that PyTorch 2.13 has, but not where they are often looked for.

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** By module, what it does not have. */
const absent: Readonly<Record<string, ReadonlySet<string>>> = {
  torch: namesIn(`avg_pool2d binary_cross_entropy cross_entropy dropout2d elu fold gelu glu
    grid_sample gumbel_softmax hardsigmoid hardswish hardtanh huber_loss interpolate l1_loss
    leaky_relu linear logsigmoid mish mse_loss nll_loss normalize one_hot pad relu6 silu
    smooth_l1_loss softmin softplus softshrink softsign swish tanhshrink unfold
    upsample_nearest`),
  "torch.nn.functional": namesIn(`abs argmax cat clamp concat cos cumsum einsum exp flatten log
    masked_fill matmul max mean min norm outer permute reshape sin split sqrt squeeze stack sum
    swish transpose tril triu unsqueeze where`),
  Tensor: namesIn(`avg_pool2d batch_norm binary_cross_entropy binary_cross_entropy_with_logits cat
    conv1d conv2d conv3d cosine_similarity cross_entropy dropout einsum elu embedding gelu glu
    group_norm gumbel_softmax hardsigmoid hardswish hardtanh huber_loss instance_norm interpolate
    kl_div l1_loss layer_norm leaky_relu linear logsigmoid max_pool2d mish mse_loss nll_loss
    normalize one_hot pad pixel_shuffle relu6 rms_norm selu silu smooth_l1_loss softmin softplus
    softsign stack swish upsample_nearest`),
};

/** Whether a module of torch, or its tensors, do not have a name. */
export function isAbsent(home: string, name: string): boolean {
  return absent[home]?.has(name) === true;
}

/** Classes of `torch.nn` that are not read here; all others are. */
const unreadLayers = namesIn(`Container CrossMapLRN2d LinearCrossEntropyLoss
  LinearCrossEntropyOptions RNNBase RNNCellBase UninitializedBuffer UninitializedParameter`);

/** Whether a name that is not read as a layer is one that `torch.nn` does not have. */
export function isNoLayer(name: string): boolean {
  return /^[A-Z]/u.test(name) && !unreadLayers.has(name);
}
