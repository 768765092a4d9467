# LoRA as peft has it: weights of low rank beside those of linear layers, which are frozen.
import copy
import torch
from torch import nn
from torch.distributed import _say_not_read
from torch._operators import unknown

class TaskType:
    CAUSAL_LM, SEQ_CLS, TOKEN_CLS, SEQ_2_SEQ_LM = "CAUSAL_LM", "SEQ_CLS", "TOKEN_CLS", "SEQ_2_SEQ_LM"
    QUESTION_ANS, FEATURE_EXTRACTION = "QUESTION_ANS", "FEATURE_EXTRACTION"

class LoraConfig:
    def __init__(self, r=8, target_modules=None, lora_alpha=8, lora_dropout=0.0, fan_in_fan_out=False, bias="none", modules_to_save=None, task_type=None, **others):
        self.r, self.target_modules, self.lora_alpha, self.lora_dropout = r, target_modules, lora_alpha, lora_dropout
        self.bias, self.modules_to_save, self.task_type = bias, modules_to_save, task_type
        for name in others:
            setattr(self, name, others[name])
            if others[name] and name in ("use_dora", "layers_to_transform", "rank_pattern", "layers_pattern", "target_parameters"):
                _say_not_read(name + " of LoraConfig", "every layer of the targets gets weights of the same rank")

# The layers of each type of model that peft takes where none are named.
_targets = {
    "llama": ["q_proj", "v_proj"], "mistral": ["q_proj", "v_proj"], "mixtral": ["q_proj", "v_proj"],
    "qwen2": ["q_proj", "v_proj"], "qwen3": ["q_proj", "v_proj"], "gemma": ["q_proj", "v_proj"],
    "gemma2": ["q_proj", "v_proj"], "phi3": ["qkv_proj"], "gpt2": ["c_attn"], "bert": ["query", "value"],
    "roberta": ["query", "value"], "distilbert": ["q_lin", "v_lin"],
}

class _Lora(nn.Module):
    def __init__(self, base_layer, inner, outer, config):
        super().__init__()
        self.base_layer = base_layer
        self.lora_dropout = nn.ModuleDict({"default": nn.Dropout(config.lora_dropout) if config.lora_dropout else nn.Identity()})
        self.lora_A = nn.ModuleDict({"default": nn.Linear(inner, config.r, bias=False)})
        self.lora_B = nn.ModuleDict({"default": nn.Linear(config.r, outer, bias=False)})
        self.scaling = config.lora_alpha / config.r
    @property
    def weight(self):
        return self.base_layer.weight
    def forward(self, x):
        result = self.base_layer(x)
        low = self.lora_A["default"](self.lora_dropout["default"](x))
        return result + self.lora_B["default"](low) * self.scaling

class _Saved(nn.Module):
    """A layer that is trained as it is: peft keeps the original beside its copy."""
    def __init__(self, layer):
        super().__init__()
        self.original_module = layer
        self.modules_to_save = nn.ModuleDict({"default": copy.deepcopy(layer)})
        for parameter in self.modules_to_save.parameters():
            parameter.requires_grad = True
    def forward(self, *args, **options):
        return self.modules_to_save["default"](*args, **options)

def _is_target(path, targets):
    if targets == "all-linear":
        return not path.endswith("lm_head") and not path.endswith("score") and not path.endswith("classifier")
    return any(path == each or path.endswith("." + each) for each in ([targets] if isinstance(targets, str) else targets))

def _sizes(layer):
    """The features that a linear layer takes and gives; None of another layer."""
    if isinstance(layer, nn.Linear):
        return layer.in_features, layer.out_features
    if type(layer).__name__ == "Conv1D":
        return tuple(layer.weight.shape)
    return None

def _replace(model, path, made):
    parent, _, name = path.rpartition(".")
    holder = model.get_submodule(parent)
    if name.isdigit():
        holder[int(name)] = made
    else:
        setattr(holder, name, made)

def _inject(model, config):
    targets = config.target_modules or _targets.get(getattr(getattr(model, "config", None), "model_type", None))
    if targets is None:
        return False
    for path, layer in list(model.named_modules()):
        sizes = _sizes(layer)
        if sizes is None or not _is_target(path, targets):
            continue
        made = _Lora(layer, *sizes, config)
        made.to(next(layer.parameters()).dtype)
        _replace(model, path, made)
    return True

class LoraModel(nn.Module):
    def __init__(self, model, config):
        super().__init__()
        self.model = model
    def forward(self, *args, **options):
        return self.model(*args, **options)

class PeftModel(nn.Module):
    def __init__(self, model, peft_config, adapter_name="default", **options):
        super().__init__()
        kept = peft_config.modules_to_save or []
        if peft_config.task_type in ("SEQ_CLS", "TOKEN_CLS"):
            kept = kept + ["classifier", "score"]
        for parameter in model.parameters():
            parameter.requires_grad = False
        if not _inject(model, peft_config):
            _say_not_read("target_modules of LoraConfig", "no layer gets weights of low rank: name them")
        for path, layer in list(model.named_modules()) if kept else []:
            if any(path == each or path.endswith("." + each) for each in kept):
                _replace(model, path, _Saved(layer))
        for path, parameter in model.named_parameters() if peft_config.bias == "all" else []:
            if path.endswith("bias"):
                parameter.requires_grad = True
        self.base_model = LoraModel(model, peft_config)
        self.peft_config = {"default": peft_config}
        self.config = getattr(model, "config", None)
    @classmethod
    def from_pretrained(cls, model, *args, **options):
        return unknown("peft.PeftModel.from_pretrained()", model)
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.base_model.model, name)
    def forward(self, input_ids=None, attention_mask=None, labels=None, *others, **options):
        if self.config is None:
            given = [each for each in (input_ids, attention_mask, labels) if each is not None]
            return self.base_model(*given, *others, **options)
        named = {"input_ids": input_ids, "attention_mask": attention_mask, "labels": labels}
        named = {name: value for name, value in named.items() if value is not None}
        return self.base_model(*others, **named, **options)
    def print_trainable_parameters(self):
        pass
    def get_nb_trainable_parameters(self):
        sizes = [(p.numel(), p.requires_grad) for p in self.parameters()]
        return sum(n for n, trained in sizes if trained), sum(n for n, _ in sizes)
    def gradient_checkpointing_enable(self, *args, **options):
        self.base_model.model.gradient_checkpointing_enable(*args, **options)
    def enable_input_require_grads(self):
        pass
    def get_base_model(self):
        return self.base_model.model
    def merge_and_unload(self):
        return unknown("peft.PeftModel.merge_and_unload()", None)
    def save_pretrained(self, *args, **options):
        pass

PeftModelForCausalLM = PeftModelForSequenceClassification = PeftModel

def get_peft_model(model, peft_config, adapter_name="default", **options):
    if not isinstance(model, nn.Module) or not isinstance(peft_config, LoraConfig):
        return unknown("peft.get_peft_model()", model)
    return PeftModel(model, peft_config)

def prepare_model_for_kbit_training(model, *args, **options):
    for parameter in model.parameters():
        parameter.requires_grad = False
    return model
