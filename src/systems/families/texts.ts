// Made by python/tools/families.py.
import bertEnds from "./texts/bert.ends.py?raw";
import bert from "./texts/bert.py?raw";
import clipEnds from "./texts/clip.ends.py?raw";
import clip from "./texts/clip.py?raw";
import clipTextEnds from "./texts/clip_text.ends.py?raw";
import clipText from "./texts/clip_text.py?raw";
import clipVisionEnds from "./texts/clip_vision.ends.py?raw";
import clipVision from "./texts/clip_vision.py?raw";
import cohereEnds from "./texts/cohere.ends.py?raw";
import cohere from "./texts/cohere.py?raw";
import cohereNormedEnds from "./texts/cohere_normed.ends.py?raw";
import cohereNormed from "./texts/cohere_normed.py?raw";
import cohere2Ends from "./texts/cohere2.ends.py?raw";
import cohere2 from "./texts/cohere2.py?raw";
import deepseekV2Ends from "./texts/deepseek_v2.ends.py?raw";
import deepseekV2 from "./texts/deepseek_v2.py?raw";
import deepseekV2LiteEnds from "./texts/deepseek_v2_lite.ends.py?raw";
import deepseekV2Lite from "./texts/deepseek_v2_lite.py?raw";
import deepseekV3Ends from "./texts/deepseek_v3.ends.py?raw";
import deepseekV3 from "./texts/deepseek_v3.py?raw";
import deepseekV3LiteEnds from "./texts/deepseek_v3_lite.ends.py?raw";
import deepseekV3Lite from "./texts/deepseek_v3_lite.py?raw";
import deitEnds from "./texts/deit.ends.py?raw";
import deit from "./texts/deit.py?raw";
import dinov2Ends from "./texts/dinov2.ends.py?raw";
import dinov2 from "./texts/dinov2.py?raw";
import distilbertEnds from "./texts/distilbert.ends.py?raw";
import distilbert from "./texts/distilbert.py?raw";
import electraEnds from "./texts/electra.ends.py?raw";
import electra from "./texts/electra.py?raw";
import electraWideEnds from "./texts/electra_wide.ends.py?raw";
import electraWide from "./texts/electra_wide.py?raw";
import ernie45Ends from "./texts/ernie4_5.ends.py?raw";
import ernie45 from "./texts/ernie4_5.py?raw";
import exaone4Ends from "./texts/exaone4.ends.py?raw";
import exaone4 from "./texts/exaone4.py?raw";
import gemmaEnds from "./texts/gemma.ends.py?raw";
import gemma from "./texts/gemma.py?raw";
import gemma2Ends from "./texts/gemma2.ends.py?raw";
import gemma2 from "./texts/gemma2.py?raw";
import gemma3Ends from "./texts/gemma3.ends.py?raw";
import gemma3 from "./texts/gemma3.py?raw";
import gemma3Image from "./texts/gemma3_image.py?raw";
import glmEnds from "./texts/glm.ends.py?raw";
import glm from "./texts/glm.py?raw";
import glm4Ends from "./texts/glm4.ends.py?raw";
import glm4 from "./texts/glm4.py?raw";
import glm4MoeEnds from "./texts/glm4_moe.ends.py?raw";
import glm4Moe from "./texts/glm4_moe.py?raw";
import gptBigcodeEnds from "./texts/gpt_bigcode.ends.py?raw";
import gptBigcode from "./texts/gpt_bigcode.py?raw";
import gptNeoxEnds from "./texts/gpt_neox.ends.py?raw";
import gptNeox from "./texts/gpt_neox.py?raw";
import gptOssEnds from "./texts/gpt_oss.ends.py?raw";
import gptOss from "./texts/gpt_oss.py?raw";
import gpt2Ends from "./texts/gpt2.ends.py?raw";
import gpt2 from "./texts/gpt2.py?raw";
import graniteEnds from "./texts/granite.ends.py?raw";
import granite from "./texts/granite.py?raw";
import granitemoeEnds from "./texts/granitemoe.ends.py?raw";
import granitemoe from "./texts/granitemoe.py?raw";
import hunyuanEnds from "./texts/hunyuan.ends.py?raw";
import hunyuan from "./texts/hunyuan.py?raw";
import llamaEnds from "./texts/llama.ends.py?raw";
import llama from "./texts/llama.py?raw";
import llama4Ends from "./texts/llama4.ends.py?raw";
import llama4 from "./texts/llama4.py?raw";
import mamba2Ends from "./texts/mamba2.ends.py?raw";
import mamba2 from "./texts/mamba2.py?raw";
import mistralEnds from "./texts/mistral.ends.py?raw";
import mistral from "./texts/mistral.py?raw";
import mixtralEnds from "./texts/mixtral.ends.py?raw";
import mixtral from "./texts/mixtral.py?raw";
import nemotronEnds from "./texts/nemotron.ends.py?raw";
import nemotron from "./texts/nemotron.py?raw";
import olmoEnds from "./texts/olmo.ends.py?raw";
import olmo from "./texts/olmo.py?raw";
import olmo2Ends from "./texts/olmo2.ends.py?raw";
import olmo2 from "./texts/olmo2.py?raw";
import olmo3Ends from "./texts/olmo3.ends.py?raw";
import olmo3 from "./texts/olmo3.py?raw";
import olmoeEnds from "./texts/olmoe.ends.py?raw";
import olmoe from "./texts/olmoe.py?raw";
import optEnds from "./texts/opt.ends.py?raw";
import opt from "./texts/opt.py?raw";
import phiEnds from "./texts/phi.ends.py?raw";
import phi from "./texts/phi.py?raw";
import phi3Ends from "./texts/phi3.ends.py?raw";
import phi3 from "./texts/phi3.py?raw";
import qwen2Ends from "./texts/qwen2.ends.py?raw";
import qwen2 from "./texts/qwen2.py?raw";
import qwen2MoeEnds from "./texts/qwen2_moe.ends.py?raw";
import qwen2Moe from "./texts/qwen2_moe.py?raw";
import qwen3Ends from "./texts/qwen3.ends.py?raw";
import qwen3 from "./texts/qwen3.py?raw";
import qwen3MoeEnds from "./texts/qwen3_moe.ends.py?raw";
import qwen3Moe from "./texts/qwen3_moe.py?raw";
import robertaEnds from "./texts/roberta.ends.py?raw";
import roberta from "./texts/roberta.py?raw";
import seedOssEnds from "./texts/seed_oss.ends.py?raw";
import seedOss from "./texts/seed_oss.py?raw";
import siglip from "./texts/siglip.py?raw";
import smollm3Ends from "./texts/smollm3.ends.py?raw";
import smollm3 from "./texts/smollm3.py?raw";
import stablelmEnds from "./texts/stablelm.ends.py?raw";
import stablelm from "./texts/stablelm.py?raw";
import starcoder2Ends from "./texts/starcoder2.ends.py?raw";
import starcoder2 from "./texts/starcoder2.py?raw";
import t5Ends from "./texts/t5.ends.py?raw";
import t5 from "./texts/t5.py?raw";
import t5GatedEnds from "./texts/t5_gated.ends.py?raw";
import t5Gated from "./texts/t5_gated.py?raw";
import vitEnds from "./texts/vit.ends.py?raw";
import vit from "./texts/vit.py?raw";
import whisperEnds from "./texts/whisper.ends.py?raw";
import whisper from "./texts/whisper.py?raw";

/** The texts of families by the names of their files. */
export const familyTexts: ReadonlyMap<string, string> = new Map([
  ["llama.py", llama],
  ["mistral.py", mistral],
  ["qwen2.py", qwen2],
  ["qwen3.py", qwen3],
  ["gpt2.py", gpt2],
  ["mixtral.py", mixtral],
  ["qwen3_moe.py", qwen3Moe],
  ["gemma2.py", gemma2],
  ["gemma3.py", gemma3],
  ["gemma3_image.py", gemma3Image],
  ["phi3.py", phi3],
  ["olmo2.py", olmo2],
  ["glm4.py", glm4],
  ["bert.py", bert],
  ["vit.py", vit],
  ["deepseek_v3_lite.py", deepseekV3Lite],
  ["deepseek_v3.py", deepseekV3],
  ["llama4.py", llama4],
  ["gpt_oss.py", gptOss],
  ["qwen2_moe.py", qwen2Moe],
  ["deepseek_v2_lite.py", deepseekV2Lite],
  ["deepseek_v2.py", deepseekV2],
  ["t5_gated.py", t5Gated],
  ["t5.py", t5],
  ["whisper.py", whisper],
  ["clip.py", clip],
  ["phi.py", phi],
  ["olmo.py", olmo],
  ["glm.py", glm],
  ["gemma.py", gemma],
  ["roberta.py", roberta],
  ["distilbert.py", distilbert],
  ["siglip.py", siglip],
  ["mamba2.py", mamba2],
  ["glm4_moe.py", glm4Moe],
  ["smollm3.py", smollm3],
  ["granite.py", granite],
  ["seed_oss.py", seedOss],
  ["ernie4_5.py", ernie45],
  ["starcoder2.py", starcoder2],
  ["olmo3.py", olmo3],
  ["opt.py", opt],
  ["gpt_neox.py", gptNeox],
  ["olmoe.py", olmoe],
  ["stablelm.py", stablelm],
  ["nemotron.py", nemotron],
  ["hunyuan.py", hunyuan],
  ["granitemoe.py", granitemoe],
  ["electra_wide.py", electraWide],
  ["electra.py", electra],
  ["dinov2.py", dinov2],
  ["clip_text.py", clipText],
  ["clip_vision.py", clipVision],
  ["cohere_normed.py", cohereNormed],
  ["cohere.py", cohere],
  ["cohere2.py", cohere2],
  ["gpt_bigcode.py", gptBigcode],
  ["deit.py", deit],
  ["exaone4.py", exaone4],
  ["bert.ends.py", bertEnds],
  ["clip.ends.py", clipEnds],
  ["clip_text.ends.py", clipTextEnds],
  ["clip_vision.ends.py", clipVisionEnds],
  ["cohere.ends.py", cohereEnds],
  ["cohere2.ends.py", cohere2Ends],
  ["cohere_normed.ends.py", cohereNormedEnds],
  ["deepseek_v2.ends.py", deepseekV2Ends],
  ["deepseek_v2_lite.ends.py", deepseekV2LiteEnds],
  ["deepseek_v3.ends.py", deepseekV3Ends],
  ["deepseek_v3_lite.ends.py", deepseekV3LiteEnds],
  ["deit.ends.py", deitEnds],
  ["dinov2.ends.py", dinov2Ends],
  ["distilbert.ends.py", distilbertEnds],
  ["electra.ends.py", electraEnds],
  ["electra_wide.ends.py", electraWideEnds],
  ["ernie4_5.ends.py", ernie45Ends],
  ["exaone4.ends.py", exaone4Ends],
  ["gemma.ends.py", gemmaEnds],
  ["gemma2.ends.py", gemma2Ends],
  ["gemma3.ends.py", gemma3Ends],
  ["glm.ends.py", glmEnds],
  ["glm4.ends.py", glm4Ends],
  ["glm4_moe.ends.py", glm4MoeEnds],
  ["gpt2.ends.py", gpt2Ends],
  ["gpt_bigcode.ends.py", gptBigcodeEnds],
  ["gpt_neox.ends.py", gptNeoxEnds],
  ["gpt_oss.ends.py", gptOssEnds],
  ["granite.ends.py", graniteEnds],
  ["granitemoe.ends.py", granitemoeEnds],
  ["hunyuan.ends.py", hunyuanEnds],
  ["llama.ends.py", llamaEnds],
  ["llama4.ends.py", llama4Ends],
  ["mamba2.ends.py", mamba2Ends],
  ["mistral.ends.py", mistralEnds],
  ["mixtral.ends.py", mixtralEnds],
  ["nemotron.ends.py", nemotronEnds],
  ["olmo.ends.py", olmoEnds],
  ["olmo2.ends.py", olmo2Ends],
  ["olmo3.ends.py", olmo3Ends],
  ["olmoe.ends.py", olmoeEnds],
  ["opt.ends.py", optEnds],
  ["phi.ends.py", phiEnds],
  ["phi3.ends.py", phi3Ends],
  ["qwen2.ends.py", qwen2Ends],
  ["qwen2_moe.ends.py", qwen2MoeEnds],
  ["qwen3.ends.py", qwen3Ends],
  ["qwen3_moe.ends.py", qwen3MoeEnds],
  ["roberta.ends.py", robertaEnds],
  ["seed_oss.ends.py", seedOssEnds],
  ["smollm3.ends.py", smollm3Ends],
  ["stablelm.ends.py", stablelmEnds],
  ["starcoder2.ends.py", starcoder2Ends],
  ["t5.ends.py", t5Ends],
  ["t5_gated.ends.py", t5GatedEnds],
  ["vit.ends.py", vitEnds],
  ["whisper.ends.py", whisperEnds],
]);
