# The text half of CLIP: CLIPTextModel of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of CLIP ViT-L/14, its text half; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 77
vocab_size = 49408
hidden_size = 768
intermediate_size = 3072
num_hidden_layers = 12
num_attention_heads = 12
max_position_embeddings = 77

mesh = Mesh(dp=8, tp=8)

class CLIPTextEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.token_embedding = nn.Embedding(vocab_size, hidden_size)
        self.position_embedding = nn.Embedding(max_position_embeddings, hidden_size)

    def forward(self, ids):
        return self.token_embedding(ids) + self.position_embedding(self.position_ids[..., :S])

class CLIPAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(hidden_size, hidden_size)
        self.v_proj = nn.Linear(hidden_size, hidden_size)
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.out_proj = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=(hidden_size // num_attention_heads) ** -0.5
        )
        return self.out_proj(attended.transpose(1, 2).reshape(B, S, -1))

class CLIPMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        fc1 = self.fc1(x)
        return self.fc2(fc1 * (fc1 * 1.702).sigmoid())

class CLIPEncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = CLIPAttention()
        self.layer_norm1 = nn.LayerNorm(hidden_size)
        self.mlp = CLIPMLP()
        self.layer_norm2 = nn.LayerNorm(hidden_size)

    def forward(self, x):
        x = x + self.self_attn(self.layer_norm1(x))
        return x + self.mlp(self.layer_norm2(x))

class CLIPEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([CLIPEncoderLayer() for _ in range(num_hidden_layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

class CLIPTextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = CLIPTextEmbeddings()
        self.encoder = CLIPEncoder()
        self.final_layer_norm = nn.LayerNorm(hidden_size)

    def forward(self, input_ids):
        return self.final_layer_norm(self.encoder(self.embeddings(input_ids)))

input_ids = Tensor((B, S), "int64")
model = CLIPTextModel().to(torch.bfloat16)
y = model(input_ids)
