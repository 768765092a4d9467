# Nemotron 4 and Minitron: NemotronForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Minitron 8B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 256000
hidden_size = 4096
intermediate_size = 16384
num_hidden_layers = 32
num_attention_heads = 48
num_key_value_heads = 8
norm_eps = 1e-05
head_dim = 128
partial_rotary_factor = 0.5
rope_theta = 10000.0
tie_word_embeddings = False
attention_bias = False
mlp_bias = False

mesh = Mesh(dp=8, tp=8)

class NemotronAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=attention_bias)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = torch.cat(
            (rotary(q[..., :int(head_dim * partial_rotary_factor)], base=rope_theta), q[..., int(head_dim * partial_rotary_factor):]),
            dim=-1,
        )
        k2 = torch.cat(
            (rotary(k[..., :int(head_dim * partial_rotary_factor)], base=rope_theta), k[..., int(head_dim * partial_rotary_factor):]),
            dim=-1,
        )
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class NemotronMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=mlp_bias)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=mlp_bias)

    def forward(self, x):
        return self.down_proj(F.relu(self.up_proj(x)).square())

class NemotronLayerNorm1P(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden_size))
        self.bias = nn.Parameter(torch.empty(hidden_size))

    def forward(self, x):
        return F.layer_norm(x, (hidden_size,), self.weight + 1.0, self.bias, norm_eps)

class NemotronDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = NemotronAttention()
        self.mlp = NemotronMLP()
        self.input_layernorm = NemotronLayerNorm1P()
        self.post_attention_layernorm = NemotronLayerNorm1P()

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class NemotronModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([NemotronDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = NemotronLayerNorm1P()

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class NemotronForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = NemotronModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = NemotronForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
