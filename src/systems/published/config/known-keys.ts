/**
 * Keys of a `config.json` that change neither shapes nor work: names, tokens, what is returned, how
 * weights were drawn, constants inside a norm, settings of generation.
 */
const withoutInfluence: ReadonlySet<string> = new Set([
  ...["architectures", "model_type", "transformers_version", "_name_or_path", "auto_map"],
  ...["torch_dtype", "dtype", "_commit_hash", "_attn_implementation_autoset"],
  ...["bos_token_id", "eos_token_id", "pad_token_id", "sep_token_id", "cls_token_id"],
  ...["mask_token_id", "unk_token_id", "decoder_start_token_id", "image_token_id"],
  ...["image_token_index", "boi_token_index", "eoi_token_index", "boi_token_id", "eoi_token_id"],
  ...[
    "video_token_id",
    "vision_start_token_id",
    "vision_end_token_id",
    "vision_token_id",
    "classifier_token_id",
  ],
  ...["use_cache", "cache_implementation", "is_encoder_decoder", "is_decoder", "eos_token_ids"],
  ...["initializer_range", "initializer_factor", "initializer_std", "init_std", "init_xavier_std"],
  ...["return_dict", "output_attentions", "output_hidden_states", "output_past", "use_return_dict"],
  ...["id2label", "label2id", "task_specific_params", "problem_type", "finetuning_task"],
  ...["summary_activation", "summary_first_dropout", "summary_proj_to_labels"],
  ...["summary_type", "summary_use_proj", "gradient_checkpointing", "torchscript"],
  ...["rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps", "norm_epsilon"],
  ...["rope_theta", "rotary_emb_base", "default_theta", "output_router_logits", "max_seq_len"],
  ...["max_sequence_length", "_num_labels", "directionality", "pooler_type", "pooler_fc_size"],
  ...["pooler_num_attention_heads", "pooler_num_fc_layers", "pooler_size_per_head"],
  ...["max_position_embeddings", "n_positions", "n_ctx", "original_max_position_embeddings"],
  ...["router_aux_loss_coef", "router_z_loss_coef", "router_jitter_noise", "aux_loss_alpha"],
  ...["seq_aux", "input_jitter_noise", "router_dtype", "router_ignore_padding_tokens"],
  ...["max_length", "min_length", "num_beams", "early_stopping", "no_repeat_ngram_size"],
  ...[
    "do_sample",
    "top_k",
    "typical_p",
    "num_beam_groups",
    "num_return_sequences",
    "output_scores",
  ],
  ...["diversity_penalty", "encoder_no_repeat_ngram_size", "return_dict_in_generate"],
  ...["remove_invalid_values", "exponential_decay_length_penalty", "tf_legacy_loss"],
  ...["forced_bos_token_id", "forced_eos_token_id", "forced_decoder_ids", "suppress_tokens"],
  ...["begin_suppress_tokens", "length_penalty", "temperature", "top_p", "repetition_penalty"],
  ...["median_filter_width", "apply_spec_augment", "mask_time_prob", "mask_time_length"],
  ...["mask_time_min_masks", "mask_feature_prob", "mask_feature_length"],
  ...["mask_feature_min_masks", "logit_scale_init_value", "quantizer_modules", "use_bfloat16"],
  ...["initial_context_length", "tokenizer_class", "tokenizer_model", "prefix", "bad_words_ids"],
  ...["n_special", "predict_special_tokens", "tie_weights_", "ignore_index", "for_llm_compressor"],
  ...["time_step_min", "time_step_max", "time_step_floor", "time_step_rank", "time_step_scale"],
  ...["time_step_init_scheme", "rescale_prenorm_residual", "residual_in_fp32"],
  ...["keys_to_ignore_at_inference", "attn_implementation", "_attn_implementation", "ep_size"],
  "is_llama_config",
]);

/** Keys that say nothing at these values: the model without what they name. */
const neutral: Readonly<Record<string, readonly unknown[]>> = {
  ...{ attention_bias: [false], mlp_bias: [false], qkv_bias: [false], use_bias: [false] },
  ...{ use_sliding_window: [false], use_qk_norm: [false], use_mrope: [false] },
  ...{
    pretraining_tp: [1],
    num_nextn_predict_layers: [0],
    tie_encoder_decoder: [false],
    layerdrop: [0],
    encoder_layerdrop: [0],
    decoder_layerdrop: [0],
  },
  ...{ attention_dropout: [0], dropout: [0], attn_pdrop: [0], embd_pdrop: [0], resid_pdrop: [0] },
  ...{ hidden_dropout: [0], hidden_dropout_prob: [0], attention_probs_dropout_prob: [0] },
  ...{ dropout_rate: [0], activation_dropout: [0], classifier_dropout: [0], residual_dropout: [0] },
  ...{ expert_dropout: [0], embedding_dropout: [0], classifier_dropout_prob: [0] },
  ...{
    clip_qkv: [null],
    logit_scale: [1],
    partial_rotary_factor: [1],
    add_cross_attention: [false],
  },
  ...{ rope_interleaved: [false], use_weighted_layer_sum: [false], rms_norm: [true] },
  ...{ scale_attn_weights: [true], scale_attn_by_inverse_layer_idx: [false] },
  ...{ reorder_and_upcast_attn: [false], position_embedding_type: ["absolute"] },
  ...{ chunk_size_feed_forward: [0], cross_attention_hidden_size: [null], pruned_heads: [{}] },
};

/** Keys of dropout: what is dropped counts in training alone. */
const dropout = /drop(out|_?path)?(_rate|_prob)?$|pdrop$/u;

/**
 * Whether a key of a configuration has no effect on the program's shapes and work.
 *
 * @param usual the value in the family's text: a neutral value has an effect if the text's differs
 */
export function isWithoutInfluence(
  key: string,
  value: unknown,
  isTraining: boolean,
  usual?: unknown,
): boolean {
  if (value === null || withoutInfluence.has(key)) return true;
  if (!isTraining && dropout.test(key)) return true;
  if (usual !== undefined && usual !== value) return false;
  const said = Object.hasOwn(neutral, key) ? (neutral[key] ?? []) : [];
  return said.some((each) => JSON.stringify(each) === JSON.stringify(value));
}
