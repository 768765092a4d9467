# Hunyuan, its dense models: HunYuanDenseV1ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Hunyuan 7B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 128167
hidden_size = 4096
intermediate_size = 14336
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 8
head_dim = 128
rms_norm_eps = 1e-05
rope_theta = 10000.0
tie_word_embeddings = True
attention_bias = False

mesh = Mesh(dp=8, tp=8)

class HunYuanDenseV1Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=attention_bias)
        self.query_layernorm = nn.RMSNorm(head_dim, eps=rms_norm_eps)
        self.key_layernorm = nn.RMSNorm(head_dim, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q = rotary(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        k = rotary(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        query = self.query_layernorm(q)
        key = self.key_layernorm(k)
        attended = F.scaled_dot_product_attention(
            query, key, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class HunYuanDenseV1MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class HunYuanDenseV1DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = HunYuanDenseV1Attention()
        self.mlp = HunYuanDenseV1MLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class HunYuanDenseV1Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([HunYuanDenseV1DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class HunYuanDenseV1ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = HunYuanDenseV1Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = HunYuanDenseV1ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
