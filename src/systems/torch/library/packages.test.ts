import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** The shape of a tensor, the parameters of `net`, and the messages of a text, for a table to hold. */
function read(text: string, named = "y") {
  const { diagnostics, graph, modules } = readDocument(text);
  const y = graph.tensors.find(({ name }) => name === named);
  return {
    said: diagnostics.map(({ severity, code }) => `${severity} ${code}`),
    y: y?.isUnknown === true ? "unknown" : y?.shape,
    parameters: modules.get("net"),
  };
}

/** A language model in the form of those of Hugging Face, with a file of the package around it. */
const causal = `import torch
from torch import nn
from packaging import version
from ...activations import ACT2FN
from ...cache_utils import DynamicCache
from ...generation import GenerationMixin
from ...modeling_outputs import CausalLMOutputWithPast
from ...modeling_rope_utils import ROPE_INIT_FUNCTIONS
from ...modeling_utils import PreTrainedModel
from ...utils import get_torch_version, logging
from .configuration_llama import LlamaConfig
logger = logging.get_logger(__name__)

class Turned(nn.Module):
    def __init__(self, config):
        super().__init__()
        frequencies, self.factor = ROPE_INIT_FUNCTIONS["default"](config, None)
        self.register_buffer("frequencies", frequencies, persistent=False)
    def forward(self, at):
        angles = at[:, :, None].float() * self.frequencies[None, None, :]
        return torch.cat((angles, angles), dim=-1).cos() * self.factor

class Tiny(PreTrainedModel, GenerationMixin):
    _supports_sdpa = True
    base_model_prefix = ""
    def __init__(self, config):
        super().__init__(config)
        self.embed = nn.Embedding(config.vocab_size, config.hidden_size)
        self.turned = Turned(config)
        self.q = nn.Linear(config.hidden_size, config.num_attention_heads * config.head_dim, bias=False)
        self.k = nn.Linear(config.hidden_size, config.num_key_value_heads * config.head_dim, bias=False)
        self.act = ACT2FN[config.hidden_act]
        self.head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.is_new = version.parse(get_torch_version()) >= version.parse("2.2.0")
        self.post_init()
    def get_input_embeddings(self):
        return self.embed
    def get_output_embeddings(self):
        return self.head
    def forward(self, ids, cache=None, return_dict=None):
        return_dict = return_dict if return_dict is not None else self.config.use_return_dict
        cache = DynamicCache() if cache is None else cache
        b, s = ids.shape
        at = torch.arange(cache.get_seq_length(), s).unsqueeze(0)
        x = self.embed(ids)
        if self.config._attn_implementation != "sdpa" or not self.is_new:
            raise ValueError("not so")
        q = self.q(x).view(b, s, -1, self.config.head_dim).transpose(1, 2) * self.turned(at)[:, None]
        k = self.k(x).view(b, s, -1, self.config.head_dim).transpose(1, 2)
        k, v = cache.update(k, k, 0)
        groups = self.config.num_attention_heads // self.config.num_key_value_heads
        k, v = k.repeat_interleave(groups, dim=1), v.repeat_interleave(groups, dim=1)
        x = nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, s, -1)
        logits = self.head(self.act(x))
        if not return_dict:
            return (logits,)
        return CausalLMOutputWithPast(loss=None, logits=logits, past_key_values=cache)

ids = torch.zeros((2, 6), dtype=torch.long)
`;

// 100 words of 16: embedding 1600, q 256, k 128, head 1600 unless it is the embedding.
test.each`
  tied       | parameters
  ${"False"} | ${3584}
  ${"True"}  | ${1984}
`("a model of Hugging Face's form has $parameters parameters, tied: $tied", (row) => {
  const config = `config = LlamaConfig(vocab_size=100, hidden_size=16, num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=${row.tied})`;
  const call = `${config}\nnet = Tiny(config)\nout = net(ids)\ny = out.logits\nassert out.loss is None and out[0] is y`;
  // What `forward` called its result, which `y` is another name of.
  const { said, y, parameters } = read(`${causal}${call}\n`, "logits");
  expect({ said, y, parameters }).toEqual({ said: [], y: [2, 6, 100], parameters: row.parameters });
});

/** Fields by their defaults and other names, as `transformers` 4.46 answers, or 5.23 from Opt on. */
test.each`
  config                                                                              | field                              | value
  ${"LlamaConfig()"}                                                                  | ${"num_key_value_heads"}           | ${32}
  ${"LlamaConfig()"}                                                                  | ${"head_dim"}                      | ${128}
  ${"LlamaConfig(head_dim=64)"}                                                       | ${"head_dim"}                      | ${64}
  ${"GPT2Config(n_embd=64)"}                                                          | ${"hidden_size"}                   | ${64}
  ${"GPT2Config(hidden_size=96)"}                                                     | ${"n_embd"}                        | ${96}
  ${"GPT2Config()"}                                                                   | ${"max_position_embeddings"}       | ${1024}
  ${"MixtralConfig()"}                                                                | ${"num_local_experts"}             | ${8}
  ${"BertConfig()"}                                                                   | ${"type_vocab_size"}               | ${2}
  ${"ViTConfig(image_size=32)"}                                                       | ${"image_size"}                    | ${32}
  ${"Qwen2Config()"}                                                                  | ${"sliding_window"}                | ${null}
  ${"T5Config(feed_forward_proj='gated-gelu')"}                                       | ${"is_gated_act"}                  | ${true}
  ${"T5Config()"}                                                                     | ${"num_decoder_layers"}            | ${6}
  ${"PretrainedConfig(width=3)"}                                                      | ${"width"}                         | ${3}
  ${"BertConfig(output_attentions=True)"}                                             | ${"output_attentions"}             | ${true}
  ${"RobertaConfig()"}                                                                | ${"use_return_dict"}               | ${true}
  ${"OPTConfig(hidden_size=64)"}                                                      | ${"word_embed_proj_dim"}           | ${64}
  ${"SwinConfig(embed_dim=48)"}                                                       | ${"hidden_size"}                   | ${384}
  ${"SwinConfig(depths=[1, 1])"}                                                      | ${"num_layers"}                    | ${2}
  ${"MambaConfig(hidden_size=40)"}                                                    | ${"intermediate_size"}             | ${80}
  ${"MambaConfig(hidden_size=40)"}                                                    | ${"time_step_rank"}                | ${3}
  ${"BartConfig(d_model=64)"}                                                         | ${"hidden_size"}                   | ${64}
  ${"Phi3Config(num_attention_heads=8)"}                                              | ${"num_key_value_heads"}           | ${8}
  ${"ViTConfig(hidden_size=64)"}                                                      | ${"pooler_output_size"}            | ${64}
  ${"LlamaConfig()"}                                                                  | ${"rope_parameters['rope_type']"}  | ${'"default"'}
  ${"LlamaConfig(rope_theta=500.0)"}                                                  | ${"rope_parameters['rope_theta']"} | ${"500.0"}
  ${"Qwen3Config()"}                                                                  | ${"rope_parameters['rope_theta']"} | ${"10000.0"}
  ${"Qwen3Config(num_hidden_layers=2)"}                                               | ${"layer_types"}                   | ${'["full_attention"] * 2'}
  ${"Qwen2Config(use_sliding_window=True, max_window_layers=1, num_hidden_layers=2)"} | ${"layer_types"}                   | ${'["full_attention", "sliding_attention"]'}
`("$field of $config is $value", ({ config, field, value }) => {
  const name = config.split("(")[0];
  const python = value === null ? "None" : value === true ? "True" : value;
  const text = `from transformers import ${name}\nassert ${config}.${field} == ${python}\n`;
  expect(read(text).said.filter((line) => line.startsWith("error"))).toEqual([]);
  const wrong = `from transformers import ${name}\nassert ${config}.${field} == "other"\n`;
  expect(read(wrong).said).toContain("error python/assertion-error");
});

// transformers 5.23: weight (8, 3) and bias (3)
test("Conv1D is a product with a weight of inputs by outputs", () => {
  const text = `import torch
from transformers.pytorch_utils import Conv1D
net = Conv1D(3, 8)
y = net(torch.zeros(2, 5, 8))
`;
  expect(read(text)).toEqual({ said: [], y: [2, 5, 3], parameters: 27 });
});

// Release 5 ties by the names of what shares: 100 words of 8, and a head that is the embedding.
test.each`
  tied       | parameters
  ${"True"}  | ${800}
  ${"False"} | ${1600}
`("weights that are tied by name count once, tied: $tied", ({ tied, parameters }) => {
  const text = `import torch
from torch import nn
from transformers import PreTrainedModel, LlamaConfig
from transformers.modeling_utils import slice_logits_to_keep
from transformers.cache_utils import DynamicCache
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)
class Tiny(PreTrainedModel):
    _tied_weights_keys = {"head.weight": "inner.embed.weight", "none.weight": "inner.none"}
    def __init__(self, config):
        super().__init__(config)
        self.inner = Inner()
        self.head = nn.Linear(8, 100, bias=False)
        self.post_init()
    def forward(self, ids):
        assert DynamicCache().get_mask_sizes(6, 0) == (6, 0)
        return self.head(slice_logits_to_keep(self.inner.embed(ids), 2))
net = Tiny(LlamaConfig(tie_word_embeddings=${tied}))
y = net(torch.zeros((3, 6), dtype=torch.long))
`;
  expect(read(text)).toEqual({ said: [], y: [3, 2, 100], parameters });
});

// timm 1.0: patches of 4 of an image of 8, 3 channels, 16 wide.
test("timm's layers are read", () => {
  const text = `import torch
from timm.models.vision_transformer import Attention, Mlp, PatchEmbed
patches = PatchEmbed(8, 4, 3, 16)
net = torch.nn.Sequential(patches, Attention(16, num_heads=4, qkv_bias=True), Mlp(16, 32))
y = net(torch.zeros(2, 3, 8, 8))
assert patches.num_patches == 4
`;
  expect(read(text)).toEqual({ said: [], y: [2, 4, 16], parameters: 784 + 816 + 272 + 544 + 528 });
});

test("a configuration whose fields are set by name is read", () => {
  const text = `import torch
from mingpt.utils import CfgNode as CN
config = CN()
config.width, config.kind = None, "small"
config.merge_from_dict({"small": dict(width=8)}[config.kind])
net = torch.nn.Linear(config.width, 3)
y = net(torch.zeros(2, 8))
`;
  expect(read(text)).toEqual({ said: [], y: [2, 3], parameters: 27 });
});

/** Functions of numpy on arrays are those of torch; shapes as numpy 2.1 gives them. */
test.each`
  expression                                             | shape
  ${"np.concatenate([a, a], axis=1)"}                    | ${[2, 6]}
  ${"np.stack(np.meshgrid(np.arange(3), np.arange(5)))"} | ${[2, 5, 3]}
  ${"np.einsum('m,d->md', np.arange(4), np.arange(5))"}  | ${[4, 5]}
  ${"np.outer(np.arange(4), np.arange(5))"}              | ${[4, 5]}
  ${"np.expand_dims(np.sin(a), axis=0)"}                 | ${[1, 2, 3]}
  ${"torch.from_numpy(a).float().unsqueeze(0)"}          | ${[1, 2, 3]}
`("$expression has the shape $shape", ({ expression, shape }) => {
  const { said, y } = read(
    `import torch\nimport numpy as np\na = np.zeros((2, 3))\ny = ${expression}\n`,
  );
  expect(said.filter((line) => line.startsWith("error"))).toEqual([]);
  expect(y).toEqual(shape);
});

const picked = `import torch
x = Tensor((4, 8))
w = Tensor((8, 8))
`;

/** What has as many elements as values say is unknown; what it is written into keeps its shape. */
test.each`
  lines                                                                 | y
  ${"(y,) = torch.where(x[0] > 0)"}                                     | ${"unknown"}
  ${"y = x.nonzero()"}                                                  | ${"unknown"}
  ${"y = torch.unique(x)"}                                              | ${"unknown"}
  ${"y = x[torch.where(x[:, 0] > 0)[0]] @ w"}                           | ${"unknown"}
  ${"(i,) = torch.where(x[:, 0] > 0)\ny = x.index_add(0, i, x[i] @ w)"} | ${[4, 8]}
  ${"(i,) = torch.where(x[:, 0] > 0)\ny = x.index_fill(0, i, 0.0)"}     | ${[4, 8]}
`("$lines makes y $y, with one warning", ({ lines, y }) => {
  const found = read(`${picked}${lines}\n`);
  expect(found.y).toEqual(y);
  expect(found.said.filter((line) => line === "warning document/unknown-result")).toHaveLength(1);
  expect(found.said.filter((line) => line.startsWith("error"))).toEqual([]);
});

test("a module inside a module of Python is reached by its path", () => {
  const text = `import collections.abc
import torch
size = 4
pair = size if isinstance(size, collections.abc.Iterable) else (size, size)
y = torch.zeros(*pair)
z = torch.relu(y)
`;
  expect(read(text).said.filter((line) => line.startsWith("error"))).toEqual([]);
  expect(read(text).y).toEqual([4, 4]);
});

test.each`
  config                                                         | said
  ${"GptOssConfig(num_hidden_layers=3)"}                         | ${"sliding_attention full_attention sliding_attention 64 201088"}
  ${"Gemma3TextConfig(num_hidden_layers=6)"}                     | ${"sliding_attention sliding_attention sliding_attention sliding_attention sliding_attention full_attention 256 262208"}
  ${"Cohere2Config(num_hidden_layers=1)"}                        | ${"sliding_attention 128 256000"}
  ${"DeepseekV3Config(num_hidden_layers=1, qk_rope_head_dim=8)"} | ${"full_attention 8 129280"}
  ${"Llama4TextConfig(num_hidden_layers=4)"}                     | ${"chunked_attention chunked_attention chunked_attention full_attention 128 202048"}
`("a configuration settles what follows from its fields: $config", ({ config, said }) => {
  const name = config.slice(0, config.indexOf("("));
  const text = `from .configuration_it import ${name}
c = ${config}
x = Tensor((len(" ".join(c.layer_types)), c.head_dim, c.vocab_size))
y = x + 1
`;
  const words = said.split(" ");
  const kinds = words.slice(0, -2).join(" ").length;
  expect(read(text)).toMatchObject({ y: [kinds, Number(words.at(-2)), Number(words.at(-1))] });
});

test("an output of a model that is a dataclass gives its fields by name and by place", () => {
  const text = `from dataclasses import dataclass
from ...modeling_outputs import ModelOutput
@dataclass
class Made(ModelOutput):
    logits: object = None
    hidden: object = None
made = Made(logits=Tensor((2, 3)))
first = made[0]
y = made.logits + first
`;
  expect(read(text)).toMatchObject({ said: [], y: [2, 3] });
});

test("rates by depth, fields by locals() and layers by __getattr__", () => {
  const text = `import numpy as np
from torch import nn
class Net(nn.Module):
    def __init__(self, dim=4, *, depth=2):
        fields = dict(locals())
        super().__init__()
        for at, rate in enumerate(np.linspace(0, 0.1, fields["depth"]).tolist()):
            setattr(self, f"level_{at}", nn.Linear(fields["dim"], 4))
    def forward(self, x):
        for at in range(2):
            x = self.__getattr__(f"level_{at}")(x)
        return x
net = Net()
y = net(Tensor((3, 4)))
`;
  expect(read(text)).toMatchObject({ y: [3, 4], parameters: 40 });
});

test("a class whose base nobody knows may have anything of it, and what it is called for is unknown", () => {
  const text = `from torch import nn
from ..modeling_utils import ModelMixin
class Net(ModelMixin):
    def __init__(self, dim, **rest):
        super().__init__(dim, **rest)
        self.fc = nn.Linear(dim, self.config.width)
net = Net(4, width=2)
y = net(Tensor((3, 4)))
`;
  const { said, y } = read(text);
  expect(y).toBe("unknown");
  expect(said.filter((each) => each.startsWith("error"))).toEqual([]);
  expect(said).toContain("warning document/unknown-result");
});

test("keywords of which nobody knows anything are none, and a dict with an unknown value is a dict", () => {
  const text = `from torch import nn
from .builder import decode, Builder
class Net(nn.Module):
    def __init__(self, blocks=None, width=8, **options):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, width)])
        self.layers += [nn.Linear(width, 2)]
        self.blocks = nn.Sequential(*Builder(3)(4, blocks))
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
options = dict(blocks=decode("a"), width=3)
net = Net(**options, **decode("b"))
y = net(Tensor((3, 4)))
`;
  expect(read(text)).toMatchObject({ y: [3, 2] });
  expect(read(text).said.filter((each) => each.startsWith("error"))).toEqual([]);
});

test("a model of timm is what its builder makes of its class", () => {
  const text = `from torch import nn
from ._builder import build_model_with_cfg
from ._registry import register_model
class Net(nn.Module):
    def __init__(self, width=8, num_classes=10):
        super().__init__()
        self.head = nn.Linear(width, num_classes)
    def forward(self, x):
        return self.head(x)
@register_model
def net_tiny(pretrained=False, **kwargs):
    options = dict(width=4)
    return build_model_with_cfg(Net, "net_tiny", pretrained, feature_cfg=dict(out_indices=(0, 1)), **dict(options, **kwargs))
net = net_tiny(num_classes=2)
y = net(Tensor((3, 4)))
`;
  expect(read(text)).toMatchObject({ said: [], y: [3, 2], parameters: 10 });
});

test("a method of an unknown base is asked of it by super() too", () => {
  const text = `from torch import nn
from ..modeling import Base
class Net(Base):
    def __init__(self, width):
        super().__init__(width)
        self.head = nn.Linear(4, 2)
        self.init_weights("")
    def init_weights(self, mode):
        super().init_weights(mode)
    def forward(self, x):
        return self.head(x)
net = Net(4)
y = net(Tensor((3, 4)))
`;
  expect(read(text)).toMatchObject({ said: ["warning document/unknown-module"], y: [3, 2] });
});

test.each`
  name              | parameters
  ${"hardswish"}    | ${0}
  ${"laplace"}      | ${0}
  ${"sqrtsoftplus"} | ${0}
  ${"xielu"}        | ${2}
`("the activation $name is known, with its parameters", ({ name, parameters }) => {
  const text = `from transformers.activations import ACT2FN
net = ACT2FN["${name}"]
y = net(Tensor((4, 6)))
`;
  expect(read(text, "y")).toMatchObject({ said: [], parameters });
  expect(readDocument(text).graph.tensors.at(-1)?.shape).toEqual([4, 6]);
});

test.each`
  settings                                                            | length
  ${'{"rope_type": "yarn", "partial_rotary_factor": 0.5}'}            | ${16}
  ${'{"full": {"rope_type": "yarn", "partial_rotary_factor": 0.25}}'} | ${8}
  ${'{"rope_type": "proportional", "partial_rotary_factor": 0.5}'}    | ${32}
`("as many dims turn as the settings say: $settings", ({ settings, length }) => {
  const text = `from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
class Config:
    head_dim = 64
    rope_parameters = ${settings}
kind = "proportional" if "proportional" in str(Config.rope_parameters) else "yarn"
turns, scale = ROPE_INIT_FUNCTIONS[kind](Config(), None, layer_type="full")
y = turns * 1
`;
  expect(read(text)).toMatchObject({ said: [], y: [length] });
});

test("what makes a decorator out of a function without a name leaves a method as it is", () => {
  const text = `import torch
from torch import nn
from ...utils.output_capturing import select
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)
    @select(lambda self: self.config.layers)
    def forward(self, x):
        return self.fc(x)
net = Net()
y = net(Tensor((4, 6))) * 1
`;
  expect(read(text)).toMatchObject({ y: [4, 3], parameters: 21 });
  expect(read(text).said).not.toContainEqual(expect.stringMatching(/^error/u));
});

test("the functions that begin parameters give them back", () => {
  const text = `import torch
from torch import nn
from ... import initialization as init
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(6))
        init.copy_(self.w, torch.ones(6))
    def forward(self, x):
        return x * self.w
net = Net()
y = net(Tensor((4, 6))) * 1
`;
  expect(read(text)).toEqual({ said: [], y: [4, 6], parameters: 6 });
});

test("an output of the text has the fields of those that it derives from", () => {
  const text = `from dataclasses import dataclass
import torch
from transformers.modeling_outputs import BaseModelOutput
from transformers.utils import torch_compilable_check
@dataclass
class Output(BaseModelOutput):
    scores: torch.Tensor | None = None
x = Tensor((4, 6))
torch_compilable_check(x.shape[0] == 4, "four")
found = Output(last_hidden_state=x * 2, scores=x)
y = found.last_hidden_state * found.scores
`;
  expect(read(text)).toMatchObject({ said: [], y: [4, 6] });
});

test("a dict that a comprehension makes of what nobody knows gives no keywords", () => {
  const text = `import json
from torch import nn
class Net(nn.Module):
    def __init__(self, dim=4, width=8):
        super().__init__()
        self.fc = nn.Linear(dim, width)
    def forward(self, x):
        return self.fc(x)
said = json.loads(open("settings.json").read())
net = Net(**{key: value for key, value in said.items() if key in ("dim", "width")})
y = net(Tensor((3, 4)))
`;
  const { said, ...made } = read(text);
  expect(made).toEqual({ y: [3, 8], parameters: 40 });
  expect(said.filter((each) => each.includes("type-error"))).toEqual([]);
});

// Parameters, and shapes, as PyTorch 2.13 gives them.
test.each`
  what                                                                                                                                                        | y                | parameters | operators
  ${"parametrize.register_parametrization(net, 'weight', Symmetric())\ny = net(x)"}                                                                           | ${[2, 4]}        | ${20}      | ${["triu", "add", "linear"]}
  ${"parametrize.register_parametrization(net, 'weight', Low())\ny = net(x)"}                                                                                 | ${[2, 4]}        | ${36}      | ${["matmul", "add", "linear"]}
  ${"y = flex_attention(q, q, q, block_mask=create_block_mask(lambda b, h, i, j: i >= j, None, None, 8, 8))"}                                                 | ${[2, 4, 8, 16]} | ${20}      | ${["attention"]}
  ${"y = Categorical(logits=net(x)).log_prob(torch.zeros(2))"}                                                                                                | ${[2]}           | ${20}      | ${["logsumexp"]}
  ${"d = Normal(net(x), torch.ones(4))\ny = d.log_prob(d.rsample()).sum(-1)"}                                                                                 | ${[2]}           | ${20}      | ${["linear mul add sub pow"]}
  ${"y = pad_sequence([torch.zeros(n, 5) for n in (3, 7)], batch_first=True)"}                                                                                | ${[2, 7, 5]}     | ${20}      | ${["pad"]}
  ${"y = pad_packed_sequence(nn.LSTM(4, 3, batch_first=True)(pack_padded_sequence(torch.randn(2, 7, 4), [7, 5], batch_first=True))[0], batch_first=True)[0]"} | ${[2, 7, 3]}     | ${20}      | ${["linear"]}
  ${"y = pad_packed_sequence(nn.GRU(4, 3)(pack_padded_sequence(torch.randn(7, 2, 4), [7, 5]))[0], batch_first=True, total_length=9)[0]"}                      | ${[2, 9, 3]}     | ${20}      | ${["pad"]}
  ${"net = EinMix('b (h w) c -> b h (w d)', weight_shape='h c d', bias_shape='h d', h=2, c=4, d=3)\ny = net(torch.randn(2, 6, 4))"}                           | ${[2, 2, 9]}     | ${30}      | ${["add"]}
  ${"y, pull = vjp(net, x)\n(dx,) = pull(torch.ones(2, 4))"}                                                                                                  | ${[2, 4]}        | ${20}      | ${["linear"]}
  ${"y, dy = jvp(net, (x,), (torch.ones(2, 4),))"}                                                                                                            | ${[2, 4]}        | ${20}      | ${["linear"]}
`("what people write around layers is drawn: $what", ({ what, operators, ...wanted }) => {
  const text = `import torch
from torch import nn
from torch.distributions import Categorical, Normal
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.utils import parametrize
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.func import jvp, vjp
from einops.layers.torch import EinMix
class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).T
class Low(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.zeros(2, 4)), nn.Parameter(torch.zeros(4, 2))
    def forward(self, w):
        return w + self.b @ self.a
net = nn.Linear(4, 4)
x, q = torch.randn(2, 4), torch.randn(2, 4, 8, 16)
${what}
`;
  const { graph } = readDocument(text);
  const { y, parameters } = read(text);
  expect({ y, parameters }).toEqual(wanted);
  const drawn = graph.operators.map(({ op }) => op.toLowerCase()).join(" ");
  for (const operator of operators) expect(drawn).toContain(operator);
});

// Shapes as PyTorch 2.13 gives them.
test("gradients that a text asks for have the shapes of what it differentiates by, which is said", () => {
  const text = `import torch
from torch import nn
net = nn.Linear(3, 2)
x = torch.randn(5, 3, requires_grad=True)
u = net(x)
du = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
gs = torch.autograd.grad(du.pow(2).sum(), net.parameters(), create_graph=True)
y = torch.cat([g.flatten() for g in gs])
`;
  expect(read(text, "du")).toMatchObject({ y: [5, 3], said: ["warning torch/not-read"] });
  expect(read(text).y).toEqual([8]);
});

test("weights that are measured first, and gradients that are sent otherwise, are said", () => {
  const { said } = read(`import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn.utils.parametrizations import spectral_norm
mesh = init_device_mesh("cuda", (4,), mesh_dim_names=("dp",))
net = DDP(spectral_norm(nn.Linear(4, 4)), device_mesh=mesh)
net.register_comm_hook(None, print)
x = torch.randn(8, 4)
y = net(x)
for request in dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 1)]):
    request.wait()
dist.all_reduce(y, async_op=True).wait()
`);
  expect(said.filter((each) => !each.startsWith("info") && !each.endsWith("whole-batch"))).toEqual(
    Array(5).fill("warning torch/not-read"),
  );
});

test.each`
  line                                                                   | what
  ${'magic = b"GGUF" rb"\\x00"\nassert magic[:4] == b"GGUF"'}            | ${"literals"}
  ${"key = hashlib.md5(str(3).encode('utf-8')).hexdigest()"}             | ${"what a text is encoded to"}
  ${"rows = [each for each in bytes(3)]\nlength = len(bytearray(rows))"} | ${"functions"}
`("of bytes, $what, nothing is known, and a text goes on", ({ line }) => {
  const { said, y } = read(`import hashlib
from torch import nn
${line}
net = nn.Linear(4, 2)
y = net(Tensor((3, 4)))
`);
  expect(y).toEqual([3, 2]);
  expect(said).toContain("warning document/unknown-value");
  expect(said.filter((each) => each.startsWith("error"))).toEqual([]);
});
