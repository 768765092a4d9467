# Falcon 2: FalconForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Falcon 2 11B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 2048
vocab_size = 65024
hidden_size = 4096
num_hidden_layers = 60
num_attention_heads = 32
ffn_hidden_size = 4 * hidden_size
layer_norm_epsilon = 1e-05
rope_theta = 500042.0
num_kv_heads = 8
tie_word_embeddings = False
bias = False
head_dim = hidden_size // num_attention_heads

mesh = Mesh(dp=8, tp=8)

class FalconLinear(nn.Module):
    def __init__(self, size, size2):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(size, size2))
        if bias:
            self.bias = nn.Parameter(torch.empty(size))

    def forward(self, x):
        if not bias:
            return x @ self.weight.permute(1, 0)
        else:
            return x @ self.weight.permute(1, 0) + self.bias

class FalconAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query_key_value = FalconLinear(
            size=num_attention_heads * head_dim + 2 * num_kv_heads * head_dim, size2=hidden_size
        )
        self.dense = FalconLinear(size=hidden_size, size2=hidden_size)

    def forward(self, x):
        B = x.shape[0]
        if not bias:
            query_key_value = self.query_key_value(x).view(B, S, -1, num_attention_heads // num_kv_heads + 2, head_dim)
        else:
            query_key_value = self.query_key_value(x).reshape(B, S, -1, num_attention_heads // num_kv_heads + 2, head_dim)
        expand = query_key_value[:, :, :, -2:-1].expand(
            B, S, num_kv_heads, num_attention_heads // num_kv_heads, head_dim
        )
        expand2 = query_key_value[:, :, :, -1:].expand(
            B, S, num_kv_heads, num_attention_heads // num_kv_heads, head_dim
        )
        transpose = query_key_value[:, :, :, :-2].reshape(B, S, num_attention_heads, head_dim).transpose(1, 2)
        v = expand2.reshape(B, S, num_attention_heads, head_dim).transpose(1, 2)
        q = rotary(transpose, base=rope_theta)
        k = rotary(expand.reshape(B, S, num_attention_heads, head_dim).transpose(1, 2), base=rope_theta)
        permute = F.scaled_dot_product_attention(q, k, v, is_causal=True).permute(0, 2, 1, 3)
        return self.dense(permute.reshape(B, S, hidden_size))

class FalconMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense_h_to_4h = FalconLinear(size=ffn_hidden_size, size2=hidden_size)
        self.dense_4h_to_h = FalconLinear(size=hidden_size, size2=ffn_hidden_size)

    def forward(self, x):
        return self.dense_4h_to_h(F.gelu(self.dense_h_to_4h(x)))

class FalconDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attention = FalconAttention()
        self.mlp = FalconMLP()
        self.input_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, x):
        input_ = self.input_layernorm(x)
        return x + (self.mlp(input_) + self.self_attention(input_))

class FalconModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.h = nn.ModuleList([FalconDecoderLayer() for _ in range(num_hidden_layers)])
        self.ln_f = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, ids):
        x = self.word_embeddings(ids)
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x)

class FalconForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = FalconModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.transformer.word_embeddings.weight

    def forward(self, input_ids):
        return self.lm_head(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = FalconForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
