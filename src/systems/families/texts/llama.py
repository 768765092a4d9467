# LlamaForCausalLM
B, S = 1, 4096
hidden_size = 4096
intermediate_size = 14336
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 8
head_dim = hidden_size // num_attention_heads
vocab_size = 128256
rms_norm_eps = 1e-05
tie_word_embeddings = False
hidden_act = "silu"

import torch
import torch.nn.functional as F

mesh = Mesh(dp=8, tp=8)

def LlamaRMSNorm(x):
    weight = Parameter((hidden_size,), "bf16")
    return rms_norm(x, weight, eps=rms_norm_eps)

def LlamaAttention(x):
    q_proj = Parameter((num_attention_heads * head_dim, hidden_size), "bf16")
    k_proj = Parameter((num_key_value_heads * head_dim, hidden_size), "bf16")
    v_proj = Parameter((num_key_value_heads * head_dim, hidden_size), "bf16")
    o_proj = Parameter((hidden_size, num_attention_heads * head_dim), "bf16")
    q = F.linear(x, q_proj).view(B, S, -1, head_dim).transpose(1, 2)
    k = F.linear(x, k_proj).view(B, S, -1, head_dim).transpose(1, 2)
    v = F.linear(x, v_proj).view(B, S, -1, head_dim).transpose(1, 2)
    a = F.scaled_dot_product_attention(rotary(q), rotary(k), v, is_causal=True, enable_gqa=True)
    return F.linear(a.transpose(1, 2).reshape(B, S, -1), o_proj)

def LlamaMLP(x):
    gate_proj = Parameter((intermediate_size, hidden_size), "bf16")
    up_proj = Parameter((intermediate_size, hidden_size), "bf16")
    down_proj = Parameter((hidden_size, intermediate_size), "bf16")
    return F.linear(F.silu(F.linear(x, gate_proj)) * F.linear(x, up_proj), down_proj)

def LlamaDecoderLayer(x):
    x = x + LlamaAttention(LlamaRMSNorm(x))
    return x + LlamaMLP(LlamaRMSNorm(x))

input_ids = Tensor((B, S), "i64")
embed_tokens = Parameter((vocab_size, hidden_size), "bf16")
x = F.embedding(input_ids, embed_tokens)
for _ in range(num_hidden_layers):
    x = LlamaDecoderLayer(x)
h = LlamaRMSNorm(x)
lm_head = embed_tokens if tie_word_embeddings else Parameter((vocab_size, hidden_size), "bf16")
logits = F.linear(h, lm_head)
