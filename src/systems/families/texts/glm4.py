# GLM 4: Glm4ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of GLM-4 9B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 151552
hidden_size = 4096
intermediate_size = 13696
num_hidden_layers = 40
num_attention_heads = 32
num_key_value_heads = 2
head_dim = 128
rms_norm_eps = 1e-05
rope_theta = 10000.0
tie_word_embeddings = False
attention_bias = True

mesh = Mesh(dp=8, tp=8)

class Glm4Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = torch.cat(
            (rotary(q[..., :head_dim // 2], base=rope_theta, interleaved=True), q[..., head_dim // 2:]), dim=-1
        )
        k2 = torch.cat(
            (rotary(k[..., :head_dim // 2], base=rope_theta, interleaved=True), k[..., head_dim // 2:]), dim=-1
        )
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Glm4MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Linear(hidden_size, 2 * intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        first, second = self.gate_up_proj(x).split(intermediate_size, dim=-1)
        return self.down_proj(second * F.silu(first))

class Glm4DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Glm4Attention()
        self.mlp = Glm4MLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_self_attn_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_mlp_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        post_self_attn = self.post_self_attn_layernorm(self.self_attn(self.input_layernorm(x)))
        x = x + post_self_attn
        post_mlp = self.post_mlp_layernorm(self.mlp(self.post_attention_layernorm(x)))
        return x + post_mlp

class Glm4Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Glm4DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Glm4ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Glm4Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Glm4ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
