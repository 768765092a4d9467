# Llama 4, its language part: Llama4ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Llama 4 Scout 109B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
# Attention is over the whole sequence, which is right up to attention_chunk_size tokens.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 202048
hidden_size = 5120
intermediate_size = 8192
num_attention_heads = 40
num_key_value_heads = 8
head_dim = 128
rms_norm_eps = 1e-05
num_hidden_layers = 48
intermediate_size_mlp = 16384
num_local_experts = 16
interleave_moe_layer_step = 1
no_rope_layer_interval = 4
floor_scale = 8192
attn_scale = 0.1
use_qk_norm = True

mesh = Mesh(dp=8, tp=8)

class Llama4TextAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)

    def forward(self, x, cos, sin):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, head_dim)
        k = self.k_proj(x).view(B, S, -1, head_dim)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = q.to(torch.float32).reshape(B, S, num_attention_heads, -1, 2)
        select = q2[..., 0]
        select2 = q2[..., 1]
        k2 = k.to(torch.float32).reshape(B, S, num_key_value_heads, -1, 2)
        select3 = k2[..., 0]
        select4 = k2[..., 1]
        rotary_emb = cos.unsqueeze(2)
        rotary_emb2 = sin.unsqueeze(2)
        stack = torch.stack(
            [select * rotary_emb - select2 * rotary_emb2, select * rotary_emb2 + select2 * rotary_emb], -1
        )
        if use_qk_norm:
            x2 = stack.reshape(B, S, num_attention_heads, head_dim)
        stack2 = torch.stack(
            [select3 * rotary_emb - select4 * rotary_emb2, select3 * rotary_emb2 + select4 * rotary_emb], -1
        )
        if not use_qk_norm:
            q3 = stack.reshape(B, S, num_attention_heads, head_dim).to(torch.bfloat16).transpose(1, 2)
            k3 = stack2.reshape(B, S, num_key_value_heads, head_dim).to(torch.bfloat16).transpose(1, 2)
        else:
            x3 = stack2.reshape(B, S, num_key_value_heads, head_dim)
            q3 = F.rms_norm(x2, (head_dim,), eps=rms_norm_eps).to(torch.bfloat16).transpose(1, 2)
            k3 = F.rms_norm(x3, (head_dim,), eps=rms_norm_eps).to(torch.bfloat16).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            q3, k3, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Llama4TextMLP(nn.Module):
    def __init__(self, out_features):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, out_features, bias=False)
        self.up_proj = nn.Linear(hidden_size, out_features, bias=False)
        self.down_proj = nn.Linear(out_features, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Llama4TextExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(num_local_experts, hidden_size, 2 * intermediate_size))
        self.down_proj = nn.Parameter(torch.empty(num_local_experts, intermediate_size, hidden_size))

    def forward(self, x):
        pass

class Llama4Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_local_experts, hidden_size))

    def forward(self, x):
        router = F.linear(x, self.weight)
        best, index = router.topk(1, dim=1)
        to = torch.full_like(router, float("-inf")).scatter(1, index, best).to(torch.float32)
        return to.sigmoid().to(torch.bfloat16)

class Llama4TextAttention2(Llama4TextAttention):
    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        log1p = ((torch.arange(S).to(torch.float32) + 1.0) / floor_scale).floor().log1p()
        expand = (log1p * attn_scale + 1.0).reshape(1, S, 1, 1).expand(B, S, 1, 1)
        to = (self.q_proj(x).view(B, S, -1, head_dim) * expand).to(torch.bfloat16)
        q = to.transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Llama4TextRotaryEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("inv_freq", torch.empty(head_dim // 2), persistent=False)

    def forward(self, ids):
        mul = ids.unsqueeze(2).to(torch.float32) * self.inv_freq
        return mul.cos(), mul.sin()

class Llama4TextDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention()
        self.feed_forward = Llama4TextMLP(intermediate_size_mlp)
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.feed_forward(self.post_attention_layernorm(x))

class Llama4TextMoe(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = Llama4TextExperts()
        self.router = Llama4Router()
        self.shared_expert = Llama4TextMLP(intermediate_size)

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        router = self.router(x2)
        x3 = (router > 0).to(torch.bfloat16).reshape(B, -1, num_local_experts)
        dispatch = moe_dispatch(
            (x2 * router.sum(dim=-1, keepdim=True)).reshape(B, -1, hidden_size),
            x3,
            capacity=max(1, S * floor_scale // vocab_size),
        )
        gate_up = torch.einsum("egcd,edh->egch", dispatch, self.experts.gate_up_proj)
        first, second = gate_up.split(intermediate_size, dim=-1)
        down = torch.einsum("egch,ehd->egcd", second * F.silu(first), self.experts.down_proj)
        return self.shared_expert(x2) + moe_combine(down, x3).reshape(B * S, hidden_size)

class Llama4TextDecoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention2()
        self.feed_forward = Llama4TextMLP(intermediate_size_mlp)
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.feed_forward(self.post_attention_layernorm(x))

class Llama4TextDecoderLayer3(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention()
        self.feed_forward = Llama4TextMoe()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x, cos, sin):
        B = x.shape[0]
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        feed_forward = self.feed_forward(self.post_attention_layernorm(x)).reshape(B, S, hidden_size)
        return x + feed_forward

class Llama4TextDecoderLayer4(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention2()
        self.feed_forward = Llama4TextMoe()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x, cos, sin):
        B = x.shape[0]
        x = x + self.self_attn(self.input_layernorm(x))
        feed_forward = self.feed_forward(self.post_attention_layernorm(x)).reshape(B, S, hidden_size)
        return x + feed_forward

class Llama4TextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            (Llama4TextDecoderLayer4() if (i + 1) % no_rope_layer_interval == 0 else Llama4TextDecoderLayer3()) if (i + 1) % interleave_moe_layer_step == 0 else (Llama4TextDecoderLayer2() if (i + 1) % no_rope_layer_interval == 0 else Llama4TextDecoderLayer())
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.rotary_emb = Llama4TextRotaryEmbedding()

    def forward(self, ids):
        rotary_emb, rotary_emb2 = self.rotary_emb(torch.arange(S).unsqueeze(0))
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, rotary_emb, rotary_emb2)
        return self.norm(x)

class Llama4ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Llama4TextModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Llama4ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
