# What the models of the library of families share, which are made from configurations.
import torch
from torch import nn
import torch.nn.functional as F
from torch._operators import batch_of, is_tensor, published, row_of, unknown
from torch.distributed import _say_not_read
from transformers import PreTrainedModel, ModelOutput

def _size(config, name, otherwise):
    value = getattr(config, name, None)
    return otherwise if value is None else value

class _PublishedModel(PreTrainedModel):
    @classmethod
    def from_pretrained(cls, name, *args, config=None, torch_dtype=None, dtype=None, **options):
        if config is None:
            config = AutoConfig._published(name)
        if config is None:
            return unknown("transformers." + cls.__name__ + ".from_pretrained()", name)
        for key, value in options.items():
            if hasattr(config, key):
                setattr(config, key, value)
        return _typed(cls(config), torch_dtype if dtype is None else dtype)
    def _check(self, others):
        for key, usual in others.items():
            value = getattr(self.config, key, usual)
            if value != usual and value != type(self.config)._defaults.get(key):
                _say_not_read(key + " of a configuration", "the model is drawn with " + repr(usual))
    def _row(self, ids):
        longest = getattr(self.config, "max_position_embeddings", None) or getattr(self.config, "n_positions", None)
        return row_of(ids, min(longest or 4096, 4096))
    def _given(self, name):
        """An input that is given in a way that nobody knows, as by `**inputs` of a tokenizer."""
        return batch_of(None, None, 1)[name]
    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None, **options):
        from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
        for module in list(self.modules()):
            if isinstance(module, nn.ModuleList):
                for layer in module:
                    checkpoint_wrapper(layer)
    def generate(self, *args, **options):
        _say_not_read("generate", "a call of the model shows one pass over its tokens")
        return unknown("transformers." + type(self).__name__ + ".generate()", *args)
    def get_input_embeddings(self):
        return [module for module in self.modules() if isinstance(module, nn.Embedding)][0]
    def _finished(self, name, result, labels, attention_mask):
        if attention_mask is not None:
            _say_not_read("attention_mask", "attention is drawn without padding: it costs the same")
        if name.endswith("Model") and not name.endswith("LMHeadModel"):
            pooler = getattr(self, "pooler", None)
            pooled = None if pooler is None else torch.tanh(pooler.dense(result[:, 0]))
            return ModelOutput(last_hidden_state=result, pooler_output=pooled)
        if labels is not None and not is_tensor(labels):
            labels = self._given("labels")
        if labels is not None and result.ndim == 3:
            labels = row_of(labels, result.shape[1])
        loss = None if labels is None else _loss(name, result, labels)
        return ModelOutput(loss=loss, logits=result)

def _loss(name, logits, labels):
    if name.endswith("ForCausalLM") or name.endswith("LMHeadModel"):
        labels = F.pad(labels, (0, 1), value=-100)[..., 1:]
        logits = logits.float()
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1))

def _typed(model, dtype):
    if dtype is None:
        _say_not_read("the type of the weights", "the model is drawn in float32: from_pretrained(..., dtype=torch.bfloat16) says another")
        return model
    if isinstance(dtype, str):
        if dtype == "auto":
            return model.to(torch.bfloat16)
        dtype = getattr(torch, dtype)
    return model.to(dtype)

class AutoConfig:
    @staticmethod
    def _published(name):
        found = _hub.get(name) if isinstance(name, str) else None
        return None if found is None else published(found[0])(**found[1])
    @classmethod
    def from_pretrained(cls, name, **options):
        config = cls._published(name)
        if config is None:
            return unknown("transformers.AutoConfig.from_pretrained()", name)
        for key, value in options.items():
            setattr(config, key, value)
        return config

class _Auto:
    _classes = {}
    @classmethod
    def _class_of(cls, config):
        name = cls._classes.get(getattr(config, "model_type", None))
        return None if name is None else published(name)
    @classmethod
    def from_config(cls, config, *args, torch_dtype=None, dtype=None, **options):
        found = cls._class_of(config)
        if found is None:
            return unknown("transformers." + cls.__name__ + ".from_config()", config)
        model, own = found(config), torch_dtype if dtype is None else dtype
        return model if own is None else _typed(model, own)
    @classmethod
    def from_pretrained(cls, name, *args, config=None, **options):
        if config is None:
            config = AutoConfig._published(name)
        found = None if config is None else cls._class_of(config)
        if found is None:
            return unknown("transformers." + cls.__name__ + ".from_pretrained()", name)
        return found.from_pretrained(name, config=config, **options)

class AutoModel(_Auto):
    _classes = _auto["Model"]

class AutoModelForCausalLM(_Auto):
    _classes = _auto["ForCausalLM"]

class AutoModelForMaskedLM(_Auto):
    _classes = _auto["ForMaskedLM"]

class AutoModelForSequenceClassification(_Auto):
    _classes = _auto["ForSequenceClassification"]

class AutoModelForTokenClassification(_Auto):
    _classes = _auto["ForTokenClassification"]

class AutoModelForImageClassification(_Auto):
    _classes = _auto["ForImageClassification"]
