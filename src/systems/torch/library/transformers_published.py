# What the models of the library of families share, which are made from configurations.
import torch
from torch import nn
import torch.nn.functional as F
from torch._operators import batch_of, is_tensor, published, row_of, unknown
from torch.distributed import _say_not_read
from transformers import PreTrainedModel, ModelOutput

def _held(config, path):
    """Of a path of keys the part of a configuration that has the last one, and its name."""
    *holders, name = path.split(".")
    for holder in holders:
        config = getattr(config, holder, None)
    return config, name

def _size(config, path, otherwise):
    holder, name = _held(config, path)
    value = getattr(holder, name, None)
    return otherwise if value is None else value

def _text_of(cls, config):
    """Of the texts of a class the first whose values a configuration has."""
    for values, text in cls._texts:
        if all(getattr(config, key, None) == value for key, value in values.items()):
            return text
    return lambda: lambda *args, **options: unknown("transformers." + cls.__name__ + "()", config)

def _written_out(values):
    """A list of a value a layer, which may be written as values and how often they come."""
    counted = [each for each in values if isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[0], (list, tuple))]
    return [one for kinds, times in counted for one in list(kinds) * times] if len(counted) == len(values) else list(values)

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
    def _check(self, others, repeats, every):
        for key, usual in others.items():
            holder, name = _held(self.config, key)
            value = getattr(holder, name, usual)
            if value != usual and (holder is not self.config or value != type(holder)._defaults.get(name)):
                _say_not_read(key + " of a configuration", "the model is drawn with " + repr(usual))
        patterns = dict(repeats)
        for key, size in every.items():
            step = _size(self.config, size, 1)
            patterns[key] = [int(at + 1 < step) for at in range(step)]
        for key, pattern in patterns.items():
            holder, name = _held(self.config, key)
            value = getattr(holder, name, None)
            values = _written_out(value) if isinstance(value, (list, tuple)) else []
            if values != [pattern[at % len(pattern)] for at in range(len(values))]:
                _say_not_read(key + " of a configuration", "the model is drawn with " + repr(pattern) + ", over and over")
    def _row(self, ids):
        settings = getattr(self.config, "text_config", None) or self.config
        lengths = [getattr(settings, key, None) for key in ("max_position_embeddings", "n_positions", "max_target_positions")]
        return row_of(ids, min([each for each in lengths if each] + [4096]))
    def _taken(self, inputs, labels, options, front):
        """The inputs, and the sizes that they leave open; `None` and what it gives instead for a call that is not drawn."""
        values = [value for _, value, _ in inputs if is_tensor(value)]
        for name in ("inputs_embeds", "decoder_inputs_embeds", "encoder_outputs", "past_key_values"):
            if options.get(name) is not None:
                _say_not_read(name, "what the model makes of it is not known")
                return None, self._apart(values + [each for each in [options[name]] if is_tensor(each)])
        taken, sizes = [], {}
        for name, value, dims in inputs:
            if not is_tensor(value):
                value = self._moved(labels) if name == "decoder_input_ids" and labels is not None else self._given(name)
            if len(dims) == 2:
                value = self._row(value)
                if front is not None:
                    value = value[:, front:]
            for at, dim in enumerate(dims):
                if dim is not None and sizes.setdefault(dim, value.shape[at]) != value.shape[at]:
                    _say_not_read(name + " of " + str(value.shape[at]), "the model is known where it is " + str(sizes[dim]))
                    return None, self._apart(values)
            taken.append(value)
        return taken, sizes
    def _apart(self, values):
        """What a call gives that is not drawn."""
        result = self._unknown("forward()", *values)
        return _Output(loss=result, logits=result, last_hidden_state=result, logits_per_image=result, logits_per_text=result)
    def _unknown(self, name, *args):
        return unknown("transformers." + type(self).__name__ + "()." + name, *args)
    def _moved(self, labels):
        """What a decoder is given while it learns `labels`: those in front of each."""
        if not is_tensor(labels):
            labels = self._given("labels")
        return F.pad(self._row(labels)[:, :-1], (1, 0), value=0)
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
        _say_not_read("generate", "it shows one pass over the prompt: tokens behind it are not drawn")
        given = {key: options[key] for key in ("input_ids", "pixel_values", "input_features") if key in options}
        self(*(args[:1] if is_tensor(args[0] if args else None) else []), **given)
        return self._unknown("generate()")
    def _features(self, name, value, project, model, options):
        """What the half of a model of pairs that reads one input makes of it, as it is compared."""
        taken, sizes = self._taken([(name, value, self._dims[name])], None, options, None)
        if taken is None:
            return sizes
        self._open(sizes)
        pooled = getattr(self, model)(*taken)
        if hasattr(self, project):
            pooled = getattr(self, project)(pooled)
        return _Features(pooler_output=pooled)
    def get_image_features(self, pixel_values=None, *args, **options):
        if not hasattr(self, "logit_scale"):
            return self._unknown("get_image_features()", *[each for each in [pixel_values] if is_tensor(each)])
        return self._features("pixel_values", pixel_values, "visual_projection", "vision_model", options)
    def get_text_features(self, input_ids=None, attention_mask=None, *args, **options):
        if not hasattr(self, "logit_scale"):
            return self._unknown("get_text_features()", *[each for each in [input_ids] if is_tensor(each)])
        return self._features("input_ids", input_ids, "text_projection", "text_model", options)
    def get_input_embeddings(self):
        return [module for module in self.modules() if isinstance(module, nn.Embedding)][0]
    def _finished(self, name, result, labels, attention_mask, options):
        if attention_mask is not None:
            _say_not_read("attention_mask", "attention is drawn without padding: it costs the same")
        if hasattr(self, "logit_scale"):
            loss = _pair_loss(result, hasattr(self, "logit_bias")) if options.get("return_loss") else None
            return _Output(loss=loss, logits_per_image=result, logits_per_text=result.t())
        if name.endswith("EncoderModel"):
            return _Output(last_hidden_state=result)
        if name.endswith("Model") and not name.endswith("LMHeadModel"):
            pooler = getattr(self, "pooler", None)
            pooled = None if pooler is None else torch.tanh(pooler.dense(result[:, 0]))
            return _Output(last_hidden_state=result, pooler_output=pooled)
        if labels is not None and not is_tensor(labels):
            labels = self._given("labels")
        if labels is not None and result.ndim == 3:
            labels = row_of(labels, result.shape[1])
        moves = name.endswith("ForConditionalGeneration") and not getattr(self.config, "is_encoder_decoder", False)
        moves = moves or name.endswith("ForCausalLM") or name.endswith("LMHeadModel")
        loss = None if labels is None else _loss(result, labels, moves)
        return _Output(loss=loss, logits=result)

def _pair_loss(logits, by_pair):
    """Of images and their texts: of each pair a sigmoid's, else of each row and column a softmax's."""
    if by_pair:
        signs = 2 * torch.eye(logits.shape[0]) - 1
        return -F.logsigmoid(signs * logits).sum(dim=-1).mean()
    labels = torch.arange(logits.shape[0])
    return (F.cross_entropy(logits.t(), labels) + F.cross_entropy(logits, labels)) / 2

class _Output(ModelOutput):
    """What a call gives; what else transformers' own gives is not known."""
    @property
    def past_key_values(self):
        return unknown("transformers.past_key_values")
    @property
    def hidden_states(self):
        return unknown("transformers.hidden_states")
    @property
    def attentions(self):
        return unknown("transformers.attentions")

class _Features(_Output):
    """Since transformers 5 what was the features alone: what is done with it is done with them."""
    def _own(self):
        _say_not_read("features as a tensor", "transformers 5 gives an output that holds them: read as its pooler_output")
        return self.pooler_output
    @property
    def last_hidden_state(self):
        return unknown("transformers.last_hidden_state")
    @property
    def shape(self):
        return self._own().shape
    @property
    def T(self):
        return self._own().T
    def norm(self, *args, **options):
        return self._own().norm(*args, **options)
    def t(self):
        return self._own().t()
    def size(self, *args):
        return self._own().size(*args)
    def detach(self):
        return self._own().detach()
    def cpu(self):
        return self._own()
    def float(self):
        return self._own().float()
    def __truediv__(self, other):
        return self._own() / other
    def __mul__(self, other):
        return self._own() * other
    __rmul__ = __mul__
    def __matmul__(self, other):
        return self._own() @ other
    def __rmatmul__(self, other):
        return other @ self._own()

def _headed(name, base, held, task):
    """A model of a family with a head, as transformers has it for all of them."""
    class Headed(_PublishedModel):
        def __init__(self, config, *args, **options):
            super().__init__(config)
            model = published(base)(config)
            if hasattr(model, "pooler") and task in ("QuestionAnswering", "TokenClassification"):
                model.pooler = None
            setattr(self, held, model)
            width, labels = config.hidden_size, config.num_labels
            if task == "QuestionAnswering":
                self.qa_outputs = nn.Linear(width, 2)
            elif task == "NextSentencePrediction":
                self.cls = nn.Module()
                self.cls.seq_relationship = nn.Linear(width, 2)
            elif task == "MultipleChoice":
                if held == "distilbert":
                    self.pre_classifier = nn.Linear(width, width)
                self.classifier = nn.Linear(width, 1)
            elif held == "transformer":
                self.classifier = nn.Linear(width, labels)
            else:
                self.score = nn.Linear(width, labels, bias=task == "TokenClassification")
        def forward(self, input_ids=None, attention_mask=None, *args, labels=None, start_positions=None, end_positions=None, **options):
            if task == "MultipleChoice":
                choices = _choices(self, input_ids)
                input_ids = input_ids.view(-1, input_ids.shape[-1])
            made = getattr(self, held)(input_ids, attention_mask, **options)
            if not isinstance(made, _Output) or not is_tensor(made.last_hidden_state):
                return made
            hidden = made.last_hidden_state
            if task == "QuestionAnswering":
                return _answers(self.qa_outputs(hidden), start_positions, end_positions)
            if task == "NextSentencePrediction":
                logits = self.cls.seq_relationship(made.pooler_output)
            elif task == "MultipleChoice":
                pooled = F.relu(self.pre_classifier(hidden[:, 0])) if held == "distilbert" else made.pooler_output
                logits = self.classifier(pooled).view(-1, choices)
            elif task == "TokenClassification":
                logits = (self.classifier if held == "transformer" else self.score)(hidden)
            else:
                # A row without padding ends in its last token.
                logits = self.score(hidden)[:, -1]
            if labels is not None and not is_tensor(labels):
                labels = self._given("labels")
            return _Output(loss=None if labels is None else _loss(logits, labels, False), logits=logits)
    Headed.__name__ = name
    return Headed

def _choices(model, ids):
    if not is_tensor(ids) or ids.ndim != 3:
        raise ValueError("a row of token ids a choice is wanted: (batch, choices, length)")
    return ids.shape[1]

def _answers(logits, first, last):
    """Where an answer begins and ends, of each row."""
    start, end = logits.split(1, dim=-1)
    start, end = start.squeeze(-1), end.squeeze(-1)
    loss = None
    if first is not None and last is not None:
        loss = (F.cross_entropy(start, first) + F.cross_entropy(end, last)) / 2
    return _Output(loss=loss, start_logits=start, end_logits=end)

def _loss(logits, labels, moves):
    if moves:
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

class AutoModelForSeq2SeqLM(_Auto):
    _classes = _auto["ForConditionalGeneration"]

class AutoModelForSpeechSeq2Seq(_Auto):
    _classes = _auto["ForConditionalGeneration"]

class AutoModelForImageTextToText(_Auto):
    _classes = _auto["ForConditionalGeneration"]


class AutoModelForQuestionAnswering(_Auto):
    _classes = _auto["ForQuestionAnswering"]

class AutoModelForMultipleChoice(_Auto):
    _classes = _auto["ForMultipleChoice"]

class AutoModelForNextSentencePrediction(_Auto):
    _classes = _auto["ForNextSentencePrediction"]
