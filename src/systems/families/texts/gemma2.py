# Gemma 2: Gemma2ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Gemma 2 9B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 256000
hidden_size = 3584
intermediate_size = 14336
num_hidden_layers = 42
num_attention_heads = 16
num_key_value_heads = 8
head_dim = 256
rms_norm_eps = 1e-06
rope_theta = 10000.0
sliding_window = 4096
query_pre_attn_scalar = 256
attn_logit_softcapping = 50.0
final_logit_softcapping = 30.0

mesh = Mesh(dp=8, tp=8)

def masked(scores, window):
    """Scores without those of later positions; with a window, of so many positions."""
    length = scores.shape[-1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    if window is not None:
        seen = seen.triu(1 - window)
    return scores.masked_fill(~seen, float("-inf"))

class Gemma2TextScaledWordEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, hidden_size))

    def forward(self, ids):
        return F.embedding(ids, self.weight) * (hidden_size ** 0.5)

class Gemma2Attention(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)

    def forward(self, x):
        B = x.shape[0]
        q = rotary(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        k = rotary(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        k2 = k.unsqueeze(2).expand(B, num_key_value_heads, num_attention_heads // num_key_value_heads, S, head_dim).reshape(B, num_attention_heads, S, head_dim)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2).unsqueeze(2)
        v2 = v.expand(
            B, num_key_value_heads, num_attention_heads // num_key_value_heads, S, head_dim
        ).reshape(B, num_attention_heads, S, head_dim)
        masked_ = masked(
            (q @ k2.transpose(2, 3) * (query_pre_attn_scalar ** -0.5) / attn_logit_softcapping).tanh() * attn_logit_softcapping,
            window=self.window,
        )
        to = F.softmax(masked_, dim=-1, dtype=torch.float32).to(torch.bfloat16)
        return self.o_proj((to @ v2).transpose(1, 2).reshape(B, S, -1))

class Gemma2MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.gelu(self.gate_proj(x), approximate="tanh") * self.up_proj(x))

class Gemma2RMSNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden_size))

    def forward(self, x):
        return F.rms_norm(x, (hidden_size,), self.weight + 1.0, rms_norm_eps)

class Gemma2DecoderLayer(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.self_attn = Gemma2Attention(window)
        self.mlp = Gemma2MLP()
        self.input_layernorm = Gemma2RMSNorm()
        self.post_attention_layernorm = Gemma2RMSNorm()
        self.pre_feedforward_layernorm = Gemma2RMSNorm()
        self.post_feedforward_layernorm = Gemma2RMSNorm()

    def forward(self, x):
        post_attention = self.post_attention_layernorm(self.self_attn(self.input_layernorm(x)))
        x = x + post_attention
        post_feedforward = self.post_feedforward_layernorm(self.mlp(self.pre_feedforward_layernorm(x)))
        return x + post_feedforward

class Gemma2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = Gemma2TextScaledWordEmbedding()
        self.layers = nn.ModuleList([
            Gemma2DecoderLayer(sliding_window if i % 2 == 0 else None)
            for i in range(num_hidden_layers)
        ])
        self.norm = Gemma2RMSNorm()

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Gemma2ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Gemma2Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return (self.lm_head(self.model(input_ids)) / final_logit_softcapping).tanh() * final_logit_softcapping

input_ids = Tensor((B, S), "int64")
model = Gemma2ForCausalLM().to(torch.bfloat16)
y = model(input_ids)
