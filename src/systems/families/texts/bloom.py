# BLOOM: BloomForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of BLOOM 176B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 2048
vocab_size = 250880
hidden_size = 14336
n_layer = 70
n_head = 112
layer_norm_epsilon = 1e-05
alibi_heads = 2 ** (len(bin(n_head)) - 3)

mesh = Mesh(dp=8, tp=8)

def masked(scores, window):
    """Scores without those of later positions; with a window, of so many positions."""
    length = scores.shape[-1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    if window is not None:
        seen = seen.triu(1 - window)
    return scores.masked_fill(~seen, float("-inf"))

class BloomAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query_key_value = nn.Linear(hidden_size, 3 * hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, y, y2):
        B = x.shape[0]
        query_key_value = self.query_key_value(x).view(B, S, n_head, 3, hidden_size // n_head)
        x2 = query_key_value[:, :, :, 0].transpose(1, 2).reshape(B * n_head, S, hidden_size // n_head)
        x3 = query_key_value[:, :, :, 1].transpose(1, 2).reshape(B * n_head, S, hidden_size // n_head)
        x4 = query_key_value[:, :, :, 2].transpose(1, 2).reshape(B * n_head, S, hidden_size // n_head)
        baddbmm = torch.baddbmm(y, x2, x3.transpose(-1, -2), beta=1.0, alpha=(hidden_size // n_head) ** -0.5)
        softmax = F.softmax(masked(baddbmm.reshape(B, n_head, S, -1), window=None), dim=-1, dtype=torch.float32)
        bmm = torch.bmm(softmax.to(torch.bfloat16).reshape(B * n_head, S, -1), x4)
        x5 = bmm.view(B, n_head, S, hidden_size // n_head).permute(0, 2, 1, 3).reshape(B, S, hidden_size)
        return y2 + self.dense(x5)

class BloomGelu(nn.Module):
    def forward(self, x):
        return x * 0.5 * ((x * 0.79788456 * (x * 0.044715 * x + 1)).tanh() + 1.0)

class BloomMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense_h_to_4h = nn.Linear(hidden_size, 4 * hidden_size)
        self.gelu_impl = BloomGelu()
        self.dense_4h_to_h = nn.Linear(4 * hidden_size, hidden_size)

    def forward(self, x, y):
        return y + self.dense_4h_to_h(self.gelu_impl(self.dense_h_to_4h(x)))

class BloomBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)
        self.self_attention = BloomAttention()
        self.post_attention_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)
        self.mlp = BloomMLP()

    def forward(self, x, y):
        self_attention = self.self_attention(self.input_layernorm(x), y, x)
        return self.mlp(self.post_attention_layernorm(self_attention), self_attention)

class BloomModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.word_embeddings_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)
        self.h = nn.ModuleList([BloomBlock() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, ids):
        B = ids.shape[0]
        arange = torch.arange(n_head)
        mul = torch.where(arange < alibi_heads, arange + 1, arange - alibi_heads + 0.5) * (-8)
        mul2 = (2.0 ** (mul / alibi_heads)).unsqueeze(1).unsqueeze(2) * torch.arange(S)
        to = mul2.repeat(B, 1, 1).to(torch.bfloat16)
        x = self.word_embeddings_layernorm(self.word_embeddings(ids))
        for layer in self.h:
            x = layer(x, to)
        return self.ln_f(x)

class BloomForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = BloomModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.transformer.word_embeddings.weight

    def forward(self, input_ids):
        return self.lm_head(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = BloomForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
