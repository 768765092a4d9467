/** The public names of PyTorch 2.13's `torch.nn`: its module classes. */
export const moduleNames: readonly string[] = namesIn(`
AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss 
AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d 
AvgPool3d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d BatchNorm3d Bilinear CELU CTCLoss 
ChannelShuffle CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d 
ConstantPad3d Container Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d 
CosineEmbeddingLoss CosineSimilarity CrossEntropyLoss CrossMapLRN2d DataParallel Dropout 
Dropout1d Dropout2d Dropout3d ELU Embedding EmbeddingBag FeatureAlphaDropout Flatten Fold 
FractionalMaxPool2d FractionalMaxPool3d GELU GLU GRU GRUCell GaussianNLLLoss GroupNorm 
Hardshrink Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss HuberLoss Identity InstanceNorm1d 
InstanceNorm2d InstanceNorm3d KLDivLoss L1Loss LPPool1d LPPool2d LPPool3d LSTM LSTMCell 
LayerNorm LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d 
LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d 
LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear LeakyReLU Linear LinearCrossEntropyLoss 
LocalResponseNorm LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1d MaxPool2d MaxPool3d 
MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish Module ModuleDict ModuleList MultiLabelMarginLoss 
MultiLabelSoftMarginLoss MultiMarginLoss MultiheadAttention NLLLoss NLLLoss2d PReLU 
PairwiseDistance ParameterDict ParameterList PixelShuffle PixelUnshuffle PoissonNLLLoss RMSNorm 
RNN RNNBase RNNCell RNNCellBase RReLU ReLU ReLU6 ReflectionPad1d ReflectionPad2d 
ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d SELU Sequential SiLU Sigmoid 
SmoothL1Loss SoftMarginLoss Softmax Softmax2d Softmin Softplus Softshrink Softsign 
SyncBatchNorm Tanh Tanhshrink Threshold Transformer TransformerDecoder TransformerDecoderLayer 
TransformerEncoder TransformerEncoderLayer TripletMarginLoss TripletMarginWithDistanceLoss 
Unflatten Unfold Upsample UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d
`);

/** The public functions of PyTorch 2.13's `torch.nn.functional`. */
export const functionalNames: readonly string[] = namesIn(`
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d 
adaptive_max_pool1d_with_indices adaptive_max_pool2d adaptive_max_pool2d_with_indices 
adaptive_max_pool3d adaptive_max_pool3d_with_indices affine_grid alpha_dropout avg_pool1d 
avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy binary_cross_entropy_with_logits 
celu celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d 
conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss dropout 
dropout1d dropout2d dropout3d elu elu_ embedding embedding_bag feature_alpha_dropout fold 
fractional_max_pool2d fractional_max_pool2d_with_indices fractional_max_pool3d 
fractional_max_pool3d_with_indices gaussian_nll_loss gelu glu grid_sample group_norm grouped_mm 
gumbel_softmax hardshrink hardsigmoid hardswish hardtanh hardtanh_ hinge_embedding_loss 
huber_loss instance_norm interpolate kl_div l1_loss layer_norm leaky_relu leaky_relu_ linear 
linear_cross_entropy local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d 
margin_ranking_loss max_pool1d max_pool1d_with_indices max_pool2d max_pool2d_with_indices 
max_pool3d max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d mish mse_loss 
multi_head_attention_forward multi_margin_loss multilabel_margin_loss 
multilabel_soft_margin_loss native_channel_shuffle nll_loss normalize one_hot pad 
pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu relu6 relu_ 
rms_norm rrelu rrelu_ scaled_dot_product_attention scaled_grouped_mm scaled_mm selu selu_ 
sigmoid silu smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh 
tanhshrink threshold threshold_ triplet_margin_loss triplet_margin_with_distance_loss unfold 
upsample upsample_bilinear upsample_nearest
`);

/** The operators that PyTorch 2.13 tags as Core ATen. */
export const coreNames: readonly string[] = namesIn(`
_adaptive_avg_pool2d _adaptive_avg_pool2d_backward _adaptive_avg_pool3d _cdist_forward 
_embedding_bag _fft_c2r _fft_r2c _local_scalar_dense _log_softmax _native_batch_norm_legit 
_native_batch_norm_legit_no_training _pdist_forward _softmax _to_copy abs acos acosh 
adaptive_avg_pool1d add addmm alias amax amin any arange argmax argmin as_strided asin asinh 
atan atan2 atanh avg_pool1d avg_pool2d avg_pool2d_backward avg_pool3d bitwise_and bitwise_not 
bitwise_or bitwise_xor bmm cat ceil clamp clone col2im constant_pad_nd convolution 
convolution_backward copy cos cosh cumsum diagonal div elu embedding embedding_dense_backward 
empty empty_strided eq erf exp expand expm1 fill flip floor fmod full full_like gather ge gelu 
grid_sampler_2d gt hardtanh index index_put index_select isinf isnan le leaky_relu log log10 
log1p log2 logical_and logical_not logical_or logical_xor lt masked_scatter max 
max_pool2d_with_indices max_pool2d_with_indices_backward max_pool3d_with_indices maximum mean 
min minimum mm mul native_dropout native_group_norm native_group_norm_backward 
native_layer_norm native_layer_norm_backward ne neg nonzero permute pow prod rand randn 
randperm reciprocal reflection_pad1d reflection_pad2d reflection_pad3d relu remainder repeat 
replication_pad2d replication_pad3d resize_ round rsqrt scalar_tensor scatter scatter_add 
scatter_reduce select select_scatter sigmoid sign sin sinh slice slice_scatter sort 
split_with_sizes sqrt squeeze sub sum sym_is_contiguous sym_numel sym_size sym_storage_offset 
sym_stride tan tanh topk trunc unsqueeze upsample_bilinear2d upsample_nearest2d var view where
`);

function namesIn(lines: string): readonly string[] {
  return lines.split(/\s+/).filter(Boolean);
}
