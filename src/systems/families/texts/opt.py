# OPT: OPTForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of OPT 6.7B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 2048
vocab_size = 50272
hidden_size = 4096
num_hidden_layers = 32
num_attention_heads = 32
ffn_dim = 16384
max_position_embeddings = 2048

mesh = Mesh(dp=8, tp=8)

class OPTLearnedPositionalEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_position_embeddings + 2, hidden_size))

    def forward(self, ids):
        return F.embedding(ids + 2, self.weight)

class OPTAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(hidden_size, hidden_size)
        self.v_proj = nn.Linear(hidden_size, hidden_size)
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.out_proj = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = (self.q_proj(x) * ((hidden_size // num_attention_heads) ** -0.5)).reshape(B, -1, num_attention_heads, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, -1, num_attention_heads, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, -1, num_attention_heads, hidden_size // num_attention_heads).transpose(1, 2)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=1.0)
        return self.out_proj(attended.transpose(1, 2).reshape(B, S, -1))

class OPTDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = OPTAttention()
        self.self_attn_layer_norm = nn.LayerNorm(hidden_size)
        self.fc1 = nn.Linear(hidden_size, ffn_dim)
        self.fc2 = nn.Linear(ffn_dim, hidden_size)
        self.final_layer_norm = nn.LayerNorm(hidden_size)

    def forward(self, x):
        B = x.shape[0]
        x2 = (x + self.self_attn(self.self_attn_layer_norm(x))).reshape(-1, hidden_size)
        return (x2 + self.fc2(F.relu(self.fc1(self.final_layer_norm(x2))))).reshape(B, S, hidden_size)

class OPTDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.embed_positions = OPTLearnedPositionalEmbedding()
        self.final_layer_norm = nn.LayerNorm(hidden_size)
        self.layers = nn.ModuleList([OPTDecoderLayer() for _ in range(num_hidden_layers)])

    def forward(self, ids):
        B = ids.shape[0]
        ones = torch.ones([B, S])
        embed_positions = self.embed_positions((ones.cumsum(1) * ones - 1).to(torch.int64))
        x = self.embed_tokens(ids) + embed_positions
        for layer in self.layers:
            x = layer(x)
        return self.final_layer_norm(x)

class OPTModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = OPTDecoder()

class OPTForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = OPTModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.model.decoder.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model.decoder(input_ids))

input_ids = Tensor((B, S), "int64")
model = OPTForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
