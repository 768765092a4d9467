import { types } from "./common.ts";
import { choice, degree, flag, type Tool, unmodelled } from "./words.ts";

/** Flags of `vllm serve` (vllm/engine/arg_utils.py of vLLM 0.11). */
export const vllm: Tool = {
  name: "vLLM",
  words: {
    "tensor-parallel-size": degree("tensor"),
    tp: degree("tensor"),
    "pipeline-parallel-size": degree("pipeline"),
    pp: degree("pipeline"),
    "data-parallel-size": degree("data"),
    dp: degree("data"),
    "decode-context-parallel-size": unmodelled,
    dcp: unmodelled,
    "enable-expert-parallel": flag((so) => {
      so.sharesExperts = true;
    }),
    "enable-eplb": unmodelled,
    "cpu-offload-gb": unmodelled,
    quantization: unmodelled,
    q: unmodelled,
    "kv-cache-dtype": unmodelled,
    "speculative-config": unmodelled,
    dtype: choice({
      auto: () => undefined,
      bfloat16: () => undefined,
      half: types("dtype half"),
      float16: types("dtype float16"),
      float: types("dtype float"),
      float32: types("dtype float32"),
    }),
  },
  others:
    /^(model|served-|tokenizer|trust-|host|port|max-|gpu-memory|enable-(prefix|chunked|auto|log|request|lora|sleep)|disable-|no-|block-size|swap-|seed|api-|chat-|tool-|reasoning|load-|download|revision|hf-|distributed-executor|enforce-|uvicorn|data-parallel-(address|rpc|rank|start|backend|size-local)|limit-|mm-|lora|compilation|O$|allowed|response|root-|ssl|scheduling|async-|kv-(transfer|events)|config$|rope-|generation)/,
  finish: (so) => {
    so.data ??= 1;
    if (so.sharesExperts === true) so.expert = so.tensor * so.data;
  },
};

/** Flags of `sglang.launch_server` (python/sglang/srt/server_args.py of SGLang 0.5). */
export const sglang: Tool = {
  name: "SGLang",
  words: {
    "tensor-parallel-size": degree("tensor"),
    "tp-size": degree("tensor"),
    tp: degree("tensor"),
    "pipeline-parallel-size": degree("pipeline"),
    "pp-size": degree("pipeline"),
    pp: degree("pipeline"),
    "data-parallel-size": degree("data"),
    "dp-size": degree("data"),
    dp: degree("data"),
    "expert-parallel-size": degree("expert"),
    "ep-size": degree("expert"),
    ep: degree("expert"),
    "enable-dp-attention": unmodelled,
    "enable-dp-lm-head": unmodelled,
    "moe-dense-tp-size": unmodelled,
    quantization: unmodelled,
    "kv-cache-dtype": unmodelled,
    "speculative-algorithm": unmodelled,
    dtype: vllm.words["dtype"] ?? unmodelled,
  },
  others:
    /^(model|served-|tokenizer|trust-|host|port|mem-|max-|chunked-|schedule|context-length|random-|log-|api-|attention-|sampling|grammar|cuda-|enable-(torch|metrics|cache|mixed|memory|nccl|flashinfer|p2p|two|deepep|eplb|mscclpp|hierarchical|lora|multimodal|tokenizer|custom)|disable-|moe-(a2a|runner)|deepep|load-|download|revision|dist-|nnodes|node-rank|stream|tool-|reasoning|chat-|json-|watchdog|device$|page-size|speculative-(num|draft|eagle)|lora|constrained|decode-|prefill|hicache|triton|torch-|skip-|is-|warmups|fp8|ep-(num|dispatch))/,
  finish: (so) => {
    so.data ??= 1;
  },
};
